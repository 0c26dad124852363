import type {Signs} from '../signs.ts';
import type {Extent} from './columns.ts';
import type {PlotCell} from './plot-cells.ts';

/**
 * A range beside the one that is usual, in one row of `width` cells: what is usual is a thin line, what lies in it a
 * heavy one, what lies outside is filled.
 *
 * @param usual undefined where it is not known: then the range fills the row.
 */
export function rangeStrip(
	own: Extent,
	usual: Extent,
	{width, signs}: {readonly width: number; readonly signs: Signs},
): readonly PlotCell[] {
	const low = Math.min(own?.low ?? Number.POSITIVE_INFINITY, usual?.low ?? Number.POSITIVE_INFINITY);
	const high = Math.max(own?.high ?? Number.NEGATIVE_INFINITY, usual?.high ?? Number.NEGATIVE_INFINITY);
	const place = (value: number) =>
		high > low ? Math.round(((value - low) / (high - low)) * (width - 1)) : Math.floor((width - 1) / 2);
	const covers = (extent: Extent, cell: number) =>
		extent !== undefined && cell >= place(extent.low) && cell <= place(extent.high);
	const {horizontal, heavy} = signs.line;
	return Array.from({length: width}, (_, cell): PlotCell => {
		const isUsual = covers(usual, cell);
		if (covers(own, cell)) {
			if (isUsual || usual === undefined) return {text: heavy, role: 'accent'};
			return {text: signs.progress(1, 1), role: 'warning'};
		}
		return isUsual ? {text: horizontal, role: 'dim'} : {text: ' ', role: 'plain'};
	});
}

/** Three percentiles as a box on a line from 0 to the greatest, in one row of `width` cells. */
export function percentileBox(
	{low, middle, high}: {readonly low: number; readonly middle: number; readonly high: number},
	{width, signs}: {readonly width: number; readonly signs: Signs},
): readonly PlotCell[] {
	const place = (value: number) =>
		high > 0 ? Math.round((Math.min(high, Math.max(0, value)) / high) * (width - 1)) : 0;
	return Array.from({length: width}, (_, cell): PlotCell => {
		if (cell === place(middle)) return {text: signs.line.cross, role: 'accent'};
		if (cell >= place(low) && cell <= place(high)) return {text: signs.line.heavy, role: 'accent'};
		return {text: signs.line.horizontal, role: 'dim'};
	});
}
