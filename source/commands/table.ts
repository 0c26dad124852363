import {printable, printableWithin} from '../terminal/printable.ts';
import {fitTo, textWidth} from '../terminal/width.ts';

export type Column = {
	readonly title: string;
	/** @default 'left' */
	readonly align?: 'left' | 'right';
	/** The cells it may be cut down to when the table is too wide; not cut without it. */
	readonly least?: number;
};

const gap = 2;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Widths no wider than `room` in all, where the columns' least widths allow that; the widest are cut first. */
function cutDown(widths: readonly number[], columns: readonly Column[], room: number): readonly number[] {
	const least = columns.map((column, i) =>
		Math.min(column.least ?? Number.POSITIVE_INFINITY, widths[i] ?? 0),
	);
	const capped = (cap: number) => widths.map((width, i) => Math.min(width, Math.max(cap, least[i] ?? width)));
	let cap = Math.max(0, ...widths);
	while (cap > 0 && sum(capped(cap)) > room) cap--;
	const cut = [...capped(cap)];
	// What is left of the room goes to the first columns that were cut.
	let left = room - sum(cut);
	for (const [i, width] of widths.entries()) {
		if (left <= 0) break;
		if ((cut[i] ?? 0) === width || (cut[i] ?? 0) > cap) continue;
		cut[i] = (cut[i] ?? 0) + 1;
		left--;
	}
	return cut;
}

/** Lines of an aligned table with its titles first, no wider than `width` cells; Infinity sets no bound. */
export function table(
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
	width: number,
): readonly string[] {
	const bounded = Number.isFinite(width);
	const show = bounded ? (text: string) => printableWithin(text, width) : (text: string) => printable(text);
	const cells = rows.map(row => row.map(show));
	const natural = columns.map(({title}, i) =>
		Math.max(textWidth(title), ...cells.map(row => textWidth(row[i] ?? ''))),
	);
	const widths = bounded ? cutDown(natural, columns, width - gap * (columns.length - 1)) : natural;
	const lines = [columns.map(({title}) => title), ...cells].map(row =>
		row
			.map((cell, i) => fitTo(cell, widths[i] ?? 0, {align: columns[i]?.align ?? 'left'}))
			.join(' '.repeat(gap))
			.trimEnd(),
	);
	return bounded ? lines.map(line => fitTo(line, width).trimEnd()) : lines;
}
