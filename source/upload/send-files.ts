import type {Dispatcher} from 'undici';
import type {RetryPolicy} from '../client/retry.ts';
import {ConcurrencyLimit} from '../concurrency.ts';
import {batchesOf} from './batches.ts';
import type {Blob, RateLimit} from './blob-source.ts';
import type {BlobTarget, Destination} from './destination.ts';
import type {FolderFile} from './folder-listing.ts';
import {type HashedFile, hashFiles} from './hash-files.ts';
import type {HashPool} from './hash-pool.ts';
import type {Journal} from './journal.ts';
import {deliverBlob, type PutOptions} from './put-blob.ts';
import {UploadError} from './upload-error.ts';

/** The needs of a sender. */
export type Sender = {
	readonly destination: Destination;
	readonly journal: Journal;
	readonly pool: HashPool;
	readonly dispatcher: Dispatcher;
	readonly limit: RateLimit;
	/** How many blobs are sent at once. */
	readonly lanes: number;
	readonly timeouts: PutOptions['timeouts'];
	readonly retry: RetryPolicy;
	readonly tally: UploadTally;
	readonly signal: AbortSignal;
};

export type Sent = {
	/** The files that were whole when they were hashed, in their order. */
	readonly hashed: readonly HashedFile[];
	/** Paths of those of them that changed before they were sent. */
	readonly changed: ReadonlySet<string>;
	/** How many blobs were sent. */
	readonly blobs: number;
};

/**
 * Hashes files, asks which of their blobs are new, and sends those, all of it at once and several at a time.
 *
 * @param settled the contents that the service has, to which those of this call are added.
 * @throws the first error of any of it, after the rest was broken off.
 */
export async function sendFiles(
	files: readonly FolderFile[],
	settled: Set<string>,
	sender: Sender,
): Promise<Sent> {
	const {destination, journal, pool, tally, lanes} = sender;
	const failure = new AbortController();
	const signal = AbortSignal.any([sender.signal, failure.signal]);
	const hashed: HashedFile[] = [];
	const changed = new Set<string>();
	const running = new Set<Promise<void>>();
	const limit = new ConcurrencyLimit(lanes);
	let blobs = 0;

	async function renew(blob: Blob): Promise<BlobTarget> {
		const target = (await destination.prepare([blob], signal)).find(({blobId}) => blobId === blob.blobId);
		if (target) return target;
		throw new UploadError(`${destination.shown} gave no target for a blob of ${blob.path}.`);
	}

	async function deliver(blob: Blob, target: BlobTarget): Promise<void> {
		const known = target.stored ?? journal.wasSent(blob.blobId);
		const onBytes = (bytes: number) => tally.add('sent', bytes);
		const {confirms, hide} = destination;
		const delivery = await deliverBlob(
			blob,
			{...target, stored: known},
			{...sender, confirms, hide, signal, renew, onBytes},
		);
		if (delivery === 'changed') {
			changed.add(blob.path);
			journal.forget(blob.path);
			return;
		}
		journal.noteSent(blob.blobId);
		settled.add(blob.blobId);
		if (delivery === 'sent') blobs++;
		else tally.add('there', blob.length);
	}

	function launch(blob: Blob, target: BlobTarget, release: () => void): void {
		const delivery = deliver(blob, target)
			.catch(error => failure.abort(error))
			.finally(() => {
				running.delete(delivery);
				release();
			});
		running.add(delivery);
	}

	const source = hashFiles(files, {
		pool,
		signal,
		known: file => journal.blobsOf(file),
		onHashed(file, isNew) {
			tally.add('hashed', file.size);
			if (isNew) journal.noteHash(file, file.blobs);
		},
	});
	async function* collected() {
		for await (const file of source) {
			hashed.push(file);
			yield file;
		}
	}
	try {
		const onRepeated = ({length}: Blob) => tally.add('there', length);
		for await (const batch of batchesOf(collected(), new Set(settled), onRepeated)) {
			const targets = new Map(
				(await destination.prepare(batch, signal)).map(target => [target.blobId, target]),
			);
			for (const blob of batch) {
				const release = await limit.take(signal);
				const target = targets.get(blob.blobId) ?? (await renew(blob));
				launch(blob, target, release);
			}
		}
		await Promise.all(running);
		signal.throwIfAborted();
	} catch (error) {
		failure.abort(error);
		await Promise.all(running);
		throw failure.signal.reason;
	}
	return {hashed, changed, blobs};
}

/** How far an upload is, in bytes of the dataset's files. */
export class UploadTally {
	total = 0;
	hashed = 0;
	/** Bytes that the service had before, or needs only once. */
	there = 0;
	/** Bytes that were sent, up to the blobs that are under way. */
	sent = 0;
	readonly #onChange: (tally: UploadTally) => void;

	constructor(onChange: (tally: UploadTally) => void = () => undefined) {
		this.#onChange = onChange;
	}

	/** Begins anew with a dataset of so many bytes; what was sent stays counted. */
	begin(total: number): void {
		this.total = total;
		this.hashed = 0;
		this.there = 0;
		this.sent = 0;
		this.#onChange(this);
	}

	add(what: 'hashed' | 'there' | 'sent', bytes: number): void {
		this[what] += bytes;
		this.#onChange(this);
	}
}
