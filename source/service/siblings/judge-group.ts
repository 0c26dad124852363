import {type ChannelFigure, channelFigures, type OddChannel} from './channel-figures.ts';
import type {Finding} from './judgement.ts';
import {notableRanges, rangeOf} from './notable-ranges.ts';
import {neighbours, type Spread, spreadsOfOthers} from './spread.ts';
import type {Thresholds} from './thresholds.ts';
import type {ComparedEpisode} from './traits.ts';
import {type WholeFigure, wholeFigures} from './whole-figures.ts';
import {channelList} from './words.ts';

/** The names of the channels that are compared. */
export type ComparedNames = {readonly action: readonly string[]; readonly poses: readonly string[]};

/** One of them. */
export type ComparedChannel = {readonly stream: keyof ComparedNames; readonly name: string};

/** What is unlike its siblings in an episode, and how unlike the oddest of its figures is. */
export type Comparison = {readonly findings: Finding[]; doubt: number};

/** A dimension whose range over the episode stays below this is frozen (`motion/frozen-dims.ts`). */
const smallestRange = 1e-6;

/** A joint that does not move counts where at most this share of its siblings' do not. */
const fewFrozen = 0.1;

/** How much a frozen joint counts: it is no matter of degree. */
const frozenDoubt = 10;

/** The most that one figure counts; what is broken counts more. */
const mostDoubt = 20;

/**
 * So many siblings, or so large a share of them, that are alike in a channel are one of the ways in which the task is
 * done, however far from the others: a second grasp, the other hand.
 */
const fewestAlike = 2;
const shareAlike = 0.02;

/** Sets each episode of a group against the others: all of one task and one embodiment. */
export function judgeGroup(
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

/** How unlike `value` is, in thresholds: from 1 on it is worth a word. */
function oddity(value: number, spread: Spread, floor: number, least: number, threshold: number): number {
	const away = value - spread.median;
	const z = Math.abs(away) / Math.max(floor, away > 0 ? spread.above : spread.below);
	const odd = z / threshold;
	// What differs by little is no worse than its siblings, however alike those are.
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
		const verb = frozen.length === 1 ? 'never moves' : 'never move';
		const reason = `${channelList(frozen)} ${verb}, in its siblings ${frozen.length === 1 ? 'it does' : 'they do'}`;
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
