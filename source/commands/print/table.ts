import type {IngestProblem} from '../../contract/local.ts';
import {printable, printableWithin} from '../../terminal/printable.ts';
import {fitTo, textWidth} from '../../terminal/width.ts';

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
	// The rest of the room goes to the first columns that were cut.
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

/** A value of the service as one word of a line; undefined for nothing, and for what would fill lines. */
function wordOf(value: unknown): string | undefined {
	if (typeof value === 'string') return value === '' ? undefined : value;
	if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
		return String(value);
	return undefined;
}

/** The fields of an object that the document does not show, as they came: `[['hours', '24']]`. */
export function furtherFields(
	object: Readonly<Record<string, unknown>>,
	known: readonly string[],
): readonly (readonly [string, string])[] {
	return Object.entries(object).flatMap(([name, value]) => {
		const word = known.includes(name) ? undefined : wordOf(value);
		return word === undefined ? [] : [[name, word] as const];
	});
}

/** The same on one line: `hours=24 region=eu`. */
export function furtherLine(object: Readonly<Record<string, unknown>>, known: readonly string[]): string {
	return furtherFields(object, known)
		.map(([name, value]) => `${name}=${value}`)
		.join(' ');
}

/** A problem as a line below its dataset; most messages name their file or episode themselves. */
export function problemLine({file, episode_index, message}: IngestProblem): string {
	if (message.startsWith(file)) return `  ${message}`;
	const names = typeof episode_index === 'number' && !message.startsWith(`Episode ${episode_index}`);
	return `  ${file}${names ? `, episode ${episode_index}` : ''}: ${message}`;
}
