import type {LakeEpisode} from './episode.ts';
import {type NumericField, numericFields} from './vocabulary.ts';

/**
 * A metric: one number that is measured of an episode. Everything that there is of one follows from its entry here: what
 * `motion/` must compute, the columns of staging and of the lake (an earlier lake gets a missing one as it is opened), the
 * requests of `/local/v1`, the filter language and its completion, sorting, the columns of the table, the detail, the CSV
 * and `/openapi.json`.
 */
type Description = {
	/** The head of its column. */
	readonly label: string;
	/** Its meaning, in a few words that a list has room for. */
	readonly meaning: string;
	/** Its unit; none for a count, a share or a score. `units` are those of the dataset. */
	readonly unit?: string;
	/** Which way is better; without it neither is. */
	readonly better?: 'up' | 'down';
	/** The episode's own field that holds it (section 2.1); without one it is among the episode's `metrics`. */
	readonly field?: 'duration_seconds' | 'frame_count' | 'quality_score';
	/** The words behind the value in the detail, if lakescope itself measured it. */
	readonly detail?: string;
	/** It is measured of the videos, which may be cut otherwise for the same motion. */
	readonly isOfVideos?: true;
};

/** The definition of still, and of a pause, in lakescope's own ingest (`motion/pauses.ts`). */
export const stillWords = 'slower than 5 % of its p95 speed';
export const pauseWords = 'still for 0.25 s or longer';

/**
 * By name, which is also the name of its column: those of the interface (section 4.1), and behind them any others, which
 * only `/local/v1` has.
 */
const table = {
	duration_s: {label: 's', meaning: 'duration', unit: 's', field: 'duration_seconds'},
	frame_count: {label: 'frames', meaning: 'number of frames', field: 'frame_count'},
	quality_score: {label: 'Q', meaning: 'motion score, 0 to 1', better: 'up', field: 'quality_score'},
	speed_mean: {label: 'speed', meaning: 'mean speed', unit: 'units/s'},
	jerk_mean: {label: 'jerk', meaning: 'mean jerk', unit: 'units/s³', better: 'down'},
	frozen_action_dims: {label: 'still a', meaning: 'action dims that never move', better: 'down'},
	action_dims: {label: 'dims a', meaning: 'action dims'},
	frozen_state_dims: {label: 'still s', meaning: 'state dims that never move', better: 'down'},
	state_dims: {label: 'dims s', meaning: 'state dims'},
	sync_skew_max_ms: {
		label: 'skew ms',
		meaning: 'largest camera skew',
		unit: 'ms',
		better: 'down',
		isOfVideos: true,
	},
	sync_skew_ratio: {label: 'skew', meaning: 'camera skew / duration', better: 'down', isOfVideos: true},
	sparc: {label: 'sparc', meaning: 'smoothness (SPARC), negative', better: 'up'},
	ldlj: {label: 'ldlj', meaning: 'smoothness by jerk (LDLJ)', better: 'up'},
	psd_hf_ratio: {label: 'psd hf', meaning: 'share of power above 5 Hz', better: 'down'},
	speed_p10: {label: 'sp p10', meaning: '10th percentile of speed', unit: 'units/s'},
	speed_p50: {label: 'sp p50', meaning: 'median speed', unit: 'units/s'},
	speed_p90: {label: 'sp p90', meaning: '90th percentile of speed', unit: 'units/s'},
	pause_fraction: {
		label: 'pause',
		meaning: `share of still frames: ${stillWords}`,
		better: 'down',
		detail: `of its frames are still: ${stillWords}`,
	},
	pause_count: {
		label: 'pauses',
		meaning: `number of pauses: ${pauseWords}`,
		better: 'down',
		detail: `pauses: ${pauseWords}`,
	},
	dt_jitter_ms: {label: 'jitter', meaning: 'jitter of frame times', unit: 'ms', better: 'down'},
	dt_dropped_frames: {label: 'dropped', meaning: 'number of dropped frames', better: 'down'},
} as const satisfies Record<NumericField, Description> & Record<string, Description>;

export type MetricName = keyof typeof table;
export type Metric = Description & {readonly name: MetricName};

export const metrics: readonly Metric[] = Object.entries(table).map(([name, description]) => ({
	name: name as MetricName,
	...description,
}));

/** The metrics to filter and sort by, in the order in which they are listed. */
export const metricNames: readonly MetricName[] = metrics.map(({name}) => name);

const byName: ReadonlyMap<string, Metric> = new Map(metrics.map(metric => [metric.name, metric]));

/** The metric of a name; undefined for what another service measured. */
export const metricOf = (name: string): Metric | undefined => byName.get(name);

export const isMetricName = (name: string): name is MetricName => byName.has(name);

/** The metrics that the interface's request does not have. */
export const ownMetrics: readonly Metric[] = metrics.filter(
	({name}) => !(numericFields as readonly string[]).includes(name),
);

/** The metrics that an episode holds among its `metrics`, each by its name. */
export const heldMetrics: readonly MetricName[] = metrics
	.filter(({field}) => field === undefined)
	.map(({name}) => name);

/** A metric in one line, for lists to choose from. */
export function metricWords({meaning, unit, better}: Metric): string {
	const direction = {up: '; higher is better', down: '; lower is better'};
	return `${meaning}${unit === undefined ? '' : `, in ${unit}`}${better === undefined ? '' : direction[better]}`;
}

/** An episode's value of a metric, or of one under a name that another service uses. */
export function metricValue(episode: LakeEpisode, name: string): unknown {
	const field = metricOf(name)?.field;
	return field === undefined ? episode.metrics?.[name] : episode[field];
}
