import {endpoints} from '../contract/endpoints.ts';
import type {ExploreResponse} from '../contract/explore.ts';
import type {DatasetListQuery, DatasetListResponse} from '../contract/listing.ts';
import type {
	IngestListResponse,
	IngestRecord,
	IngestRequest,
	LocalDocument,
	SampleStatus,
} from '../contract/local.ts';
import {localEndpoints} from '../contract/local-endpoints.ts';
import {type ExploreQuestion, negationAbility} from '../contract/local-explore.ts';
import {localTriageEndpoints} from '../contract/local-triage-endpoints.ts';
import type {
	CommitRequest,
	CommitResponse,
	PrepareBatchResponse,
	UploadListResponse,
	UploadRecord,
	UploadRequest,
} from '../contract/local-uploads.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import type {PrepareBatchRequest} from '../contract/uploads.ts';
import {readAddress, type ServiceAddress} from './address.ts';
import type {Answer} from './answer.ts';
import {createCaller} from './call.ts';
import {type DatasetCalls, datasetCalls} from './dataset-calls.ts';
import {ContractError, RequestError, ServiceError} from './errors.ts';
import {systemClock} from './events/clock.ts';
import {type EventOptions, readEvents, type ServerEvent} from './events/event-stream.ts';
import {fetchPicture} from './fetch-picture.ts';
import {HoldOff} from './hold-off.ts';
import {createKeyCover, type KeyCover} from './key-cover.ts';
import {type LocalCalls, localCalls} from './local-calls.ts';
import {type CallOptions, type ClientOptions, defaultMaxBodyBytes, defaultTimeouts} from './options.ts';
import {createRawCaller, type RawCaller} from './raw-call.ts';
import {defaultRetry, passingStatuses} from './retry.ts';
import {type TrainingCalls, trainingCalls} from './training-calls.ts';
import {createTransport} from './transport.ts';
import {type TriageCalls, triageCalls} from './triage-calls.ts';

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

		/** What the embedded service says of itself; undefined where the service is another. */
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

		/** What lies at an address of the web that the service named; the key goes to the service's own origin alone. */
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

	let isNegationKnown = false;
	/** The interface's request has no room for values that are left out. */
	async function exploreWithout(body: ExploreQuestion, callOptions?: CallOptions) {
		isNegationKnown ||= (await findLocalDocument(callOptions))?.abilities.includes(negationAbility) ?? false;
		if (isNegationKnown) return call(localTriageEndpoints.localExplore, {body}, callOptions);
		const bound = "has no filter that leaves values out (-key:value); lakescope's own service has";
		throw new RequestError(`${shown} ${bound}.`, {field: 'not', bound: `it ${bound}`});
	}

	return {
		address,
		cover,
		explore: ({not, ...body}, o) =>
			not == null ? call(endpoints.explore, {body}, o) : exploreWithout({...body, not}, o),
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
