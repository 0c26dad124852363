import type * as z from 'zod';
import {endpoints} from '../contract/endpoints.ts';
import type {ExploreRequest, ExploreResponse} from '../contract/explore.ts';
import type {DatasetFilesQuery} from '../contract/files.ts';
import type {FinetuneCreated, FinetuneRequest} from '../contract/finetune.ts';
import type {
	HyperparameterDefaults,
	HyperparameterDefaultsQuery,
	HyperparameterValidation,
} from '../contract/hyperparameters.ts';
import type {JobStatusResponse} from '../contract/job-status.ts';
import type {
	DatasetListQuery,
	DatasetListResponse,
	JobListResponse,
	ModelListResponse,
	OpenListQuery,
	ProjectListResponse,
} from '../contract/listing.ts';
import type {
	IngestListResponse,
	IngestRecord,
	IngestRequest,
	LocalDocument,
	SampleStatus,
} from '../contract/local.ts';
import {
	type AugmentationListResponse,
	type AugmentationRecord,
	type AugmentationRequest,
	localAugmentationEndpoints,
} from '../contract/local-augmentations.ts';
import type {ComposeRecord, ComposeRequest} from '../contract/local-compose.ts';
import {localDatasetEndpoints} from '../contract/local-dataset-endpoints.ts';
import {
	type DefinitionListResponse,
	type DefinitionRequest,
	localDefinitionEndpoints,
	type OwnDefinition,
} from '../contract/local-definitions.ts';
import {
	type ChannelList,
	type Histogram,
	type HistogramRequest,
	localDistributionEndpoints,
} from '../contract/local-distribution.ts';
import {localEndpoints} from '../contract/local-endpoints.ts';
import {
	abilitiesFor,
	type ExploreQuestion,
	type LocalExploreRequest,
	type LocalExploreResponse,
} from '../contract/local-explore.ts';
import {
	type FinetuneLine,
	type LocalFinetuneRequest,
	localFinetuneEndpoints,
	type TrainedPolicies,
} from '../contract/local-finetune.ts';
import type {ForgetRecord} from '../contract/local-forget.ts';
import type {EpisodeFrame, FrameQuery} from '../contract/local-frames.ts';
import {
	type JobLog,
	type JobLogQuery,
	type JobSeries,
	type JobSeriesQuery,
	type LocalJob,
	type LocalMachine,
	type LocalTrainer,
	localJobEndpoints,
	type TrainerEnvironment,
	type TrainerOptions,
} from '../contract/local-jobs.ts';
import type {DamageReport, RepairPlan, RepairRequest} from '../contract/local-repair.ts';
import type {ReviewListResponse, ReviewRequest, ReviewResponse} from '../contract/local-reviews.ts';
import type {EpisodeSeries, SeriesQuery} from '../contract/local-series.ts';
import {localTriageEndpoints} from '../contract/local-triage-endpoints.ts';
import type {
	CommitRequest,
	CommitResponse,
	PrepareBatchResponse,
	UploadListResponse,
	UploadRecord,
	UploadRequest,
} from '../contract/local-uploads.ts';
import type {ownListQuery} from '../contract/own-lists.ts';
import type {ProjectCreated} from '../contract/projects.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import type {DismissRequest, PrepareBatchRequest} from '../contract/uploads.ts';
import {readAddress, type ServiceAddress} from './address.ts';
import type {Answer} from './answer.ts';
import {type Caller, createCaller} from './call.ts';
import {systemClock} from './clock.ts';
import {ContractError, RequestError, ServiceError} from './errors.ts';
import {type EventOptions, readEvents, type ServerEvent} from './event-stream.ts';
import {fetchPicture} from './fetch-picture.ts';
import {HoldOff} from './hold-off.ts';
import {createKeyCover, type KeyCover} from './key-cover.ts';
import {type CallOptions, type ClientOptions, defaultMaxBodyBytes, defaultTimeouts} from './options.ts';
import {createRawCaller, type RawCaller} from './raw-call.ts';
import {defaultRetry, passingStatuses} from './retry.ts';
import {createTransport} from './transport.ts';

