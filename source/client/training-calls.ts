import {endpoints} from '../contract/endpoints.ts';
import type {FinetuneCreated, FinetuneRequest} from '../contract/finetune.ts';
import type {
	HyperparameterDefaults,
	HyperparameterDefaultsQuery,
	HyperparameterValidation,
} from '../contract/hyperparameters.ts';
import type {JobStatusResponse} from '../contract/job-status.ts';
import type {
	JobListResponse,
	ModelListResponse,
	OpenListQuery,
	ProjectListResponse,
} from '../contract/listing.ts';
import {localJobEndpoints} from '../contract/local-job-endpoints.ts';
import type {
	JobLog,
	JobLogQuery,
	LocalJob,
	LocalTrainer,
	TrainerEnvironment,
	TrainerOptions,
} from '../contract/local-jobs.ts';
import type {LocalMachine} from '../contract/local-machine.ts';
import type {ProjectCreated} from '../contract/projects.ts';
import type {Answer} from './answer.ts';
import type {Caller} from './call.ts';
import type {CallOptions} from './options.ts';

/** Projects, fine-tunes, and the models they make. */
export type TrainingCalls = {
	/** 4.3: starts a fine-tune. */
	createFinetune(request: FinetuneRequest, options?: CallOptions): Promise<Answer<FinetuneCreated>>;
	/** 4.3: the image keys of a dataset; the document leaves the answer open, `readImageKeys` reads it by shape. */
	imageKeys(datasetId: string, options?: CallOptions): Promise<Answer<unknown>>;
	/** 4.9 */
	listModels(query?: OpenListQuery, options?: CallOptions): Promise<Answer<ModelListResponse>>;
	/** 4.10 */
	listJobs(query?: OpenListQuery, options?: CallOptions): Promise<Answer<JobListResponse>>;
	/** 4.11 */
	listProjects(query?: OpenListQuery, options?: CallOptions): Promise<Answer<ProjectListResponse>>;
	/** 4.12: the document leaves the body open; the embedded service takes a name and a description. */
	createProject(request: Record<string, unknown>, options?: CallOptions): Promise<Answer<ProjectCreated>>;
	/** 4.13 */
	validateHyperparameters(
		vlaType: string,
		values: Record<string, unknown>,
		options?: CallOptions,
	): Promise<Answer<HyperparameterValidation>>;
	/** 4.14 */
	hyperparameterDefaults(
		query: HyperparameterDefaultsQuery,
		options?: CallOptions,
	): Promise<Answer<HyperparameterDefaults>>;
	/** 4.15 */
	finetuneStatus(jobId: string, options?: CallOptions): Promise<Answer<JobStatusResponse>>;
	/** 4.16 */
	augmentationStatus(jobId: string, options?: CallOptions): Promise<Answer<JobStatusResponse>>;
	/** 4.17: the document does not show the answer. */
	cancelAugmentation(jobId: string, options?: CallOptions): Promise<Answer<unknown>>;

	/** Embedded service: all that is known of a job of its machine. */
	localJob(jobId: string, options?: CallOptions): Promise<Answer<LocalJob>>;
	/** Embedded service: a piece of a job's log. */
	jobLog(jobId: string, query?: JobLogQuery, options?: CallOptions): Promise<Answer<JobLog>>;
	/** Embedded service: stops a job; its checkpoints stay. */
	stopJob(jobId: string, options?: CallOptions): Promise<Answer<LocalJob>>;
	/** Embedded service: starts a job that has ended again, from its last checkpoint. */
	restartJob(jobId: string, options?: CallOptions): Promise<Answer<LocalJob>>;
	/** Embedded service: what its machine has left for jobs. */
	machine(options?: CallOptions): Promise<Answer<LocalMachine>>;
	/** Embedded service: what a fine-tune would run on. */
	trainer(options?: CallOptions): Promise<Answer<LocalTrainer>>;
	/** Embedded service: the same, looked for where this environment would find it from now on. */
	trainerEnvironment(environment: TrainerEnvironment, options?: CallOptions): Promise<Answer<LocalTrainer>>;
	/** Embedded service: which options that trainer knows. */
	trainerOptions(options?: CallOptions): Promise<Answer<TrainerOptions>>;
};

export function trainingCalls(call: Caller): TrainingCalls {
	const ofJob = (job_id: string) => ({parameters: {job_id}});
	return {
		createFinetune: (body, o) => call(endpoints.createFinetune, {body}, o),
		imageKeys: (dataset_id, o) => call(endpoints.imageKeys, {parameters: {dataset_id}}, o),
		listModels: (query = {}, o) => call(endpoints.listModels, {query}, o),
		listJobs: (query = {}, o) => call(endpoints.listJobs, {query}, o),
		listProjects: (query = {}, o) => call(endpoints.listProjects, {query}, o),
		createProject: (body, o) => call(endpoints.createProject, {body}, o),
		validateHyperparameters: (vla_type, body, o) =>
			call(endpoints.validateHyperparameters, {query: {vla_type}, body}, o),
		hyperparameterDefaults: (query, o) => call(endpoints.hyperparameterDefaults, {query}, o),
		finetuneStatus: (jobId, o) => call(endpoints.finetuneStatus, ofJob(jobId), o),
		augmentationStatus: (jobId, o) => call(endpoints.augmentationStatus, ofJob(jobId), o),
		cancelAugmentation: (jobId, o) => call(endpoints.cancelAugmentation, ofJob(jobId), o),
		localJob: (jobId, o) => call(localJobEndpoints.localJob, ofJob(jobId), o),
		jobLog: (jobId, query = {}, o) => call(localJobEndpoints.jobLog, {...ofJob(jobId), query}, o),
		stopJob: (jobId, o) => call(localJobEndpoints.stopJob, ofJob(jobId), o),
		restartJob: (jobId, o) => call(localJobEndpoints.restartJob, ofJob(jobId), o),
		machine: o => call(localJobEndpoints.machine, {}, o),
		trainer: o => call(localJobEndpoints.trainer, {}, o),
		trainerEnvironment: (body, o) => call(localJobEndpoints.trainerEnvironment, {body}, o),
		trainerOptions: o => call(localJobEndpoints.trainerOptions, {}, o),
	};
}
