import type {DoubtThresholds} from '../../files/config-schema.ts';

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