/** A service, one function an endpoint. Each rejects with one of errors.ts, or with the reason of its signal. */
export type Client = TrainingCalls &
	TriageCalls &
	DatasetCalls &
	LocalCalls & {
		readonly address: ServiceAddress;
		/** Strikes the key out of what came from elsewhere than the calls below, which do so themselves. */
		readonly cover: KeyCover;

		/**
		 * 4.1: a page of episodes, filtered totals and facets. Values can be left out where the service is lakescope's own;
		 * of another one that is not even asked.
		 */
		explore(request: ExploreQuestion, options?: CallOptions): Promise<Answer<ExploreResponse>>;
		/** 4.2: how far a re-ingest is. */
		syncStatus(operationId: string, options?: CallOptions): Promise<Answer<SyncStatus>>;
		/** 4.4: where blobs may be sent. The document does not show the answer. */
		prepareBatch(request: PrepareBatchRequest, options?: CallOptions): Promise<Answer<unknown>>;
		/** 4.6: a page of the dataset listing. */
		listDatasets(query?: DatasetListQuery, options?: CallOptions): Promise<Answer<DatasetListResponse>>;

		/** The embedded service's description of itself; undefined for other services. */
		localDocument(options?: CallOptions): Promise<LocalDocument | undefined>;
		/** Embedded service: takes a dataset folder of its machine into the lake. */
		ingest(request: IngestRequest, options?: CallOptions): Promise<Answer<IngestRecord>>;
		/** Embedded service: the ingests it knows, newest first. */
		listIngests(options?: CallOptions): Promise<Answer<IngestListResponse>>;
		/** Embedded service: one ingest. */
		ingestRecord(operationId: string, options?: CallOptions): Promise<Answer<IngestRecord>>;
		/** Embedded service: gives an ingest up that is not being published yet. */
		cancelIngest(operationId: string, options?: CallOptions): Promise<Answer<IngestRecord>>;
		/** Embedded service, sample lake: starts writing it, or says how far that is. */
		startSample(options?: CallOptions): Promise<Answer<SampleStatus>>;
		/** Embedded service, sample lake: how far it is. */
		sampleStatus(options?: CallOptions): Promise<Answer<SampleStatus>>;

		/** 4.4 of the embedded service: its answer has a shape, and the upload that the blobs are for may be named. */
		prepareUploadBatch(
			request: PrepareBatchRequest,
			uploadId?: string,
			options?: CallOptions,
		): Promise<Answer<PrepareBatchResponse>>;
		/** Embedded service: starts an upload, or goes on with the one of this name and folder. */
		startUpload(request: UploadRequest, options?: CallOptions): Promise<Answer<UploadRecord>>;
		/** Embedded service: the upload feed, newest first; with `all` also what was dismissed or superseded. */
		listUploads(query?: {readonly all?: boolean}, options?: CallOptions): Promise<Answer<UploadListResponse>>;
		/** Embedded service: one upload. */
		upload(uploadId: string, options?: CallOptions): Promise<Answer<UploadRecord>>;
		/** Embedded service: says what the dataset's files are made of, which dispatches its re-ingest. */
		commitUpload(
			uploadId: string,
			request: CommitRequest,
			options?: CallOptions,
		): Promise<Answer<CommitResponse>>;
		/** Embedded service: gives an upload up that is not committed; what was sent stays stored. */
		cancelUpload(uploadId: string, options?: CallOptions): Promise<Answer<UploadRecord>>;

		/** 4.18: the events of one connection, as they come. */
		events(options?: EventOptions): AsyncGenerator<ServerEvent, void>;
		/** Calls anything below the address, unchecked; the answer is given as it comes, whatever its status. */
		raw: RawCaller;

		/** The picture at an address of the web that the service named; the key goes to the service's own origin alone. */
		picture(url: string, options?: CallOptions): Promise<Uint8Array>;

		/** Ends all connections; calls under way fail. */
		close(): Promise<void>;
	};

/** A key as a header may hold it. */
function readKey({key, keyHelp}: ClientOptions): string | undefined {
	const trimmed = key?.trim();
	if (!trimmed) return undefined;
	if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
	const bound = 'must be printable ASCII without spaces';
	throw new RequestError(`The key ${bound}. ${keyHelp ?? 'Check LAKESCOPE_API_KEY.'}`, {
		field: 'x-api-key',
		bound,
	});
}

/**
 * A client of the service at `baseUrl`; connects when first called.
 *
 * @throws {RequestError} when the address or the key cannot be used.
 */
