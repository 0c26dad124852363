import {Refusal} from './answers.ts';
import type {Handler} from './calls.ts';
import {datasetDefinition, datasetFiles, listDatasets, listImageKeys} from './dataset-routes.ts';
import {explore, syncStatus} from './explore-routes.ts';
import {hyperparameterDefaults, validateHyperparameters} from './hyperparameter-routes.ts';
import {
	augmentationStatus,
	cancelAugmentation,
	createProject,
	finetuneStatus,
	listJobs,
	listModels,
	listProjects,
	startFinetune,
} from './training-routes.ts';
import {dismissUpload, prepareBatch, receiveBlob} from './upload-routes.ts';

type Route = {key: 'required' | 'optional' | 'none'; handle: Handler};

const subscribe: Handler = ({state}) => ({stream: response => state.events.subscribe(response)});

const unknown: Handler = () => {
	throw new Refusal(404, 'Not Found');
};

/** Method and path of section 4 with the key rule of section 5; fixed segments come before parameters. */
const routes = {
	'POST /v1/datasets/explore': {key: 'optional', handle: explore},
	'GET /v1/datasets/sync-status/{operation_id}': {key: 'optional', handle: syncStatus},
	'POST /v1/finetune': {key: 'required', handle: startFinetune},
	'POST /v1/datasets/upload/prepare-batch': {key: 'optional', handle: prepareBatch},
	'GET /v1/datasets/defs/{def_id}': {key: 'optional', handle: datasetDefinition},
	'GET /v1/datasets/list': {key: 'required', handle: listDatasets},
	'POST /v1/datasets/uploads/{repo_id}/dismiss': {key: 'optional', handle: dismissUpload},
	'GET /v1/datasets/files': {key: 'optional', handle: datasetFiles},
	'GET /v1/datasets/{dataset_id}/image-keys': {key: 'optional', handle: listImageKeys},
	'GET /v1/models/list': {key: 'required', handle: listModels},
	'GET /v1/jobs/list': {key: 'required', handle: listJobs},
	'GET /v1/projects/list': {key: 'required', handle: listProjects},
	'POST /v1/projects': {key: 'required', handle: createProject},
	'POST /v1/finetune/hyperparams/validate': {key: 'required', handle: validateHyperparameters},
	'GET /v1/finetune/hyperparams/defaults': {key: 'required', handle: hyperparameterDefaults},
	'GET /v1/finetune/{job_id}': {key: 'required', handle: finetuneStatus},
	'GET /v1/augmentation/{job_id}': {key: 'required', handle: augmentationStatus},
	'POST /v1/augmentation/{job_id}/cancel': {key: 'required', handle: cancelAugmentation},
	'GET /v1/events': {key: 'optional', handle: subscribe},
	'PUT /upload-targets/{token}': {key: 'none', handle: receiveBlob},
	'GET /local/v1': {key: 'none', handle: unknown},
} as const satisfies Record<string, Route>;

/** A route by its method and path, with the parameters' names in braces. */
export type RouteName = keyof typeof routes;

type Match = {name: RouteName; route: Route; params: Record<string, string>};

const table = Object.entries(routes).map(([name, route]) => {
	const [method = '', path = ''] = name.split(' ');
	return {name: name as RouteName, route, method, segments: path.split('/')};
});

/** The route of a request; without one, the methods that the path has. */
export function findRoute(method: string, path: string): Match | {methods: string[]} {
	const given = path.split('/');
	const methods: string[] = [];
	for (const {name, route, method: routeMethod, segments} of table) {
		const params = matchSegments(segments, given);
		if (!params) continue;
		if (routeMethod === method) return {name, route, params};
		methods.push(routeMethod);
	}
	return {methods};
}

function matchSegments(
	segments: readonly string[],
	given: readonly string[],
): Record<string, string> | undefined {
	if (segments.length !== given.length) return undefined;
	const params: Record<string, string> = {};
	for (const [position, segment] of segments.entries()) {
		const value = given[position] ?? '';
		if (segment.startsWith('{')) params[segment.slice(1, -1)] = decoded(value);
		else if (segment !== value) return undefined;
	}
	return params;
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
