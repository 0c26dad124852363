import type {Screen} from '../../components/screen.tsx';
import {cellsOf, lineWidth, type Segment} from '../../components/segment.ts';
import type {Histogram} from '../../contract/local-distribution.ts';
import type {Comparison} from '../../contract/vocabulary.ts';
import type {FigureAt} from '../../query/figure-at.ts';
import {signOf} from '../../query/term.ts';
import type {Distribution} from '../../store/filter/distribution-watch.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {shortNumber} from '../list/figure-words.ts';

type Threshold = NonNullable<FigureAt['threshold']>;

const short = (value: number | null) => (value === null ? '' : shortNumber(value));

const isAbove: Readonly<Record<Comparison, boolean>> = {gt: true, gte: true, lt: false, lte: false};

/**
 * The share of the episodes with the figure that a threshold keeps, as the bars tell it: what lies in the bar that it
 * cuts is taken to be spread evenly.
 */
export function keptShare(
	{low, high, min, max, bins}: Histogram,
	{op, value}: Threshold,
): number | undefined {
	if (low === null || high === null || min === null || max === null) return undefined;
	const total = bins.reduce<number>((sum, bin) => sum + Number(bin), 0);
	if (total === 0) return undefined;
	const above = () => {
		if (value < min || (value === min && op !== 'gt' && op !== 'lte')) return 1;
		if (value > max || (value === max && op !== 'gte' && op !== 'lt')) return 0;
		const place = high === low ? 0.5 : ((value - low) / (high - low)) * bins.length;
		const at = Math.min(bins.length - 1, Math.max(0, Math.floor(place)));
		const part = Math.min(1, Math.max(0, at + 1 - place));
		const behind = bins.slice(at + 1).reduce<number>((sum, bin) => sum + Number(bin), 0);
		return (behind + Number(bins[at] ?? 0) * part) / total;
	};
	return isAbove[op] ? above() : 1 - above();
}

/** The bar that a threshold falls in; between bars where it lies beyond them. */
function cutAt({low, high, bins}: Histogram, value: number): number | undefined {
	if (low === null || high === null || high === low) return undefined;
	const place = ((value - low) / (high - low)) * bins.length;
	return Math.min(bins.length, Math.max(0, Math.round(place)));
}

/** The bars, with a stroke at the threshold. The excluded side is dim. */
function bars(histogram: Histogram, threshold: Threshold | undefined, {signs}: Screen): readonly Segment[] {
	const most = histogram.bins.reduce<number>((highest, bin) => Math.max(highest, Number(bin)), 1);
	const drawn = histogram.bins.map(bin => (Number(bin) === 0 ? ' ' : signs.level(Number(bin) / most)));
	const cut = threshold && cutAt(histogram, threshold.value);
	if (threshold === undefined || cut === undefined) return [{text: drawn.join(''), role: 'accent'}];
	const below = drawn.slice(0, cut).join('');
	const above = drawn.slice(cut).join('');
	return [
		{text: below, role: isAbove[threshold.op] ? 'dim' : 'accent'},
		{text: signs.line.vertical, role: 'focus'},
		{text: above, role: isAbove[threshold.op] ? 'accent' : 'dim'},
	];
}

function nameOf({of}: Pick<Distribution, 'of'>): string {
	return 'field' in of ? of.field : `${of.agg}(${of.stream}.${of.channel})`;
}

/** Why there are no bars: no episode to look at, or none of them that has the figure. */
function noneWords({of, histogram: {missing}, isSample}: Distribution): string {
	const name = nameOf({of});
	if (Number(missing) > 0) {
		return `none of ${counted(missing, 'episode')}${isSample ? ' read' : ''} has ${name}`;
	}
	return isSample
		? `no episodes loaded to compare ${name}`
		: `nothing matches without this comparison either: no ${name} to compare`;
}

/** How a figure lies, in a line of bars and a line of words; its name is left out where it does not fit. */
export function distributionLines(
	distribution: Distribution,
	threshold: Threshold | undefined,
	{screen, width}: {screen: Screen; width: number},
): readonly (readonly Segment[])[] {
	const {histogram, isSample} = distribution;
	const {count, missing, low, high, median} = histogram;
	const name = nameOf(distribution);
	if (Number(count) === 0) return [[{text: ` ${noneWords(distribution)}`, role: 'dim'}]];
	const drawn: readonly Segment[] = [
		{text: short(low), role: 'dim'},
		' ',
		...bars(histogram, threshold, screen),
		' ',
		{text: short(high), role: 'dim'},
	];
	const of = isSample ? `of the ${grouped(count)} loaded (sample)` : `of ${grouped(count)}`;
	const share = threshold && keptShare(histogram, threshold);
	const kept =
		threshold === undefined || share === undefined
			? of
			: `${signOf[threshold.op]}${short(threshold.value)} keeps about ${Math.round(share * 100)}% ${of}`;
	const words = [
		kept,
		`median ${short(median)}`,
		...(Number(missing) > 0 ? [`${grouped(missing)} without it`] : []),
	];
	const fits = lineWidth(drawn) + cellsOf(name) + 2 <= width;
	return [
		[' ', ...(fits ? [`${name} `] : []), ...drawn],
		[{text: ` ${words.join(` ${screen.signs.separator} `)}`, role: 'dim'}],
	];
}
