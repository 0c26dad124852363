/** The closed word lists of the interface document: what a request may say. Responses may hold others. */

/** Section 2.1: what an episode is fit for. */
export const tiers = ['retrainable', 'analyze_only'] as const;
export type Tier = (typeof tiers)[number];

/** Section 2.1: how an episode was reviewed. */
export const reviewStates = ['unreviewed', 'auto_accepted', 'human_audited', 'rejected'] as const;

/** A review state as people read it: an episode that passed by its figures alone is not reviewed. */
export function reviewWords(state: string): string {
	return state === 'auto_accepted' ? 'unreviewed, passes' : state;
}
export type ReviewState = (typeof reviewStates)[number];

/** Section 2.2: the streams of an episode that hold channels. */
export const streams = ['action', 'state', 'telemetry'] as const;
export type Stream = (typeof streams)[number];

/** Section 2.2: how a channel is summed up over an episode. */
export const aggregates = ['max', 'min', 'mean', 'std'] as const;
export type Aggregate = (typeof aggregates)[number];

/** Section 2.2: how a value is set against a threshold. */
export const comparisons = ['gt', 'lt', 'gte', 'lte'] as const;
export type Comparison = (typeof comparisons)[number];

/** Section 4.1: the fields a numeric predicate may name. */
export const numericFields = [
	'duration_s',
	'frame_count',
	'quality_score',
	'speed_mean',
	'jerk_mean',
	'frozen_action_dims',
	'action_dims',
	'frozen_state_dims',
	'state_dims',
	'sync_skew_max_ms',
	'sync_skew_ratio',
	'sparc',
	'ldlj',
	'psd_hf_ratio',
	'speed_p10',
	'speed_p50',
	'speed_p90',
	'pause_fraction',
	'pause_count',
	'dt_jitter_ms',
	'dt_dropped_frames',
] as const;
export type NumericField = (typeof numericFields)[number];

/** Section 4.1: which side of a parent-child link is wanted. */
export const lineages = ['originals', 'children'] as const;
export type Lineage = (typeof lineages)[number];

/** Section 4.3: the vision-language-action model types. */
export const vlaTypes = ['act', 'smolvla', 'pi0', 'pi05', 'gr00t_n1_5', 'sarm'] as const;
export type VlaType = (typeof vlaTypes)[number];

/** Section 2.4: what a dataset holds. */
export const datasetTypes = ['lerobot_v3', 'sarm_progress'] as const;

/** Section 4.6: which side of a job a dataset stands on. */
export const directions = ['input', 'output'] as const;
export type Direction = (typeof directions)[number];

/** Section 4.6: the orders of the dataset listing. */
export const datasetSorts = ['newest', 'oldest', 'updated', 'name'] as const;
export type DatasetSort = (typeof datasetSorts)[number];

/** Section 2.8: the phases a re-ingest is known to have; the set is open. */
export const syncPhases = ['queued', 'preparing', 'publishing', 'finalized', 'failed'] as const;
export type SyncPhase = (typeof syncPhases)[number];

/** Section 2.9: the states of a job. */
export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