export function createClient(options: ClientOptions): Client {
	const address = readAddress(options.baseUrl);
	const key = readKey(options);
	const keyHelp = options.keyHelp ?? `Set ${key === undefined ? 'it' : 'another one'} as LAKESCOPE_API_KEY.`;
	const timeouts = {...defaultTimeouts, ...options.timeouts};
	const transport = createTransport({
		address,
		key,
		timeouts,
		extraCertificates: options.extraCertificates,
		maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
	});
	const accountId = options.accountId || undefined;
	const {shown, origin} = address;
	const wire = {transport, address: options.allowHttp ? {...address, confidential: true} : address, key};
	const {clock = systemClock} = options;
	const holdOff = new HoldOff({clock});
	const cover = createKeyCover(key);
	const raw = createRawCaller({...wire, accountId, holdOff});
	const call = createCaller({
		...wire,
		keyHelp,
		cover,
		timeouts,
		accountId,
		holdOff,
		clock,
		retry: {...defaultRetry, ...options.retry},
	});

	async function findLocalDocument(callOptions?: CallOptions): Promise<LocalDocument | undefined> {
		try {
			return (await call(localEndpoints.localDocument, {}, callOptions)).data;
		} catch (error) {
			// A refused key and "not now" say nothing of which service it is; anything else means that it is another one.
			const isNoAnswer =
				error instanceof ServiceError && (error.status === 401 || passingStatuses.has(error.status));
			if (!isNoAnswer && (error instanceof ServiceError || error instanceof ContractError)) return undefined;
			throw error;
		}
	}

	const abilitiesKnown = new Set<string>();
	/** The interface's request has no room for values that are left out, nor for facets of our own. */
	async function explore(body: ExploreQuestion, callOptions?: CallOptions) {
		const needed = abilitiesFor(body);
		if (needed.length === 0) {
			// It names nothing that the interface lacks.
			const {not: _, ...plain} = body as ExploreQuestion & ExploreRequest;
			return call(endpoints.explore, {body: plain}, callOptions);
		}
		if (!needed.every(({ability}) => abilitiesKnown.has(ability))) {
			const document = await findLocalDocument(callOptions);
			for (const ability of document?.abilities ?? []) abilitiesKnown.add(ability);
		}
		const lacking = needed.find(({ability}) => !abilitiesKnown.has(ability));
		if (lacking === undefined) return call(localTriageEndpoints.localExplore, {body}, callOptions);
		const bound = `has no filter ${lacking.says}; lakescope's own service has`;
		throw new RequestError(`${shown} ${bound}.`, {field: lacking.field, bound: `it ${bound}`});
	}

	return {
		address,
		cover,
		explore,
		syncStatus: (operation_id, o) => call(endpoints.syncStatus, {parameters: {operation_id}}, o),
		prepareBatch: (body, o) => call(endpoints.prepareBatch, {body}, o),
		listDatasets: (query = {}, o) => call(endpoints.listDatasets, {query}, o),
		localDocument: findLocalDocument,
		ingest: (body, o) => call(localEndpoints.ingest, {body}, o),
		listIngests: o => call(localEndpoints.listIngests, {}, o),
		ingestRecord: (operation_id, o) => call(localEndpoints.ingestRecord, {parameters: {operation_id}}, o),
		cancelIngest: (operation_id, o) => call(localEndpoints.cancelIngest, {parameters: {operation_id}}, o),
		startSample: o => call(localEndpoints.startSample, {}, o),
		sampleStatus: o => call(localEndpoints.sampleStatus, {}, o),
		...datasetCalls(call),
		...localCalls(call),
		...trainingCalls(call),
		...triageCalls(call),
		prepareUploadBatch: (body, upload_id, o) =>
			call(localEndpoints.prepareUploadBatch, {query: {upload_id}, body}, o),
		startUpload: (body, o) => call(localEndpoints.startUpload, {body}, o),
		listUploads: ({all = false} = {}, o) =>
			call(localEndpoints.listUploads, {query: all ? {all: 'true'} : {}}, o),
		upload: (upload_id, o) => call(localEndpoints.upload, {parameters: {upload_id}}, o),
		commitUpload: (upload_id, body, o) =>
			call(localEndpoints.commitUpload, {parameters: {upload_id}, body}, o),
		cancelUpload: (upload_id, o) => call(localEndpoints.cancelUpload, {parameters: {upload_id}}, o),
		events: o => readEvents(raw, {shown, origin, hasKey: key !== undefined, keyHelp, cover}, o),
		raw,
		picture: (url, o) => fetchPicture(url, {...options, ...wire, timeouts}, o),
		close: () => transport.close(),
	};
}

