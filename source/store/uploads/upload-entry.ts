import type {IngestProblem} from '../../contract/local.ts';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import type {UploadRecord} from '../../contract/local-uploads.ts';
import {type ProgressDetail, readProgressDetail} from '../../contract/progress-detail.ts';
import type {Count} from '../../contract/scalars.ts';
import {type Changes, changesOf, type SyncStatus} from '../../contract/sync-status.ts';

/** One line of the upload feed, wherever it is known from. */
export type UploadEntry = {
	readonly key: string;
	/** Its name; undefined if not known. */
	readonly name: string | undefined;
	readonly kind: 'upload' | 'ingest' | 're-ingest';
	readonly repoId: string | undefined;
	readonly operationId: string | undefined;
	/** As it came, known or not; undefined before the first answer. */
	readonly phase: string | undefined;
	readonly done: boolean;
	readonly quiet: boolean;
	/** The public reason, whole. */
	readonly message: string | undefined;
	readonly progress: ProgressDetail | undefined;
	readonly status: SyncStatus | undefined;
	readonly bytes: {readonly stored: number; readonly total: number | undefined} | undefined;
	readonly folder: string | undefined;
	/** When it last moved, or was first seen to have; milliseconds since 1970. */
	readonly updatedAt: number;
	/** The same by the service's clock, as far as it tells. */
	readonly serviceMoment?: number | undefined;
	readonly createdAt: number | undefined;
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	/** The summary of a composition, once it is read. */
	readonly made?: ComposeSummary | undefined;
	/** Why nothing newer is known. */
	readonly trouble: string | undefined;
};

/** An operation that is followed by its id. */
export type FollowedOperation = {
	readonly operationId: string;
	readonly name: string | undefined;
	readonly repoId: string | undefined;
	/** When its state was first seen as it is. */
	readonly since: number;
	/** The same by the service's clock; undefined where it tells no time. */
	readonly serviceSince?: number | undefined;
	readonly status: SyncStatus | undefined;
	readonly trouble: string | undefined;
};

/**
 * An entry of the embedded service's own feed.
 *
 * @param problems those of its ingest that are known in words, of `problemCount` in all.
 */
export function entryOfRecord(
	record: UploadRecord,
	problemCount: number,
	problems: readonly IngestProblem[],
	made?: ComposeSummary,
): UploadEntry {
	const {status, phase, bytes_stored, bytes_total} = record;
	return {
		key: record.upload_id ?? record.operation_id ?? record.repo_id,
		name: record.dataset_name,
		kind: record.kind,
		repoId: record.repo_id,
		operationId: record.operation_id ?? undefined,
		phase,
		done: record.done,
		quiet: record.quiet,
		message: record.message ?? status?.message ?? undefined,
		progress: record.done ? undefined : readProgressDetail(status?.progress_json),
		status: status ?? undefined,
		bytes: bytes_stored === null ? undefined : {stored: bytes_stored, total: bytes_total ?? undefined},
		folder: record.folder ?? undefined,
		updatedAt: record.updated_unix * 1000,
		serviceMoment: record.updated_unix * 1000,
		createdAt: record.created_unix * 1000,
		problems,
		problemCount,
		made,
		trouble: undefined,
	};
}

/** An entry of a re-ingest that is known by its operation alone. */
export function entryOfOperation(operation: FollowedOperation): UploadEntry {
	const {operationId, name, repoId, since, serviceSince, status, trouble} = operation;
	return {
		key: operationId,
		name,
		kind: 're-ingest',
		repoId,
		operationId,
		phase: status?.phase,
		done: status?.done ?? false,
		quiet: false,
		message: status?.message || undefined,
		progress: status?.done ? undefined : readProgressDetail(status?.progress_json),
		status,
		bytes: undefined,
		folder: undefined,
		updatedAt: since,
		serviceMoment: serviceSince,
		createdAt: undefined,
		problems: [],
		problemCount: 0,
		trouble,
	};
}

