import {type VlaType, vlaTypes} from '../../contract/vocabulary.ts';
import type {JobEntry} from '../jobs/job-entry.ts';
import {isId} from '../queries/link.ts';
import type {Confirmation} from '../state/user-state.ts';
import {type Draft, emptyDraft} from './draft.ts';
import {printValue} from './request.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const record = (value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Readonly<Record<string, unknown>>)
		: {};

/** The request that a job was launched with: as it is remembered here, else as the service tells it. */
function requestLike({fields, launch}: JobEntry): Readonly<Record<string, unknown>> | undefined {
	const request = launch?.request ?? fields.request;
	return request === undefined ? undefined : record(request);
}

/** A job's request as far as it is known; other fields of the job have the same names. */
const toldOf = (job: JobEntry): Readonly<Record<string, unknown>> => ({...job.fields, ...requestLike(job)});

/** The parts of a job's request that are not known: they are chosen anew, and may differ. */
export function untold(job: JobEntry): readonly string[] {
	const told = toldOf(job);
	const isWhole = requestLike(job) !== undefined;
	const parts: readonly (readonly [string, boolean])[] = [
		['dataset', (told.dataset_path ?? told.dataset_id ?? job.launch?.dataset) != null],
		['VLA type', told.vla_type != null],
		['cameras', told.camera_mappings != null],
		['hours', told.hours != null],
		['hyperparameters', isWhole || told.vla_hyper_spec != null],
	];
	return parts.filter(([, isTold]) => !isTold).map(([name]) => name);
}

/** Asks before a draft makes room for one like a job. */
export function replaceQuestion(draft: Draft, job: JobEntry, agree: () => void): Confirmation {
	const {vlaType, dataset} = draft;
	const of = [vlaType, dataset === undefined ? undefined : `on ${dataset.path}`].filter(Boolean).join(' ');
	const hours = draft.hours.trim();
	const parts = [draft.name.trim(), of, hours && `${hours} h`].filter(part => part !== '');
	return {
		title: 'Replace the draft?',
		lines: [
			parts.length === 0 ? 'The draft is not launched.' : `The draft is not launched: ${parts.join(', ')}.`,
			`The settings of ${job.name ?? job.id} replace it; the draft is lost.`,
		],
		yes: 'replace it',
		agree,
	};
}

/**
 * A draft like a job: by the request that it was launched with, where that is remembered here or told by the service, else
 * by whatever fields the service tells of it under the request's own names.
 *
 * @param projectName what its project is called.
 */
export function draftLike(job: JobEntry, projectName: (id: string) => string | undefined): Draft {
	const told = toldOf(job);
	const request = requestLike(job);
	const vlaType: VlaType | undefined = vlaTypes.find(type => type === told.vla_type);
	const path =
		text(told.dataset_path) || text(request?.dataset_id) || job.launch?.dataset || text(told.dataset_id);
	const projectId = job.projectId ?? (text(told.project_id) || undefined);
	const cameras = Object.entries(record(told.camera_mappings));
	const hyper = Object.entries(record(told.vla_hyper_spec));
	const project =
		projectId === undefined ? {} : {project: {id: projectId, name: projectName(projectId) ?? projectId}};
	return {
		...emptyDraft,
		...project,
		...(path
			? {dataset: {id: isId(text(job.fields.dataset_id)) ? text(job.fields.dataset_id) : path, path}}
			: {}),
		...(vlaType === undefined ? {} : {vlaType}),
		...(job.launch?.filter === undefined ? {} : {filter: job.launch.filter}),
		...(job.launch?.picked === undefined ? {} : {picked: job.launch.picked.episodes}),
		modelId: text(told.model_id),
		// A job that was given no name may have one of the service's.
		name: request === undefined ? (job.name ?? '') : text(request.name),
		hours: told.hours === undefined ? '' : String(told.hours),
		batchSize: told.batch_size === undefined ? emptyDraft.batchSize : String(told.batch_size),
		cameras: Object.fromEntries(cameras.map(([slot, key]) => [slot, {key: text(key), isConfirmed: true}])),
		othersUnused: request === undefined ? undefined : true,
		hyperparameters: Object.fromEntries(hyper.map(([name, value]) => [name, printValue(value)])),
		usesRewards: told.use_rabc === true,
		headMode: text(told.rabc_head_mode),
		rewardModel: text(told.sarm_reward_model_path),
		sarmKey: text(told.sarm_image_observation_key),
		instanceType: text(told.instance_type),
		region: text(told.region),
	};
}
