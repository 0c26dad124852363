import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import type {BlobStore} from './blob-store.ts';
import type {UploadStore} from './upload-store.ts';

const dayMs = 86_400_000;

/** A blob that nothing refers to is kept for so long: an upload may be taken up again, or sent to targets alone. */
const keptMs = 30 * dayMs;

/** Between a service's start, which has other things to do, and the first look. */
const firstMs = 30_000;

type BlobCollectorOptions = {
	readonly blobs: BlobStore;
	readonly uploads: UploadStore;
	readonly log: Log;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/**
 * Removes blobs that no running upload, no pending re-ingest and no uploaded dataset refers to, once no client has asked
 * for them for a month; once a day.
 */
export class BlobCollector {
	readonly #options: BlobCollectorOptions;
	readonly #now: () => number;
	readonly #stopped = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#collecting: Promise<void> | undefined;

	constructor(options: BlobCollectorOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	start(): void {
		this.#after(firstMs);
	}

	async stop(): Promise<void> {
		this.#stopped.abort();
		clearTimeout(this.#timer);
		await this.#collecting;
	}

	/** Removes what is needed no more. @returns how many blobs that was */
	async collect(): Promise<number> {
		const {blobs, uploads} = this.#options;
		const before = this.#now() - keptMs;
		let removed = 0;
		await blobs.claims.remembering(async () => {
			const unneeded = new Set<string>();
			for await (const id of blobs.unlinkedSince(before)) {
				if (this.#stopped.signal.aborted) return;
				unneeded.add(id);
			}
			for (const id of uploads.neededBlobs()) unneeded.delete(id);
			for (const id of unneeded) {
				if (this.#stopped.signal.aborted) return;
				await blobs.claims.unlessClaimed(id, async () => {
					if (await blobs.removeUnlinked(id, before)) removed++;
				});
			}
			// No commit can need them.
			for await (const id of blobs.closedSince(before)) {
				if (this.#stopped.signal.aborted) return;
				await blobs.claims.unlessClaimed(id, async () => {
					if (await blobs.removeClosed(id, before)) removed++;
				});
			}
		});
		return removed;
	}

	#after(ms: number): void {
		this.#timer = setTimeout(() => {
			this.#collecting = this.#look();
		}, ms).unref();
	}

	async #look(): Promise<void> {
		const {uploads, log} = this.#options;
		try {
			const now = this.#now();
			if (now - uploads.collectedMs() >= dayMs) {
				const removed = await this.collect();
				if (this.#stopped.signal.aborted) return;
				uploads.collected(now);
				if (removed > 0) log(`removed ${removed} blobs that nothing needs`);
			}
		} catch (error) {
			log(`blobs that nothing needs could not be removed: ${systemReason(error)}`);
		}
		if (!this.#stopped.signal.aborted) this.#after(dayMs / 24);
	}
}