/** Calls about one dataset; the document shows none of the answers, which are given as they come. */
export type DatasetCalls = {
	/** 4.5: a saved dataset definition. */
	definition(defId: string, options?: CallOptions): Promise<Answer<unknown>>;
	/** 4.7: acknowledges a repo's failed upload, up to what the caller saw. */
	dismissUpload(repoId: string, request: DismissRequest, options?: CallOptions): Promise<Answer<unknown>>;
	/** 4.8: the files of a dataset and its card. */
	datasetFiles(query: DatasetFilesQuery, options?: CallOptions): Promise<Answer<unknown>>;
};

export function datasetCalls(call: Caller): DatasetCalls {
	return {
		definition: (def_id, o) => call(endpoints.definition, {parameters: {def_id}}, o),
		dismissUpload: (repo_id, body, o) => call(endpoints.dismissUpload, {parameters: {repo_id}, body}, o),
		datasetFiles: (query, o) => call(endpoints.datasetFiles, {query}, o),
	};
}

/** Calls of the embedded service alone: trimmed datasets, saved definitions, distributions, and forgetting a dataset. */
export type LocalCalls = {
	/** Orders an augmentation. */
	augment(request: AugmentationRequest, options?: CallOptions): Promise<Answer<AugmentationRecord>>;
	/** The augmentations, newest first. */
	listAugmentations(options?: CallOptions): Promise<Answer<AugmentationListResponse>>;
	/** All that is known of an augmentation. */
	augmentation(jobId: string, options?: CallOptions): Promise<Answer<AugmentationRecord>>;
	/** Saves a filter or a list of episodes. */
	saveDefinition(request: DefinitionRequest, options?: CallOptions): Promise<Answer<OwnDefinition>>;
	/** A page of the saved definitions. */
	listDefinitions(
		query?: z.input<typeof ownListQuery>,
		options?: CallOptions,
	): Promise<Answer<DefinitionListResponse>>;
	/** The consequences of forgetting a dataset. */
	forgetPlan(datasetId: string, options?: CallOptions): Promise<Answer<ForgetRecord>>;
	/** Takes a dataset out of the lake. */
	forgetDataset(datasetId: string, options?: CallOptions): Promise<Answer<ForgetRecord>>;
	/** The damages of a dataset's folder, as far as it is checked. */
	datasetDamages(datasetId: string, options?: CallOptions): Promise<Answer<DamageReport>>;
	/** The difference that a repair of a dataset would make. */
	planRepair(datasetId: string, request: RepairRequest, options?: CallOptions): Promise<Answer<RepairPlan>>;
	/** Repairs a dataset, or takes a repair back, and ingests it again. */
	repairDataset(
		datasetId: string,
		request: RepairRequest,
		options?: CallOptions,
	): Promise<Answer<IngestRecord>>;
	/** How a figure is distributed over the whole result of a filter. */
	histogram(request: HistogramRequest, options?: CallOptions): Promise<Answer<Histogram>>;
	/** Every channel that an episode of the lake has. */
	listChannels(options?: CallOptions): Promise<Answer<ChannelList>>;
};

export function localCalls(call: Caller): LocalCalls {
	const {augment, listAugmentations, augmentation} = localAugmentationEndpoints;
	const {saveDefinition, listDefinitions} = localDefinitionEndpoints;
	const {histogram, listChannels} = localDistributionEndpoints;
	const {forgetPlan, forgetDataset, datasetDamages, planRepair, repairDataset} = localDatasetEndpoints;
	return {
		augment: (body, o) => call(augment, {body}, o),
		listAugmentations: o => call(listAugmentations, {}, o),
		augmentation: (job_id, o) => call(augmentation, {parameters: {job_id}}, o),
		saveDefinition: (body, o) => call(saveDefinition, {body}, o),
		listDefinitions: (query = {}, o) => call(listDefinitions, {query}, o),
		forgetPlan: (dataset_id, o) => call(forgetPlan, {parameters: {dataset_id}}, o),
		forgetDataset: (dataset_id, o) => call(forgetDataset, {parameters: {dataset_id}}, o),
		datasetDamages: (dataset_id, o) => call(datasetDamages, {parameters: {dataset_id}}, o),
		planRepair: (dataset_id, body, o) => call(planRepair, {parameters: {dataset_id}, body}, o),
		repairDataset: (dataset_id, body, o) => call(repairDataset, {parameters: {dataset_id}, body}, o),
		histogram: (body, o) => call(histogram, {body}, o),
		listChannels: o => call(listChannels, {}, o),
	};
}

