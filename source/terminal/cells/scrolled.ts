import {changes} from './changes.ts';
import {blank} from './glyphs.ts';
import {Grid} from './grid.ts';
import type {LineReader} from './line-reader.ts';
import type {Pen} from './pen.ts';
import {plain} from './styles.ts';

/** Rows `top` to `bottom`, both among them, that move up by `by` rows, down where it is negative. */
type Scroll = {readonly top: number; readonly bottom: number; readonly by: number};

/** A scroll that brings fewer rows to their place than this is not worth its own bytes. */
const leastRows = 2;
/** Only the likeliest are tried: each costs as much as the frame itself. */
const mostTries = 2;

/**
 * The bytes that turn one screen into another, as `changes`, after a region of whole rows was scrolled where that makes
 * them fewer.
 */
export function scrolledChanges(from: Grid, to: Grid, pen: Pen, reader: LineReader): string {
	const start = {...pen};
	let best = changes(from, to, pen, reader);
	for (const scroll of likelyScrolls(from, to)) {
		const scrolledPen = {...start};
		const order = scrollBytes(scroll, scrolledPen, reader);
		const scrolled = new Grid(from.columns, from.rows);
		scrolled.copyFrom(from);
		scrolled.scroll(scroll.top, scroll.bottom, scroll.by);
		const output = order + changes(scrolled, to, scrolledPen, reader);
		if (Buffer.byteLength(output) < Buffer.byteLength(best)) {
			best = output;
			Object.assign(pen, scrolledPen);
		}
	}
	return best;
}

/** Deleting and inserting lines: what every terminal knows, the Linux console too. Setting margins moves the cursor home. */
function scrollBytes({top, bottom, by}: Scroll, pen: Pen, reader: LineReader): string {
	const look = reader.styles.erasesPlainly(pen.style) ? '' : reader.styles.way(pen.style, plain);
	if (look !== '') pen.style = plain;
	const place = top === 0 ? '' : `\u001b[${top + 1}H`;
	const count = Math.abs(by) === 1 ? '' : String(Math.abs(by));
	pen.x = 0;
	pen.y = 0;
	return `${look}\u001b[${top + 1};${bottom + 1}r${place}\u001b[${count}${by > 0 ? 'M' : 'L'}\u001b[r`;
}

/** Where rows of the new screen stood in the old one, the distances with the most such rows first. */
function likelyScrolls(from: Grid, to: Grid): readonly Scroll[] {
	const places = new Map<number, number[]>();
	for (let y = 0; y < from.rows; y++) {
		const hash = rowHash(from, y);
		if (hash !== undefined) places.set(hash, [...(places.get(hash) ?? []), y]);
	}
	const moved = new Map<number, number[]>();
	for (let y = 0; y < to.rows; y++) {
		const hash = rowHash(to, y);
		if (hash === undefined || from.isSameRow(y, to, y)) continue;
		for (const old of places.get(hash) ?? []) moved.set(old - y, [...(moved.get(old - y) ?? []), y]);
	}
	return [...moved]
		.filter(([by, rows]) => by !== 0 && rows.length >= leastRows)
		.sort(([, a], [, b]) => b.length - a.length)
		.slice(0, mostTries)
		.map(([by, rows]) => {
			const [first, last] = [rows[0] ?? 0, rows.at(-1) ?? 0];
			return {top: Math.min(first, first + by), bottom: Math.max(last, last + by), by};
		});
}

/** Two rows that look the same have one hash; a blank row has none: it says nothing of where it came from. */
function rowHash({columns, glyphs, styles}: Grid, y: number): number | undefined {
	let hash = 0;
	let isBlank = true;
	for (let at = y * columns; at < (y + 1) * columns; at++) {
		const glyph = glyphs[at] ?? blank;
		if (glyph !== blank) isBlank = false;
		hash = Math.imul(hash ^ glyph, 0x01000193) ^ Math.imul(styles[at] ?? plain, 0x9e3779b1);
	}
	return isBlank ? undefined : hash;
}
