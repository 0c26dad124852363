import type {SiblingGroup} from '../../contract/local-series.ts';
import {quantile} from '../../motion/robust.ts';
import {courseParts} from '../../motion/speed-jerk.ts';
import type {ComparedNames} from './findings.ts';
import {notableRanges} from './notable-ranges.ts';
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

/** Figures that all groups of a dataset may have together: a dataset of ten thousand tasks has no siblings to speak of. */
const mostFigures = 40_000;

/**
 * The usual figures of each task's episodes, to compare one of them with. Tasks with too few are left out, and of
 * very many those with the fewest.
 *
 * @param siblings that an episode needs besides itself
 */
export function siblingGroups(
	episodes: readonly ComparedEpisode[],
	names: ComparedNames,
	siblings: number,
): SiblingGroup[] {
	const whole = episodes.filter(({faults}) => faults.length === 0);
	const groups = [...Map.groupBy(whole, ({task}) => task)]
		.filter(([, members]) => members.length > siblings)
		.sort(([, a], [, b]) => b.length - a.length);
	const figures = courseParts + 4 * names.action.length;
	return groups
		.slice(0, Math.max(1, Math.floor(mostFigures / figures)))
		.map(([task, members]) => groupOf(task, members, names.action));
}

function groupOf(
	task: string | null,
	members: readonly ComparedEpisode[],
	names: readonly string[],
): SiblingGroup {
	const figureOf = (share: number, of: (episode: ComparedEpisode) => number | undefined) => {
		const known = Float64Array.from(members, episode => of(episode) ?? Number.NaN)
			.filter(value => !Number.isNaN(value))
			.sort();
		const value = quantile(known, share);
		return Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
	};
	return {
		task,
		episodes: members.length,
		seconds: figureOf(0.5, ({metrics}) => metrics.duration_s),
		speed: Array.from({length: courseParts}, (_, part) => figureOf(0.5, ({traits}) => traits.course?.[part])),
		channels: names.map((name, channel) => ({
			name,
			low: figureOf(0.05, ({lowest}) => lowest[channel]),
			usual_low: figureOf(0.5, ({lowest}) => lowest[channel]),
			usual_high: figureOf(0.5, ({highest}) => highest[channel]),
			high: figureOf(0.95, ({highest}) => highest[channel]),
		})),
	};
}
