import {type SuspectTag, suspectTag} from '../../contract/local-explore.ts';
import {type ChannelFigure, channelFigures, type OddChannel} from './channel-figures.ts';
import {notableRanges, rangeOf} from './notable-ranges.ts';
import {neighbours, type Spread, spreadsOfOthers} from './spread.ts';
import type {ComparedEpisode, Thresholds} from './traits.ts';
import {type WholeFigure, wholeFigures} from './whole-figures.ts';
import {channelList} from './words.ts';

/** A reason that makes an episode suspect. */
type Finding = {
	readonly tag: SuspectTag;
	/** In words, with the figures it rests on. */
	readonly reason: string;
	/** The channels that it is about, the oddest first; none where it is about the whole episode. */
	readonly channels?: readonly ComparedChannel[];
	/** In thresholds. */
	readonly doubt: number;
};

/** The comparison of an episode with its siblings. */
export type Judgement = {
	/** The worst reason first. */
	readonly reasons: readonly string[];
	/** The channels that the reasons are about, in their order. */
	readonly channels: readonly ComparedChannel[];
	readonly tags: readonly string[];
	/**
	 * How unlike its siblings it is: the oddest of its figures, in thresholds; from 1 on it is suspect. 100 for a broken
	 * episode; null where it has too few siblings.
	 */
	readonly doubt: number | null;
	/** The number of siblings it was compared with. */
	readonly siblings: number;
};

/** The doubt of an episode that is broken, independently of its siblings. */
const brokenDoubt = 100;

/** The tag of every episode with a reason, and of those that cannot be trained on. */
const brokenTag: SuspectTag = 'broken';

/**
 * Judges the episodes of a dataset, each against those of its task. Other datasets of the embodiment are not considered,
 * because pose and calibration are those of a session.
 *
 * @returns one judgement an episode, in their order
 */
export function judge(
	episodes: readonly ComparedEpisode[],
	names: ComparedNames,
	thresholds: Thresholds,
): Judgement[] {
	const judgements: Judgement[] = [];
	const whole = episodes.map((episode, place) => ({episode, place})).filter(isWhole);
	const groups = Map.groupBy(whole, ({episode}) => episode.task);
	for (const [place, {task, faults}] of episodes.entries()) {
		const siblings = groups.get(task)?.length ?? 0;
		if (faults.length > 0) judgements[place] = broken(faults, siblings);
	}
	for (const group of groups.values()) {
		const siblings = group.length - 1;
		const comparisons = judgeGroup(
			group.map(({episode}) => episode),
			names,
			thresholds,
		);
		for (const [at, {place}] of group.entries()) {
			const {findings = [], doubt = 0} = comparisons[at] ?? {};
			findings.sort((a, b) => b.doubt - a.doubt);
			judgements[place] = {
				reasons: findings.map(({reason}) => reason),
				channels: findings.flatMap(({channels = []}) => channels),
				tags: findings.length > 0 ? [...new Set([suspectTag, ...findings.map(({tag}) => tag)])] : [],
				doubt: siblings < thresholds.siblings ? null : Math.round(doubt * 100) / 100,
				siblings,
			};
		}
	}
	return judgements;
}

/** Broken episodes are not compared with: half a recording says nothing about how long a whole one takes. */
function isWhole({episode}: {episode: ComparedEpisode}): boolean {
	return episode.faults.length === 0;
}

function broken(faults: readonly string[], siblings: number): Judgement {
	return {reasons: faults, channels: [], tags: [suspectTag, brokenTag], doubt: brokenDoubt, siblings};
}

/** The names of the channels that are compared. */
export type ComparedNames = {readonly action: readonly string[]; readonly poses: readonly string[]};

/** One of them. */
type ComparedChannel = {readonly stream: keyof ComparedNames; readonly name: string};

/** An episode's findings, and the doubt of the oddest of its figures. */
type Comparison = {readonly findings: Finding[]; doubt: number};

/** A dimension whose range over the episode stays below this is frozen (`motion/frozen-dims.ts`). */
const smallestRange = 1e-6;

/** A joint that never moves is a finding where it moves in all but this share of the episodes. */
const fewFrozen = 0.1;

/** The doubt of a frozen joint, which has no degrees. */
const frozenDoubt = 10;

/** The highest doubt of one figure; a broken episode's is higher. */
const mostDoubt = 20;

/**
 * This many siblings, or this share of them, that are alike in a channel are one way of doing the task, however far from
 * the others: a second grasp, the other hand.
 */
const fewestAlike = 2;
const shareAlike = 0.02;

/** Compares each episode of a group, all of one task and one embodiment, with the others. */
function judgeGroup(
	group: readonly ComparedEpisode[],
	names: ComparedNames,
	thresholds: Thresholds,
): Comparison[] {
	const comparisons = group.map((): Comparison => ({findings: [], doubt: 0}));
	for (const figure of wholeFigures) judgeWhole(group, figure, thresholds, comparisons);
	const ranges = notableRanges(group, names.action.length);
	judgeFrozen(group, names.action, comparisons);
	for (const figure of channelFigures) judgeChannels(group, figure, names, ranges, thresholds, comparisons);
	return comparisons;
}

