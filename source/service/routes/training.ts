import {endpoints} from '../../contract/endpoints.ts';
import type {HyperparameterDefaults, HyperparameterValidation} from '../../contract/hyperparameters.ts';
import {localFinetuneEndpoints, type TrainedPolicies} from '../../contract/local-finetune.ts';
import {type OwnJobList, ownListQuery} from '../../contract/own-lists.ts';
import {ownProjectRequest} from '../../contract/projects.ts';
import {type VlaType, vlaTypes} from '../../contract/vocabulary.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';
import {itemOf, statusOf} from '../jobs/job-views.ts';
import type {Jobs} from '../jobs/jobs.ts';
import {fieldsOf} from '../jobs/rules/finetune-rules.ts';
import {findDataset, imageKeysOf} from '../jobs/rules/training-dataset.ts';
import {untrainedReason} from '../jobs/vla/other-policies.ts';
import {lerobotName, typesOf} from '../jobs/vla/releases.ts';
import {hyperparameterDefaults, validateHyperparameters} from '../jobs/vla/validate-hyperparameters.ts';
import {typeFacts, vlaTypeFacts} from '../jobs/vla/vla-types.ts';
import type {LakeEngine} from '../lake/engine.ts';

/** All that has to do with training: projects, fine-tunes, hyperparameters, jobs and models. */
export function trainingRoutes(jobs: Jobs, lake: Pick<LakeEngine, 'details'>): readonly Route[] {
	return [
		...projectRoutes(jobs),
		...hyperparameterRoutes(jobs),
		...policyRoutes(jobs),
		...finetuneRoutes({...jobs, lake}),
		...jobRoutes(jobs),
		...modelRoutes(jobs),
	];
}

/** Sections 4.3 and 4.15, and the image keys that 4.3 names. */
function finetuneRoutes({
	finetunes,
	store,
	lake,
}: Pick<Jobs, 'finetunes' | 'store'> & {lake: Pick<LakeEngine, 'details'>}): readonly Route[] {
	return [
		route(endpoints.createFinetune, ({body}) => finetunes.order(body)),
		route(endpoints.imageKeys, async ({parameters}) => {
			const dataset = await findDataset(lake, parameters.dataset_id);
			if (dataset) return imageKeysOf(dataset);
			const asked = JSON.stringify(parameters.dataset_id.slice(0, 200));
			throw new HttpProblem(
				404,
				`There is no dataset ${asked} in this lake. Give its id, its name, or its path local/NAME.`,
			);
		}),
		route(endpoints.finetuneStatus, ({parameters}) => {
			const job = store.get(parameters.job_id);
			if (job) return statusOf(job);
			throw new HttpProblem(404, `There is no fine-tune ${parameters.job_id} in this lake.`);
		}),
	];
}

function knownType(wanted: string): VlaType {
	const type = vlaTypes.find(each => each === wanted);
	if (type) return type;
	const asked = JSON.stringify(wanted.slice(0, 200));
	throw new HttpProblem(
		400,
		`vla_type: there is no VLA type ${asked}; the types are ${vlaTypes.join(', ')}.`,
	);
}

/** Sections 4.13 and 4.14. */
const hyperparameterRoutes = ({finetunes}: Pick<Jobs, 'finetunes'>): readonly Route[] => [
	route(endpoints.validateHyperparameters, ({query, body}): HyperparameterValidation => {
		const issues = validateHyperparameters(knownType(query.vla_type), body);
		return {valid: issues.length === 0, issues: issues.length === 0 ? null : issues};
	}),
	route(endpoints.hyperparameterDefaults, async ({query}): Promise<HyperparameterDefaults> => {
		const {vla_type, model_id} = query;
		const base = model_id || vlaTypeFacts[vla_type].baseModel;
		const lerobot = await finetunes.lerobotAtOnce();
		const fields = fieldsOf(vla_type, lerobot);
		const whose = lerobot && fields ? `${lerobotName(lerobot)}'s` : "LeRobot's";
		return {
			data: hyperparameterDefaults(vla_type, fields),
			message: `${whose} defaults of ${vla_type}. Base model: ${base}. Unless steps are given, the hours bound the training, and where they are few it saves more often than save_freq says.`,
		};
	}),
];

/** LeRobot's types besides the interface's. */
const policyRoutes = ({finetunes}: Pick<Jobs, 'finetunes'>): readonly Route[] => [
	route(localFinetuneEndpoints.localFinetune, ({body: {policy, ...order}}) =>
		finetunes.order({...order, vla_type: policy}),
	),
	route(localFinetuneEndpoints.finetuneLine, ({body, query}) => finetunes.line(body, query.version)),
	route(localFinetuneEndpoints.trainedPolicies, async (): Promise<TrainedPolicies> => {
		const {lerobot, message} = await finetunes.lerobotHere();
		const types = lerobot === undefined ? [] : typesOf(lerobot);
		const vlaTypeOf = (policy: string) =>
			vlaTypes.find(type => vlaTypeFacts[type].policyType === policy && type !== 'gr00t_n1_5');
		return {
			version: lerobot?.version ?? null,
			message,
			policies: types.map(({type, registry}) => {
				const fields = fieldsOf(type, lerobot);
				return {
					policy: type,
					registry,
					vla_type: vlaTypeOf(type) ?? null,
					base_model: typeFacts(type).baseModel,
					untrained: untrainedReason(type) ?? null,
					hyperparameters: fields ? hyperparameterDefaults(type, fields) : null,
				};
			}),
		};
	}),
];

/** Section 4.10. */
function jobRoutes({store}: Pick<Jobs, 'store'>): readonly Route[] {
	return [
		route({...endpoints.listJobs, query: ownListQuery}, ({query}): OwnJobList => {
			const {jobs, page_info} = store.list(query);
			return {items: jobs.map(itemOf), page_info};
		}),
	];
}

/** Section 4.9. */
function modelRoutes({models}: Pick<Jobs, 'models'>): readonly Route[] {
	return [route({...endpoints.listModels, query: ownListQuery}, ({query}) => models.list(query))];
}

/** Sections 4.11 and 4.12. */
function projectRoutes({projects}: Pick<Jobs, 'projects'>): readonly Route[] {
	return [
		route({...endpoints.listProjects, query: ownListQuery}, ({query}) => projects.list(query)),
		route({...endpoints.createProject, body: ownProjectRequest}, ({body}) =>
			projects.create(body.name, body.description),
		),
	];
}
