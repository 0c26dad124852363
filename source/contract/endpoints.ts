import * as z from 'zod';
import {exploreRequest, exploreResponse} from './explore.ts';
import {datasetFilesQuery} from './files.ts';
import {finetuneCreated, finetuneRequest} from './finetune.ts';
import {
	hyperparameterDefaults,
	hyperparameterDefaultsQuery,
	hyperparameterSet,
	hyperparameterValidation,
	hyperparameterValidationQuery,
} from './hyperparameters.ts';
import {jobStatus} from './job-status.ts';
import {
	datasetListQuery,
	datasetListResponse,
	jobListResponse,
	modelListResponse,
	openListQuery,
	projectListResponse,
} from './listing.ts';
import {projectCreated, projectRequest} from './projects.ts';
import {uuid} from './scalars.ts';
import {syncStatus} from './sync-status.ts';
import {dismissRequest, prepareBatchRequest} from './uploads.ts';

/** The input and output of one endpoint of section 4. Path parameters stand in braces, as the document writes them. */
export type Endpoint = {
	readonly section: string;
	readonly method: 'GET' | 'POST';
	readonly path: string;
	/** Section 5: whether the `x-api-key` header must be there or may be. */
	readonly key: 'required' | 'optional';
	/** Calling it twice changes no more than calling it once, so the client may try again by itself. */
	readonly repeatable: boolean;
	readonly parameters?: z.ZodType;
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** `notShown` where the document leaves the success body open; `eventStream` for section 6. */
	readonly response: z.ZodType | 'eventStream';
};

/** True if a call is about one thing, which may not exist; a 404 to any other call means that the path is unknown. */
export function isAboutOneThing({path}: Pick<Endpoint, 'path'>): boolean {
	return path.includes('{') || path === endpoints.datasetFiles.path;
}

/** A success body whose shape the document does not show: read by shape where that is safe, shown raw otherwise. */
export const notShown = z.unknown();

/** Section 5.5: the account that a call acts on. */
export const accountQuery = z.strictObject({account_id: uuid.nullish()});

const jobParameters = z.strictObject({job_id: uuid});

/** The 18 endpoints of section 4, and image-keys, which 4.3 names. */
export const endpoints = {
	explore: {
		section: '4.1',
		method: 'POST',
		path: '/v1/datasets/explore',
		key: 'optional',
		repeatable: true,
		query: accountQuery,
		body: exploreRequest,
		response: exploreResponse,
	},
	syncStatus: {
		section: '4.2',
		method: 'GET',
		path: '/v1/datasets/sync-status/{operation_id}',
		key: 'optional',
		repeatable: true,
		parameters: z.strictObject({operation_id: uuid}),
		query: accountQuery,
		response: syncStatus,
	},
	createFinetune: {
		section: '4.3',
		method: 'POST',
		path: '/v1/finetune',
		key: 'required',
		repeatable: false,
		body: finetuneRequest,
		response: finetuneCreated,
	},
	imageKeys: {
		section: '4.3',
		method: 'GET',
		path: '/v1/datasets/{dataset_id}/image-keys',
		key: 'optional',
		repeatable: true,
		parameters: z.strictObject({dataset_id: z.string()}),
		response: notShown,
	},
	prepareBatch: {
		section: '4.4',
		method: 'POST',
		path: '/v1/datasets/upload/prepare-batch',
		key: 'optional',
		repeatable: true,
		body: prepareBatchRequest,
		response: notShown,
	},
	definition: {
		section: '4.5',
		method: 'GET',
		path: '/v1/datasets/defs/{def_id}',
		key: 'optional',
		repeatable: true,
		parameters: z.strictObject({def_id: uuid}),
		query: accountQuery,
		response: notShown,
	},
	listDatasets: {
		section: '4.6',
		method: 'GET',
		path: '/v1/datasets/list',
		key: 'required',
		repeatable: true,
		query: datasetListQuery,
		response: datasetListResponse,
	},
	dismissUpload: {
		section: '4.7',
		method: 'POST',
		path: '/v1/datasets/uploads/{repo_id}/dismiss',
		key: 'optional',
		repeatable: false,
		parameters: z.strictObject({repo_id: uuid}),
		query: accountQuery,
		body: dismissRequest,
		response: notShown,
	},
	datasetFiles: {
		section: '4.8',
		method: 'GET',
		path: '/v1/datasets/files',
		key: 'optional',
		repeatable: true,
		query: datasetFilesQuery,
		response: notShown,
	},
	listModels: {
		section: '4.9',
		method: 'GET',
		path: '/v1/models/list',
		key: 'required',
		repeatable: true,
		query: openListQuery,
		response: modelListResponse,
	},
	listJobs: {
		section: '4.10',
		method: 'GET',
		path: '/v1/jobs/list',
		key: 'required',
		repeatable: true,
		query: openListQuery,
		response: jobListResponse,
	},
	listProjects: {
		section: '4.11',
		method: 'GET',
		path: '/v1/projects/list',
		key: 'required',
		repeatable: true,
		query: openListQuery,
		response: projectListResponse,
	},
	createProject: {
		section: '4.12',
		method: 'POST',
		path: '/v1/projects',
		key: 'required',
		repeatable: false,
		body: projectRequest,
		response: projectCreated,
	},
	validateHyperparameters: {
		section: '4.13',
		method: 'POST',
		path: '/v1/finetune/hyperparams/validate',
		key: 'required',
		repeatable: true,
		query: hyperparameterValidationQuery,
		body: hyperparameterSet,
		response: hyperparameterValidation,
	},
	hyperparameterDefaults: {
		section: '4.14',
		method: 'GET',
		path: '/v1/finetune/hyperparams/defaults',
		key: 'required',
		repeatable: true,
		query: hyperparameterDefaultsQuery,
		response: hyperparameterDefaults,
	},
	finetuneStatus: {
		section: '4.15',
		method: 'GET',
		path: '/v1/finetune/{job_id}',
		key: 'required',
		repeatable: true,
		parameters: jobParameters,
		response: jobStatus,
	},
	augmentationStatus: {
		section: '4.16',
		method: 'GET',
		path: '/v1/augmentation/{job_id}',
		key: 'required',
		repeatable: true,
		parameters: jobParameters,
		response: jobStatus,
	},
	cancelAugmentation: {
		section: '4.17',
		method: 'POST',
		path: '/v1/augmentation/{job_id}/cancel',
		key: 'required',
		repeatable: false,
		parameters: jobParameters,
		response: notShown,
	},
	events: {
		section: '4.18',
		method: 'GET',
		path: '/v1/events',
		key: 'optional',
		repeatable: true,
		response: 'eventStream',
	},
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
