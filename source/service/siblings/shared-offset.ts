import {notableRanges} from './notable-ranges.ts';
import {quantile} from './spread.ts';
import type {ComparedEpisode} from './traits.ts';
import {channelList, figure} from './words.ts';

/** From so much of a channel's usual range on an offset is no matter of a loaded arm that sags. */
const notableShare = 0.1;

/** An offset that so many of the episodes have is the recording's, not an episode's. */
const mostEpisodes = 0.8;

/** Episodes that are needed to tell. */
const fewest = 3;

/**
 * A fault of calibration that all of a recording shares, which no episode shows beside its siblings: in most episodes the
 * follower is off its leader at rest, to the same side.
 *
 * @returns sentences, one a channel
 */
export function sharedOffsets(episodes: readonly ComparedEpisode[], names: readonly string[]): string[] {
	const ranges = notableRanges(episodes, names.length);
	return names.flatMap((name, channel) => {
		const known = Float64Array.from(episodes, ({offsets}) => offsets?.[channel] ?? Number.NaN)
			.filter(offset => !Number.isNaN(offset))
			.sort();
		const middle = quantile(known, 0.5);
		const least = notableShare * (ranges[channel] ?? Number.NaN);
		const off = known.filter(offset => offset * Math.sign(middle) >= least).length;
		if (known.length < fewest || !(off >= mostEpisodes * known.length) || !(least > 0)) return [];
		return `In ${off} of ${known.length} episodes the follower is off its leader at rest in ${channelList([name])}, by ${figure(Math.abs(middle))} in the median: recalibrate?`;
	});
}