/** How unlike `value` is, in thresholds: from 1 on it is a finding. */
function oddity(value: number, spread: Spread, floor: number, least: number, threshold: number): number {
	const away = value - spread.median;
	const z = Math.abs(away) / Math.max(floor, away > 0 ? spread.above : spread.below);
	const odd = z / threshold;
	// A small difference is no finding, however alike the siblings are.
	return Math.min(mostDoubt, Math.abs(away) < least ? Math.min(odd, 0.99) : odd);
}

function judgeWhole(
	group: readonly ComparedEpisode[],
	{of, ratio, floor, least, above, below}: WholeFigure,
	{whole, siblings}: Thresholds,
	comparisons: readonly Comparison[],
): void {
	const values = Float64Array.from(group, episode => {
		const value = of(episode);
		return value === null ? Number.NaN : ratio ? Math.log(value) : value;
	}).map(value => (Number.isFinite(value) ? value : Number.NaN));
	for (const [at, spread] of spreadsOfOthers(values, siblings).entries()) {
		const comparison = comparisons[at];
		const value = values[at] as number;
		const side = spread && (value > spread.median ? above : below);
		if (!spread || !side || !comparison) continue;
		const odd = oddity(value, spread, floor, least, whole);
		comparison.doubt = Math.max(comparison.doubt, odd);
		if (odd < 1) continue;
		const plain = (figure: number) => (ratio ? Math.exp(figure) : figure);
		const {median, low, high} = spread;
		const said = side.say(plain(value), {median: plain(median), low: plain(low), high: plain(high)});
		comparison.findings.push({tag: side.tag, reason: said, doubt: odd});
	}
}

function isFrozen({highest, lowest}: ComparedEpisode, channel: number): boolean {
	return rangeOf(highest, lowest, channel) < smallestRange;
}

function judgeFrozen(
	group: readonly ComparedEpisode[],
	names: readonly string[],
	comparisons: readonly Comparison[],
): void {
	const moving = names.map((_, channel) => {
		const frozen = group.filter(episode => isFrozen(episode, channel)).length;
		return frozen <= fewFrozen * group.length;
	});
	for (const [at, episode] of group.entries()) {
		const frozen = names.filter((_, channel) => moving[channel] && isFrozen(episode, channel));
		const comparison = comparisons[at];
		if (frozen.length === 0 || !comparison) continue;
		const places = frozen.map(name => names.indexOf(name));
		const moved = group.filter(each => places.every(channel => !isFrozen(each, channel))).length;
		const [verb, they] = frozen.length === 1 ? ['never moves', 'moves'] : ['never move', 'all move'];
		const reason = `${channelList(frozen)} ${verb} (${they} in ${moved} of ${group.length - 1} siblings)`;
		const channels = frozen.map(name => ({stream: 'action' as const, name}));
		comparison.findings.push({tag: 'frozen', reason, channels, doubt: frozenDoubt});
		comparison.doubt = Math.max(comparison.doubt, frozenDoubt);
	}
}

function judgeChannels(
	group: readonly ComparedEpisode[],
	{of, stream, floor, least, moving, tag, say}: ChannelFigure,
	names: ComparedNames,
	ranges: readonly number[],
	{channel: threshold, siblings}: Thresholds,
	comparisons: readonly Comparison[],
): void {
	const odd = group.map((): (OddChannel & {odd: number})[] => []);
	for (const [channel, name] of names[stream].entries()) {
		const values = Float64Array.from(group, episode => {
			if (moving && isFrozen(episode, channel)) return Number.NaN;
			return of(episode)?.[channel] ?? Number.NaN;
		});
		// A state of other channels than the action's is measured by its own spread alone.
		const range = names[stream].length === ranges.length ? (ranges[channel] ?? 0) : 0;
		const unit = Number.isFinite(range) ? range : 0;
		const sorted = values.filter(value => !Number.isNaN(value)).sort();
		for (const [at, spread] of spreadsOfOthers(values, siblings).entries()) {
			const comparison = comparisons[at];
			if (!spread || !comparison) continue;
			const value = values[at] as number;
			const tiny = smallestRange * Math.max(1, Math.abs(spread.median));
			const away = least * unit + tiny;
			const alike = neighbours(sorted, value, away) - 1;
			if (alike >= Math.max(fewestAlike, shareAlike * sorted.length)) continue;
			const found = oddity(value, spread, floor * unit + tiny, away, threshold);
			comparison.doubt = Math.max(comparison.doubt, found);
			if (found >= 1) odd[at]?.push({name, value, siblings: spread, odd: found});
		}
	}
	for (const [at, found] of odd.entries()) {
		if (found.length === 0) continue;
		found.sort((a, b) => b.odd - a.odd);
		const channels = found.map(({name}) => ({stream, name}));
		comparisons[at]?.findings.push({tag, reason: say(found), channels, doubt: found[0]?.odd ?? 0});
	}
}
