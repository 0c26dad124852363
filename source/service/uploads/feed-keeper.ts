import type {DismissResponse, UploadRecord} from '../../contract/local-uploads.ts';
import type {Announce} from '../events/announce.ts';
import {HttpProblem} from '../http/http-problem.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {requireUpload, writeDown} from './refusals.ts';
import type {Transfers} from './transfers.ts';
import {byAge, type Entry, feedOf, ingestEntry, isLive, isSuppressed, uploadEntry} from './upload-feed.ts';
import type {Upload, UploadStore} from './upload-store.ts';

export type FeedOptions = {
	readonly lakeFolder: string;
	readonly uploads: UploadStore;
	readonly ingests: IngestStore;
	readonly transfers: Transfers;
	readonly announce: Announce;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/** The upload feed, what has been dismissed of it (section 4.7), and the events that tell of it. */
export class FeedKeeper {
	readonly #options: FeedOptions;
	readonly #now: () => number;

	constructor(options: FeedOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	/** Newest first; `all` lists what was dismissed, cancelled or overtaken as well. */
	list(all: boolean): UploadRecord[] {
		const {uploads, ingests} = this.#options;
		const listed = uploads.list();
		const ingested = ingests.list();
		const byUpload = uploads.dispatched(ingested.map(({operationId}) => operationId));
		const others = ingested.filter(({operationId}) => !byUpload.has(operationId));
		const entries = [...listed.map(upload => this.#entry(upload)), ...others.map(ingestEntry)];
		return feedOf(entries, uploads.watermarks(), all);
	}

	/** @throws {HttpProblem} 404 */
	get(uploadId: string): UploadRecord {
		return this.recordOf(requireUpload(this.#options.uploads, uploadId));
	}

	recordOf(upload: Upload): UploadRecord {
		const [record] = feedOf([this.#entry(upload)], this.#options.uploads.watermarks(), true);
		if (!record) throw new Error(`upload ${upload.uploadId} has no entry`);
		return record;
	}

	/**
	 * Acknowledges what the feed shows of a repo up to a moment. A re-ingest under way is answered with its phase, and
	 * nothing is noted: how it will end has been seen by nobody.
	 *
	 * @throws {HttpProblem} 404 for a repo with no entry
	 */
	dismiss(repoId: string, throughUnix: number): DismissResponse {
		const repo = repoId.toLowerCase();
		const {lakeFolder, uploads} = this.#options;
		const entries = this.#entriesOf(repo);
		const [newest] = entries;
		if (!newest) throw new HttpProblem(404, `There is no upload of a repo ${repo} in this lake.`);
		const live = entries.find(isLive);
		if (!live) {
			// What is still to come has been seen by nobody either.
			const through = Math.min(throughUnix, Math.floor(this.#now() / 1000));
			writeDown(lakeFolder, 'The dismissal', () => uploads.dismiss(repo, through));
			this.#announce(newest);
		}
		const watermark = uploads.watermarks().get(repo);
		return {
			repo_id: repo,
			dismissed: !live && isSuppressed(newest, watermark),
			phase: (live ?? newest).phase,
			dismissed_through_unix: watermark ?? 0,
		};
	}

	/** Tells that an upload entered a phase of its own. */
	tell(upload: Upload): void {
		this.#announce(this.#entry(upload));
	}

	/** Tells that an upload's operation entered a phase, if it is an upload's. */
	tellOperation(operationId: string): void {
		const upload = this.#options.uploads.ofOperation(operationId);
		if (upload) this.tell(upload);
	}

	/** A repo's entries, newest first; those that were cancelled only where there are no others. */
	#entriesOf(repo: string): Entry[] {
		const {uploads, ingests} = this.#options;
		const own = uploads.ofRepo(repo);
		const dispatched = new Set(own.map(({operationId}) => operationId));
		const others = ingests.ofRepo(repo).filter(({operationId}) => !dispatched.has(operationId));
		const entries = [...own.map(upload => this.#entry(upload)), ...others.map(ingestEntry)].sort(byAge);
		const kept = entries.filter(({phase}) => phase !== 'cancelled');
		return kept.length > 0 ? kept : entries;
	}

	#entry(upload: Upload): Entry {
		const {ingests, transfers} = this.#options;
		const {operationId, uploadId, updatedMs} = upload;
		const operation = operationId === null ? undefined : ingests.get(operationId);
		return uploadEntry(upload, operation, transfers.isQuiet(uploadId, updatedMs));
	}

	#announce({upload_id, repo_id, dataset_name, phase, operation_id}: Entry): void {
		const data = {repo_id, dataset_id: repo_id, dataset_name, phase, operation_id};
		const name = upload_id === null ? 'ingest.phase' : 'upload.phase';
		this.#options.announce({name, data: upload_id === null ? data : {upload_id, ...data}});
	}
}
