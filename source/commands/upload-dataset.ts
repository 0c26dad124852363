import {defaultTimeouts} from '../client/options.ts';
import type {LocalDocument} from '../contract/local.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {RateLimit} from '../upload/blob-source.ts';
import type {HashPool} from '../upload/hash-pool.ts';
import type {Journal} from '../upload/journal.ts';
import {uploadRetry} from '../upload/put-blob.ts';
import {type Sender, UploadTally} from '../upload/send-files.ts';
import {commitFiles, sendFolder} from '../upload/send-folder.ts';
import type {DatasetCheck} from './dataset-check.ts';
import {followReingest} from './ingest-dataset.ts';
import type {ProgressDisplay} from './print/progress.ts';
import type {Session} from './session.ts';
import {uploadProgress} from './upload-news.ts';
import {
	blobsAloneWords,
	destinationOf,
	journalOf,
	takesUploads,
	uploadDispatcher,
	withHashPool,
} from './upload-service.ts';

/** One dataset that is being sent; it outlives the service that it is sent to. */
export type Upload = {
	readonly check: DatasetCheck;
	/** In bytes a second; Infinity for no limit. */
	readonly rate: number;
	readonly display: ProgressDisplay;
	/** Prints a sentence. */
	readonly say: (sentence: string) => void;
	/** Once the embedded service knows of it. */
	uploadId?: string;
	/** Once it is committed. */
	operationId?: string;
};

/** The end of an upload: that of its re-ingest, or the blobs sent where the service makes no dataset of them. */
export type Uploaded = {readonly kind: 'ingested'; readonly status: SyncStatus} | {readonly kind: 'sent'};

const mostQueues = 4;

/** The least share of the rate for each blob: only whole blobs survive an interruption. */
const laneBytesPerSecond = 4 * 1024 * 1024;

function lanesFor(rate: number): number {
	return Math.max(1, Math.min(mostQueues, Math.floor(rate / laneBytesPerSecond)));
}

type Means = {
	readonly session: Session;
	readonly document: LocalDocument | undefined;
	readonly journal: Journal;
	readonly pool: HashPool;
	readonly signal: AbortSignal;
};

/** Runs `work` with the connections and threads for sending, and closes them afterwards. */
async function withSender<T>(
	{check, rate, display, uploadId}: Upload,
	{session, document, journal, pool, signal}: Means,
	work: (sender: Sender) => Promise<T>,
): Promise<T> {
	const dispatcher = await uploadDispatcher(session.client, session.service);
	try {
		return await work({
			destination: destinationOf(session, document, uploadId),
			journal,
			pool,
			dispatcher,
			limit: new RateLimit(rate),
			lanes: lanesFor(rate),
			timeouts: defaultTimeouts,
			retry: uploadRetry,
			tally: new UploadTally(uploadProgress(display, check.name)),
			signal,
		});
	} finally {
		await dispatcher.destroy();
	}
}

async function send({check, display, say}: Upload, sender: Sender) {
	const {name, folder, listing} = check;
	const sent = await sendFolder(
		{
			folder,
			tolerated: new Set(listing.problems.map(({file}) => file)),
			onChanged(paths) {
				display.clear();
				const [first = ''] = paths;
				const all = paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
				say(`${name}: ${all} changed meanwhile; the changes are sent too.`);
			},
		},
		sender,
	);
	display.clear();
	const {tally} = sender;
	say(
		`${name}: ${counted(sent.files.length, 'file')}, ${byteSize(tally.sent)} sent in ${counted(sent.blobs, 'blob')}, ${byteSize(tally.there)} needed no sending`,
	);
	return sent;
}

/** Reads the progress of an upload from the embedded service, or registers a new one. */
async function begin(upload: Upload, {session: {client}, signal}: Means): Promise<void> {
	const {check} = upload;
	if (upload.uploadId === undefined) {
		const {data} = await client.startUpload(
			{
				dataset_name: check.name,
				folder: check.folder,
				total_bytes: check.listing.bytes,
				total_files: check.listing.files.length,
			},
			{signal},
		);
		if (data.upload_id) upload.uploadId = data.upload_id;
		return;
	}
	// It was known before the service went away, and may have been committed just then.
	const {data} = await client.upload(upload.uploadId, {signal});
	if (data.operation_id) upload.operationId = data.operation_id;
}

async function uploadEmbedded(upload: Upload, means: Means): Promise<Uploaded> {
	const {client} = means.session;
	if (upload.operationId === undefined) await begin(upload, means);
	const {uploadId = ''} = upload;
	upload.operationId ??= await withSender(upload, means, async sender => {
		const {files} = await send(upload, sender);
		upload.display.show({subject: upload.check.name, step: 'committing'});
		return (await commitFiles(client, uploadId, files, sender)).operation_id;
	});
	const status = await followReingest(client, upload.operationId, {
		subject: upload.check.name,
		display: upload.display,
		signal: means.signal,
	});
	means.journal.remove();
	return {kind: 'ingested', status};
}

/**
 * Sends a checked dataset to a service: to an embedded one with its commit and the re-ingest after it, to another
 * the blobs alone.
 */
export async function uploadDataset(
	upload: Upload,
	session: Session,
	signal: AbortSignal,
): Promise<Uploaded> {
	const {check, say} = upload;
	const document = await session.client.localDocument({signal});
	const journal = journalOf(session, document, check.folder, say);
	try {
		return await withHashPool(signal, async pool => {
			const means = {session, document, journal, pool, signal};
			if (takesUploads(document)) return uploadEmbedded(upload, means);
			say(blobsAloneWords(session, check.name, 'are'));
			await withSender(upload, means, sender => send(upload, sender));
			return {kind: 'sent'};
		});
	} finally {
		journal.close();
	}
}
