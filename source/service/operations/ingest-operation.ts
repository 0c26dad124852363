import type {IngestProblem, IngestRecord} from '../../contract/local.ts';
import type {Count} from '../../contract/scalars.ts';
import type {OtherChanges, SyncStatus} from '../../contract/sync-status.ts';
import type {SyncPhase} from '../../contract/vocabulary.ts';

/** The result of a publication: section 2.8's fields of a finalized re-ingest. */
export type Published = {
	readonly dataset_version_id: string;
	readonly generation: number;
	readonly episode_count: number;
	readonly total_frames: Count;
	/** Not of the document: episodes that differ from the generation before; null where there is none to compare. */
	readonly changed_episodes: number | null;
	/** Not of the document: what else is otherwise; null where that is not known. */
	readonly other_changes: OtherChanges | null;
};

/** One ingest as the operations file keeps it. */
export type IngestOperation = {
	readonly operationId: string;
	/** The dataset's id, which is also its repo's. */
	readonly repoId: string;
	readonly datasetName: string;
	/** The dataset's root: a real path. */
	readonly folder: string;
	readonly phase: SyncPhase;
	readonly message: string | null;
	readonly progressJson: string | null;
	readonly published: Published | null;
	/** The first of the problems found. */
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	/** How often it was taken up. */
	readonly attempts: number;
	/** The generation that its publication makes, once that was begun. */
	readonly expectedGeneration: number | null;
	/** The process that reads the dataset, and when that started, which tells it from a later one of its number. */
	readonly child: {readonly pid: number; readonly started: string} | null;
	readonly createdAt: string;
	readonly updatedAt: string;
};

export const isTerminal = (phase: SyncPhase): boolean => phase === 'finalized' || phase === 'failed';

/** Section 2.8: the answer of sync-status. */
export function syncStatusOf(operation: IngestOperation): SyncStatus {
	const {phase, message, progressJson, published} = operation;
	return {
		phase,
		done: isTerminal(phase),
		...(phase === 'failed' && message !== null && {message}),
		progress_json: phase === 'preparing' ? (progressJson ?? '') : '',
		...(phase === 'finalized' && published && finalizedFields(published)),
	};
}

function finalizedFields({changed_episodes, other_changes, ...fields}: Published): Partial<SyncStatus> {
	return {
		...fields,
		...(changed_episodes !== null && {changed_episodes}),
		...(other_changes && {other_changes}),
	};
}

/** The record that `/local/v1/ingests` gives. */
export function ingestRecordOf(operation: IngestOperation): IngestRecord {
	return {
		operation_id: operation.operationId,
		repo_id: operation.repoId,
		dataset_name: operation.datasetName,
		folder: operation.folder,
		status: syncStatusOf(operation),
		problems: [...operation.problems],
		problem_count: operation.problemCount,
		created_at: operation.createdAt,
		updated_at: operation.updatedAt,
	};
}
