import {randomUUID} from 'node:crypto';
import {ok, Refusal} from './answers.ts';
import type {Artifact} from './artifacts.ts';
import type {Call, Handler} from './calls.ts';
import {imageKeysOf} from './dataset-routes.ts';
import {type JobStatus, jobAt} from './jobs.ts';
import {jsonBody, pathUuid} from './parts.ts';
import {
	boolean,
	choice,
	demand,
	freeForm,
	integer,
	integerText,
	number,
	object,
	optional,
	required,
	text,
	textMap,
	uuid,
} from './validation.ts';

const maybe = optional<string | undefined>(text(), undefined);

const finetuneRequest = object({
	project_id: required(uuid),
	model_id: maybe,
	vla_type: required(choice(['act', 'smolvla', 'pi0', 'pi05', 'gr00t_n1_5', 'sarm'])),
	dataset_id: required(text()),
	hours: required(number({gt: 0, le: 168})),
	instance_type: maybe,
	region: maybe,
	batch_size: optional(integer({ge: 1, le: 512}), 32),
	name: optional<string | undefined>(text({max: 255}), undefined),
	camera_mappings: required(textMap),
	vla_hyper_spec: optional(freeForm, {}),
	use_rabc: optional(boolean, false),
	sarm_reward_model_path: maybe,
	rabc_head_mode: optional(text(), 'sparse'),
	sarm_image_observation_key: maybe,
});

export const startFinetune: Handler = call => {
	const {state} = call;
	const request = jsonBody(call, finetuneRequest);
	if (!state.projects.has(request.project_id)) throw new Refusal(404, 'Unknown project');
	const keys = imageKeysOf(state.datasets, request.dataset_id);
	if (!keys) throw new Refusal(404, 'Unknown dataset');
	const wrong = Object.entries(request.camera_mappings).find(([, key]) => !keys.includes(key));
	if (wrong) throw new Refusal(400, `Camera slot ${wrong[0]}: the dataset has no image key ${wrong[1]}`);
	const job_id = randomUUID();
	state.jobs.set(job_id, jobAt(job_id, 'queued', 0));
	state.jobItems.push({job_id, project_id: request.project_id, use_rabc: request.use_rabc});
	return ok({job_id, status: 'queued', message: 'Job queued'});
};

export const finetuneStatus: Handler = call => ok(jobIn(call, call.state.jobs));

export const augmentationStatus: Handler = call => ok(jobIn(call, call.state.augmentations));

/** The document does not show the answer; a job that is over stays as it ended. */
export const cancelAugmentation: Handler = call => {
	const job = jobIn(call, call.state.augmentations);
	if (job.status === 'queued' || job.status === 'running') job.status = 'cancelled';
	return ok({job_id: job.job_id, status: job.status});
};

function jobIn(call: Call, jobs: ReadonlyMap<string, JobStatus>): JobStatus {
	const job = jobs.get(pathUuid(call, 'job_id'));
	if (!job) throw new Refusal(404, 'Unknown job');
	return job;
}

/** The three listings whose paging the document leaves open answer `items` alone. */
const sortQuery = object({
	limit: optional(integerText({ge: 1, le: 100}), 20),
	sort: optional(choice(['newest', 'oldest']), 'newest'),
});

export const listModels: Handler = ({query, state}) => {
	const {limit, sort} = demand(sortQuery, query, ['query']);
	const newest = (left: Artifact, right: Artifact) => right.created_at.localeCompare(left.created_at);
	const models = [...state.models].sort(newest);
	return ok({items: (sort === 'newest' ? models : models.reverse()).slice(0, limit)});
};

export const listJobs: Handler = ({query, state}) => {
	const {limit, sort} = demand(sortQuery, query, ['query']);
	return ok({items: (sort === 'newest' ? state.jobItems.toReversed() : state.jobItems).slice(0, limit)});
};

export const listProjects: Handler = ({state}) =>
	ok({items: Array.from(state.projects, ([project_id, name]) => ({project_id, name}))});

export const createProject: Handler = call => {
	const {name} = jsonBody(call, object({name: required(text({max: 255}))}));
	const known = Array.from(call.state.projects).find(([, other]) => other === name);
	const project_id = known?.[0] ?? randomUUID();
	call.state.projects.set(project_id, name);
	return ok({created: known === undefined, project_id});
};
