import type {DoubtThresholds} from '../../files/config-schema.ts';
import type {MeasuredEpisode} from '../../motion/episode-metrics.ts';
import type {Profile} from '../../motion/profile.ts';

/** The figures that an episode is compared by, kept small: a dataset's are held until its last episode is read. */
export type ComparedEpisode = {
	readonly episodeIndex: number;
	readonly task: string | null;
	/** Faults that do not depend on its siblings, each as the end of "Episode N: …". */
	readonly faults: readonly string[];
	readonly metrics: MeasuredEpisode['metrics'];
	readonly traits: {
		readonly pathLength: number | null;
		readonly longestPause: number | null;
		readonly droppedAt: number | null;
		readonly course: Float32Array | null;
	};
	/** One number a channel of the action, NaN where there is none. */
	readonly lowest: Float32Array;
	readonly highest: Float32Array;
	readonly offsets: Float32Array | null;
	/** Null where neither action nor state has three frames. */
	readonly profile: Profile | null;
	/** A few values of the course by which one finds it again. */
	readonly print: Float32Array | null;
};

/** Takes of a measured episode what it is compared by. */
export function comparedEpisode(
	episodeIndex: number,
	task: string | null,
	faults: readonly string[],
	{metrics, action, traits}: MeasuredEpisode,
	profile: Profile | null = null,
	print: Float32Array | null = null,
): ComparedEpisode {
	const {pathLength, longestPause, droppedAt, course, offsets} = traits;
	const channels = action?.channels ?? [];
	return {
		episodeIndex,
		task,
		faults,
		metrics,
		traits: {pathLength, longestPause, droppedAt, course},
		lowest: Float32Array.from(channels, channel => channel?.min ?? Number.NaN),
		highest: Float32Array.from(channels, channel => channel?.max ?? Number.NaN),
		offsets: offsets && Float32Array.from(offsets),
		profile,
		print,
	};
}

/** From where on an episode is unlike its siblings; the configuration's `doubt` may say otherwise. */
export const usualThresholds = {
	/** Siblings that are needed to tell. */
	siblings: 8,
	/** Robust standard deviations for a figure of the whole episode: its duration, its longest pause, … */
	whole: 3,
	/** The same for a figure of one channel, of which an episode has many: where it ends, what it reaches, … */
	channel: 5,
} as const satisfies Required<DoubtThresholds>;

export type Thresholds = {readonly [Name in keyof typeof usualThresholds]: number};

/** The thresholds, where the configuration says some otherwise. */
export function thresholdsWith({siblings, whole, channel}: DoubtThresholds = {}): Thresholds {
	return {
		siblings: siblings ?? usualThresholds.siblings,
		whole: whole ?? usualThresholds.whole,
		channel: channel ?? usualThresholds.channel,
	};
}