/** Projects, fine-tunes, and the models they make. */
export type TrainingCalls = {
	/** 4.3: starts a fine-tune. */
	createFinetune(request: FinetuneRequest, options?: CallOptions): Promise<Answer<FinetuneCreated>>;
	/** 4.3: the image keys of a dataset; the document leaves the answer open, `readImageKeys` reads it by shape. */
	imageKeys(datasetId: string, options?: CallOptions): Promise<Answer<unknown>>;
	/** Embedded service: starts a fine-tune of any policy or reward model that its LeRobot has. */
	localFinetune(request: LocalFinetuneRequest, options?: CallOptions): Promise<Answer<FinetuneCreated>>;
	/** Embedded service: the command that would train a request, for another machine. */
	finetuneLine(request: FinetuneRequest, options?: CallOptions): Promise<Answer<FinetuneLine>>;
	/** Embedded service: what its LeRobot has registered. */
	trainedPolicies(options?: CallOptions): Promise<Answer<TrainedPolicies>>;
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
	/** Embedded service: what a job's trainer told by numbers, by step. */
	jobSeries(jobId: string, query?: JobSeriesQuery, options?: CallOptions): Promise<Answer<JobSeries>>;
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
		localFinetune: (body, o) => call(localFinetuneEndpoints.localFinetune, {body}, o),
		finetuneLine: (body, o) => call(localFinetuneEndpoints.finetuneLine, {body, query: {}}, o),
		trainedPolicies: o => call(localFinetuneEndpoints.trainedPolicies, {}, o),
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
		jobSeries: (jobId, query = {}, o) => call(localJobEndpoints.jobSeries, {...ofJob(jobId), query}, o),
		stopJob: (jobId, o) => call(localJobEndpoints.stopJob, ofJob(jobId), o),
		restartJob: (jobId, o) => call(localJobEndpoints.restartJob, ofJob(jobId), o),
		machine: o => call(localJobEndpoints.machine, {}, o),
		trainer: o => call(localJobEndpoints.trainer, {}, o),
		trainerEnvironment: (body, o) => call(localJobEndpoints.trainerEnvironment, {body}, o),
		trainerOptions: o => call(localJobEndpoints.trainerOptions, {}, o),
	};
}

/** Calls of the embedded service for finding bad episodes and handing over the good ones. */
export type TriageCalls = {
	/** 4.1 in an order of one's own, with a facet of the tags. */
	localExplore(request: LocalExploreRequest, options?: CallOptions): Promise<Answer<LocalExploreResponse>>;
	/** Sets what a person decided about episodes, or takes it back; doing so again changes nothing. */
	setReviews(request: ReviewRequest, options?: CallOptions): Promise<Answer<ReviewResponse>>;
	/** The latest decisions, of one dataset or of all. */
	listReviews(dataset?: string, options?: CallOptions): Promise<Answer<ReviewListResponse>>;
	/** An episode's channels and its speed over time. */
	episodeSeries(
		episodeId: string,
		query?: SeriesQuery,
		options?: CallOptions,
	): Promise<Answer<EpisodeSeries>>;
	/** A picture of one camera at an episode's beginning or end. */
	episodeFrame(episodeId: string, query?: FrameQuery, options?: CallOptions): Promise<Answer<EpisodeFrame>>;
	/** Orders one new dataset of episodes of several. */
	compose(request: ComposeRequest, options?: CallOptions): Promise<Answer<ComposeRecord>>;
	/** How far a composition is. */
	composition(operationId: string, options?: CallOptions): Promise<Answer<ComposeRecord>>;
	/** Gives a composition up: nothing of it stays. */
	cancelComposition(operationId: string, options?: CallOptions): Promise<Answer<ComposeRecord>>;
};

export function triageCalls(call: Caller): TriageCalls {
	const {localExplore, setReviews, listReviews, episodeSeries, episodeFrame} = localTriageEndpoints;
	const {compose, composition, cancelComposition} = localTriageEndpoints;
	return {
		localExplore: (body, o) => call(localExplore, {body}, o),
		setReviews: (body, o) => call(setReviews, {body}, o),
		episodeSeries: (episode_id, query = {}, o) => call(episodeSeries, {parameters: {episode_id}, query}, o),
		episodeFrame: (episode_id, query = {}, o) => call(episodeFrame, {parameters: {episode_id}, query}, o),
		compose: (body, o) => call(compose, {body}, o),
		composition: (operation_id, o) => call(composition, {parameters: {operation_id}}, o),
		cancelComposition: (operation_id, o) => call(cancelComposition, {parameters: {operation_id}}, o),
		listReviews: (dataset, o) => call(listReviews, {query: {dataset}}, o),
	};
}
