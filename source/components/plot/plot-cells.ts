import type {Segment} from '../segment.ts';
import type {Role} from '../theme.ts';
import {type Extent, rangeOf} from './columns.ts';

/** Something drawn in a plot: an extent for each dot along its width. */
export type Trace = {
	readonly extents: readonly Extent[];
	readonly role: Role;
	/** Every other dot is left out, so that it is told from another trace without colour too. @default false */
	readonly dotted?: boolean;
};

/** A cell of a plot. */
export type PlotCell = {readonly text: string; readonly role: Role};

/** Dots along a plot of so many cells: braille has two a cell, ASCII one. */
export function dotsAcross(width: number, ascii: boolean): number {
	return ascii ? width : width * 2;
}

type PlotOptions = {
	readonly width: number;
	readonly height: number;
	readonly ascii: boolean;
	/** The range that the height spans. @default the range of the traces */
	readonly range?: Extent;
};

const blankCell: PlotCell = {text: ' ', role: 'plain'};

/**
 * Draws traces into `height` rows of `width` cells, the first trace above the others. Each dot column is filled from its
 * least to its greatest value, and up or down to the column before, so that a course has no holes but where nothing is
 * known. A constant is drawn in the middle.
 */
export function plotCells(traces: readonly Trace[], options: PlotOptions): readonly (readonly PlotCell[])[] {
	const {width, height, ascii, range = rangeOf(traces.map(({extents}) => extents))} = options;
	const rows = Array.from({length: height}, () => Array.from({length: width}, () => blankCell));
	if (range === undefined) return rows;
	const across = ascii ? 1 : 2;
	const down = ascii ? 1 : 4;
	const dots = new Uint8Array(width * height);
	const owners = new Int16Array(width * height).fill(-1);
	const most = height * down - 1;
	const rowOf = (value: number) =>
		range.high === range.low
			? Math.floor(most / 2)
			: Math.round(most * Math.min(1, Math.max(0, (range.high - value) / (range.high - range.low))));
	for (const [number, {extents, dotted = false}] of traces.entries()) {
		let before: {top: number; bottom: number} | undefined;
		for (let x = 0; x < width * across; x++) {
			const extent = extents[x];
			if (extent === undefined) {
				before = undefined;
				continue;
			}
			let top = rowOf(extent.high);
			let bottom = rowOf(extent.low);
			const own = {top, bottom};
			if (before !== undefined && !dotted) {
				if (before.bottom < top) top = before.bottom + 1;
				if (before.top > bottom) bottom = before.top - 1;
			}
			before = own;
			if (dotted && x % 2 === 1) continue;
			for (let y = top; y <= bottom; y++) {
				const at = Math.floor(y / down) * width + Math.floor(x / across);
				dots[at] = (dots[at] ?? 0) | dotBit(x % across, y % down);
				if (owners[at] === -1) owners[at] = number;
			}
		}
	}
	return rows.map((row, y) =>
		row.map((_, x) => {
			const owner = owners[y * width + x] ?? -1;
			const trace = traces[owner];
			if (trace === undefined) return blankCell;
			const text = ascii
				? trace.dotted
					? '.'
					: '*'
				: String.fromCharCode(0x2800 + (dots[y * width + x] ?? 0));
			return {text, role: trace.role};
		}),
	);
}

/** Braille numbers its dots down the left column, then down the right one, the lowest two last (U+2800). */
const brailleBits = [
	[0x01, 0x02, 0x04, 0x40],
	[0x08, 0x10, 0x20, 0x80],
] as const;

function dotBit(x: number, y: number): number {
	return brailleBits[x === 0 ? 0 : 1][y] ?? 0;
}

/** Cells as pieces of a line, the one under the cursor marked. */
export function cellSegments(cells: readonly PlotCell[], cursor?: number): readonly Segment[] {
	const segments: {text: string; role: Role}[] = [];
	for (const [place, cell] of cells.entries()) {
		const role = place === cursor ? 'caret' : cell.role;
		const last = segments.at(-1);
		if (last?.role === role) last.text += cell.text;
		else segments.push({text: cell.text, role});
	}
	return segments;
}
