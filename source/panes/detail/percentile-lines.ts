import {cellSegments} from '../../components/plot/plot-cells.ts';
import {percentileBox} from '../../components/plot/range-strip.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {figureOf} from '../../store/filter-line/sample-distribution.ts';
import {shortNumber} from '../short-number.ts';

/** What is known of an episode's speed where the service has no courses: three percentiles, named as such. */
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
	const note: Segment[] = [' ', {text: 'the service has no course over time', role: 'dim'}];
	if (screen.drawing.spoken) return [head, note];
	const cells = percentileBox({low, middle, high}, {width: Math.max(1, width - 2), signs: screen.signs});
	return [head, [' ', ...cellSegments(cells)], note];
}
