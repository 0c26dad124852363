import type {DismissResponse, UploadPhase, UploadRecord} from '../../contract/local-uploads.ts';
import type {Announce} from '../host/announce.ts';
import {Refusal} from '../host/refusal.ts';
import {type IngestOperation, isTerminal, syncStatusOf} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {requireUpload, writeDown} from './refusals.ts';
import type {Transfers} from './transfers.ts';
import type {Upload, UploadStore} from './upload-store.ts';

type FeedOptions = {
	readonly lakeFolder: string;
	readonly uploads: UploadStore;
	readonly ingests: IngestStore;
	readonly transfers: Transfers;
	readonly announce: Announce;
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/** The upload feed, what has been dismissed of it (section 4.7), and the events that tell of it. */
export class FeedService {
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

	/** @throws {Refusal} `absent` */
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
	 * nothing is stored: its end has not been shown to anyone.
	 *
	 * @throws {Refusal} `absent` for a repo with no entry
	 */
	dismiss(repoId: string, throughUnix: number): DismissResponse {
		const repo = repoId.toLowerCase();
		const {lakeFolder, uploads} = this.#options;
		const entries = this.#entriesOf(repo);
		const [newest] = entries;
		if (!newest) throw new Refusal('absent', `There is no upload of a repo ${repo} in this lake.`);
		const live = entries.find(isLive);
		if (!live) {
			// Future entries have not been shown to anyone either.
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
	notify(upload: Upload): void {
		this.#announce(this.#entry(upload));
	}

	/** Tells that an upload's operation entered a phase, if it is an upload's. */
	notifyOperation(operationId: string): void {
		const upload = this.#options.uploads.ofOperation(operationId);
		if (upload) this.notify(upload);
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

/** An entry before it is known what was dismissed: with the moment it last moved, to the millisecond. */
type Entry = UploadRecord & {readonly phase: UploadPhase; readonly movedMs: number};

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The fields that an upload takes from its operation, once there is one. */
function outcomeOf(operation: IngestOperation) {
	const movedMs = Date.parse(operation.updatedAt);
	return {
		phase: operation.phase,
		done: isTerminal(operation.phase),
		message: operation.phase === 'failed' ? operation.message : null,
		operation_id: operation.operationId,
		status: syncStatusOf(operation),
		updated_unix: seconds(movedMs),
		movedMs,
	};
}

/**
 * The entry of an upload.
 *
 * @param operation what it dispatched, once committed
 * @param quiet whether its transfer has stopped taking anything new
 */
function uploadEntry(upload: Upload, operation: IngestOperation | undefined, quiet: boolean): Entry {
	const staging = upload.state === 'staging';
	return {
		kind: 'upload',
		upload_id: upload.uploadId,
		repo_id: upload.repoId,
		dataset_name: upload.datasetName,
		folder: upload.folder,
		quiet: staging && quiet,
		suppressed: false,
		bytes_stored: upload.bytesStored,
		bytes_total: upload.bytesTotal,
		files_total: upload.filesTotal,
		created_unix: seconds(upload.createdMs),
		...(operation
			? outcomeOf(operation)
			: {
					phase: staging ? ('staging' as const) : ('cancelled' as const),
					done: !staging,
					message: null,
					operation_id: null,
					status: null,
					updated_unix: seconds(upload.updatedMs),
					movedMs: upload.updatedMs,
				}),
	};
}

/** The entry of an ingest that no upload dispatched. */
function ingestEntry(operation: IngestOperation): Entry {
	return {
		kind: 'ingest',
		upload_id: null,
		repo_id: operation.repoId,
		dataset_name: operation.datasetName,
		folder: operation.folder,
		quiet: false,
		suppressed: false,
		bytes_stored: null,
		bytes_total: null,
		files_total: null,
		created_unix: seconds(Date.parse(operation.createdAt)),
		...outcomeOf(operation),
	};
}

const livePhases: ReadonlySet<UploadPhase> = new Set(['queued', 'preparing', 'publishing']);

/** True while a re-ingest is under way, which no dismissal hides. */
const isLive = ({phase}: Entry): boolean => livePhases.has(phase);

/**
 * Section 3, item 3: a failed upload, and a staging one whose transfer has stopped taking new manifests, are
 * suppressed where they last moved at or before their repo's watermark.
 */
function isSuppressed(entry: Entry, watermark: number | undefined): boolean {
	const open = entry.phase === 'failed' || (entry.phase === 'staging' && entry.quiet);
	return open && watermark !== undefined && entry.updated_unix <= watermark;
}

/** Newest first. */
const byAge = (a: Entry, b: Entry): number => b.movedMs - a.movedMs;

/** The entries of each repo that still matter: what is under way or staging; else also the newest that ended. */
function standing(entries: readonly Entry[]): ReadonlySet<Entry> {
	const kept = new Set<Entry>();
	const settled = new Set(entries.filter(isLive).map(entry => entry.repo_id));
	for (const entry of [...entries].sort(byAge)) {
		if (isLive(entry) || entry.phase === 'staging') kept.add(entry);
		else if (entry.phase !== 'cancelled' && !settled.has(entry.repo_id)) {
			settled.add(entry.repo_id);
			kept.add(entry);
		}
	}
	return kept;
}

function recordOf(entry: Entry, watermark: number | undefined): UploadRecord {
	const {movedMs: _, ...record} = entry;
	return {...record, suppressed: isSuppressed(entry, watermark)};
}

/**
 * The upload feed, newest first.
 *
 * @param watermarks of each repo, the moment up to which it was dismissed
 * @param all whether what was dismissed, cancelled or overtaken is listed as well
 */
function feedOf(
	entries: readonly Entry[],
	watermarks: ReadonlyMap<string, number>,
	all: boolean,
): UploadRecord[] {
	const kept = standing(entries);
	return [...entries]
		.sort(byAge)
		.map(entry => ({entry, record: recordOf(entry, watermarks.get(entry.repo_id))}))
		.filter(({entry, record}) => all || (kept.has(entry) && !record.suppressed))
		.map(({record}) => record);
}
