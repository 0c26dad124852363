import {cellSegments} from '../../components/plot/plot-cells.ts';
import {percentileBox} from '../../components/plot/range-strip.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {type MetricName, metricNames} from '../../contract/metrics.ts';
import {figureOf} from '../../store/episodes/distribution.ts';
import type {FigureKnown} from '../../store/series/figure-watch.ts';
import {grouped, measure} from '../../terminal/quantity.ts';
import {shortNumber} from '../list/figure-words.ts';

/** How the figure lies over the result, and where this episode lies in it. */
export function figureLines(
	known: FigureKnown | undefined,
	{episode, screen, width}: {readonly episode: LakeEpisode; readonly screen: Screen; readonly width: number},
): readonly (readonly Segment[])[] {
	if (known === undefined) return [];
	const {field, histogram, isSample} = known;
	const {low, high, bins, median} = histogram;
	const value = figureOf(episode, field);
	const count = bins.reduce<number>((sum, bin) => sum + Number(bin), 0);
	const of = isSample
		? `of the ${grouped(histogram.count)} loaded (sample)`
		: `of the ${grouped(histogram.count)} of the result`;
	const head: Segment[] = [
		' ',
		{text: field, role: 'title'},
		'  ',
		{text: value === undefined ? screen.signs.none : measure(value), role: 'strong'},
	];
	if (low === null || high === null || median === null || count === 0) {
		return [[...head, {text: ` ${screen.signs.separator} no episode in the result has it`, role: 'dim'}]];
	}
	const at = value === undefined ? undefined : binAt(value, low, high, bins.length);
	const below = bins.slice(0, at ?? 0).reduce<number>((sum, bin) => sum + Number(bin), 0);
	const above = below === 0 ? 'among the lowest' : `above about ${Math.round((below / count) * 100)}%`;
	const place = at === undefined ? '' : `${above} `;
	const words = ` ${screen.signs.separator} ${place}${of}, median ${shortNumber(median)}`;
	const title: readonly Segment[] = [...head, {text: words, role: 'dim'}];
	if (screen.drawing.spoken) return [title];
	const lowText = shortNumber(low);
	const highText = shortNumber(high);
	const each = Math.max(1, Math.floor((width - lowText.length - highText.length - 4) / bins.length));
	const most = Math.max(...bins.map(Number));
	const drawn = bins.map((bin, place): Segment => {
		const text = (Number(bin) === 0 ? ' ' : screen.signs.level(Number(bin) / most)).repeat(each);
		return {text, role: place === at ? 'caret' : 'accent'};
	});
	const lines: (readonly Segment[])[] = [
		title,
		[' ', {text: lowText, role: 'dim'}, ' ', ...drawn, ' ', {text: highText, role: 'dim'}],
	];
	if (at !== undefined) {
		const before = lowText.length + 2 + at * each + Math.floor(each / 2);
		lines.push([
			' '.repeat(before),
			{text: screen.signs.up, role: 'strong'},
			{text: ' this one', role: 'dim'},
		]);
	}
	return lines;
}

/** The bar that a value is counted in; what lies beyond the outermost ones is theirs. */
function binAt(value: number, low: number, high: number, bins: number): number {
	if (high <= low) return 0;
	return Math.min(bins - 1, Math.max(0, Math.floor(((value - low) / (high - low)) * bins)));
}

/** The figures that an episode has, in the order of the metrics. */
export function figuresOf(episode: LakeEpisode): readonly MetricName[] {
	return metricNames.filter(field => figureOf(episode, field) !== undefined);
}

/** Three percentiles of an episode's speed, for a service without series. */
export function percentileLines(
	episode: LakeEpisode,
	{screen, width}: {readonly screen: Screen; readonly width: number},
): readonly (readonly Segment[])[] {
	const low = figureOf(episode, 'speed_p10');
	const middle = figureOf(episode, 'speed_p50');
	const high = figureOf(episode, 'speed_p90');
	if (low === undefined || middle === undefined || high === undefined) return [];
	const words = `10th, 50th and 90th percentile ${shortNumber(low)}, ${shortNumber(middle)}, ${shortNumber(high)}`;
	const head: Segment[] = [' ', {text: 'speed', role: 'title'}, '  ', words];
	const note: Segment[] = [' ', {text: 'the service has no time series', role: 'dim'}];
	if (screen.drawing.spoken) return [head, note];
	const cells = percentileBox({low, middle, high}, {width: Math.max(1, width - 2), signs: screen.signs});
	return [head, [' ', ...cellSegments(cells)], note];
}