/** True if an entry can be dismissed; the reason in words if not. */
export function dismissal(
	entry: UploadEntry,
): {readonly ok: true; readonly repoId: string} | {readonly ok: false; readonly reason: string} {
	const {phase, repoId, done, quiet, name = 'it'} = entry;
	if (phase === 'preparing' || phase === 'publishing') {
		return {ok: false, reason: `${name} is ${phase}: what is in progress cannot be dismissed.`};
	}
	if (phase === 'finalized')
		return {ok: false, reason: `${name} is in the lake: there is no failure to dismiss.`};
	if (phase === 'staging' && !quiet) {
		return {ok: false, reason: `${name} still receives files; it can be dismissed once that has stopped.`};
	}
	if (!done && !quiet && phase !== 'failed') {
		return {
			ok: false,
			reason: `${name} is ${phase ?? 'not read yet'}: only failed or stalled uploads can be dismissed.`,
		};
	}
	if (repoId === undefined) {
		return {
			ok: false,
			reason: `${name} cannot be dismissed: the service did not say which repo it belongs to.`,
		};
	}
	return {ok: true, repoId};
}

/** Why an entry cannot be ingested again, in a sentence; undefined if it can. */
export function retryRefusal({name = 'It', phase, folder, done, quiet}: UploadEntry): string | undefined {
	if (!done && !quiet) {
		return phase === undefined
			? `${name} is not read yet: only ended or stalled uploads can be ingested again.`
			: `${name} is ${phase}: only ended or stalled uploads can be ingested again.`;
	}
	if (folder !== undefined) return undefined;
	return `The service does not say which folder ${name} came from: send that folder again.`;
}

/**
 * The newest moment of a repo that stands on the screen, by the service's clock and in whole seconds since 1970: what was
 * not seen is not dismissed along.
 */
export function seenThrough(entries: readonly UploadEntry[], repoId: string): number {
	const moments = entries
		.filter(entry => entry.repoId === repoId)
		.map(({serviceMoment, updatedAt}) => serviceMoment ?? updatedAt);
	return moments.length === 0 ? 0 : Math.floor(Math.max(...moments) / 1000);
}

/** Phases of what a dismissal hides. */
const dismissable: ReadonlySet<string> = new Set(['failed', 'staging']);

/** The outcome of a dismissal, from an answer whose shape the document leaves open. */
export function dismissOutcome(answer: unknown): {
	readonly kept: boolean;
	readonly phase: string | undefined;
} {
	const {phase, dismissed} = (typeof answer === 'object' && answer !== null ? answer : {}) as {
		phase?: unknown;
		dismissed?: unknown;
	};
	const live = typeof phase === 'string' ? phase : undefined;
	// An unknown phase may be one of a live attempt, which stays.
	const isOver = live === undefined || dismissable.has(live);
	return {kept: dismissed === false || (dismissed !== true && !isOver), phase: live};
}

/** Which generation a re-ingest made, and how far that differs from the one before, where that is known. */
export function generationWords(status: SyncStatus): readonly string[] {
	const {generation} = status;
	return [...(generation == null ? [] : [`generation ${generation}`]), ...changeWords(changesOf(status))];
}

function changeWords({episodes, others}: Changes): readonly string[] {
	if (episodes === undefined) return [];
	const {videos_found = 0, videos_lost = 0, judged_anew = 0} = others ?? {};
	const further = [
		...(videos_found ? [`videos found for ${episodesOf(videos_found)}`] : []),
		...(videos_lost ? [`videos missing for ${episodesOf(videos_lost)}`] : []),
		...(judged_anew ? [`figures or tags differ for ${episodesOf(judged_anew)}`] : []),
	];
	if (episodes) return [`${episodes} changed`, ...further];
	// A service that does not report the rest may have changed it.
	return others === undefined || further.length > 0 ? ['no recording changed', ...further] : ['unchanged'];
}

const episodesOf = (count: Count) => `${count} ${Number(count) === 1 ? 'episode' : 'episodes'}`;
