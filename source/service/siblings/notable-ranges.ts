import {quantile} from '../../motion/robust.ts';
import type {ComparedEpisode} from './traits.ts';

/** The range of a channel is that of its siblings at this percentile: a hand may rest in most of them. */
const generous = 0.9;

/** The scale of each channel of the action: how far it usually moves. */
export function notableRanges(group: readonly ComparedEpisode[], channels: number): number[] {
	return notable(usualRanges(group, channels));
}

/** For each channel of the action the range that nine of ten siblings stay within. */
function usualRanges(group: readonly ComparedEpisode[], channels: number): number[] {
	return Array.from({length: channels}, (_, channel) => {
		const ranges = Float64Array.from(group, ({highest, lowest}) => rangeOf(highest, lowest, channel));
		const known = ranges.filter(range => !Number.isNaN(range)).sort();
		return quantile(known, generous);
	});
}

/**
 * Nothing is far off in an arm that the task leaves at rest: what a channel is measured by is at least half of what
 * those that move much go through.
 */
function notable(ranges: readonly number[]): number[] {
	const sorted = Float64Array.from(ranges.filter(range => !Number.isNaN(range))).sort();
	const least = quantile(sorted, 0.75) / 2;
	return ranges.map(range => Math.max(range, least));
}

/** How far a channel of the action goes in an episode. */
export function rangeOf(highest: Float32Array, lowest: Float32Array, channel: number): number {
	return (highest[channel] ?? Number.NaN) - (lowest[channel] ?? Number.NaN);
}
