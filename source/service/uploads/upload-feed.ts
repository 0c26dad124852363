import type {UploadPhase, UploadRecord} from '../../contract/local-uploads.ts';
import {type IngestOperation, isTerminal, syncStatusOf} from '../operations/ingest-operation.ts';
import type {Upload} from './upload-store.ts';

/** An entry before it is known what was dismissed: with the moment it last moved, to the millisecond. */
export type Entry = UploadRecord & {readonly phase: UploadPhase; readonly movedMs: number};

const seconds = (ms: number) => Math.floor(ms / 1000);

/** What an upload's operation, once there is one, says of it. */
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
export function uploadEntry(upload: Upload, operation: IngestOperation | undefined, quiet: boolean): Entry {
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
export function ingestEntry(operation: IngestOperation): Entry {
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

/** Whether a re-ingest is under way, which nothing suppresses. */
export const isLive = ({phase}: Entry): boolean => livePhases.has(phase);

/**
 * Section 3, item 3: a failed upload, and a staging one whose transfer has stopped taking new manifests, are
 * suppressed where they last moved at or before their repo's watermark.
 */
export function isSuppressed(entry: Entry, watermark: number | undefined): boolean {
	const open = entry.phase === 'failed' || (entry.phase === 'staging' && entry.quiet);
	return open && watermark !== undefined && entry.updated_unix <= watermark;
}

/** Newest first. */
export const byAge = (a: Entry, b: Entry): number => b.movedMs - a.movedMs;

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
export function feedOf(
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
