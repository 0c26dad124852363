import {blank, covered, isPictureMark, isSure} from './glyphs.ts';
import type {Grid} from './grid.ts';
import type {LineReader} from './line-reader.ts';
import {move, type Pen} from './pen.ts';
import {plain} from './styles.ts';

/**
 * The bytes that turn one screen into another of the same size: the cells that differ, the cursor moved and the look
 * changed in the shortest way.
 *
 * @param pen where the terminal's cursor is; left where it will be.
 */
export function changes(from: Grid, to: Grid, pen: Pen, reader: LineReader): string {
	const writer = new RowWriter(from, to, pen, reader);
	for (let y = 0; y < to.rows; y++) writer.write(y);
	return writer.output;
}

/** Erasing to the end of the row costs three bytes. */
const eraseCost = 3;

class RowWriter {
	output = '';
	readonly #from: Grid;
	readonly #to: Grid;
	readonly #pen: Pen;
	readonly #reader: LineReader;

	constructor(from: Grid, to: Grid, pen: Pen, reader: LineReader) {
		this.#from = from;
		this.#to = to;
		this.#pen = pen;
		this.#reader = reader;
	}

	write(y: number): void {
		const {columns} = this.#to;
		const row = y * columns;
		let first = 0;
		while (first < columns && !this.#differs(row + first)) first++;
		if (first === columns) return;
		const end = this.#blankFrom(row, first);
		// Terminals may think that a glyph is wider or narrower: then what stands behind it has changed as well.
		let isShaken = false;
		for (let x = first; x < end; ) {
			const glyph = this.#to.glyphs[row + x] ?? blank;
			const next = this.#next(row, x);
			// A cell under a picture is not written again: that would take a piece out of it.
			const isNew = this.#differs(row + x) || (isShaken && !isPictureMark(glyph));
			if (glyph !== covered && isNew) {
				isShaken = !(isSure(glyph) && this.#wasSure(row + x));
				this.#put(row, x, y, next, isShaken);
			} else isShaken = false;
			x = next;
		}
		if (end < columns) this.#erase(end, y);
	}

	#differs(at: number): boolean {
		return this.#from.glyphs[at] !== this.#to.glyphs[at] || this.#from.styles[at] !== this.#to.styles[at];
	}

	#wasSure(at: number): boolean {
		return this.#from.glyphs[at] === this.#to.glyphs[at] || isSure(this.#from.glyphs[at] ?? blank);
	}

	/** The column behind the glyph at this one. */
	#next(row: number, x: number): number {
		let next = x + 1;
		while (next < this.#to.columns && this.#to.glyphs[row + next] === covered) next++;
		return next;
	}

	/** The column from which the rest of the row is better erased than written, or the number of columns. */
	#blankFrom(row: number, first: number): number {
		const {columns, glyphs, styles} = this.#to;
		let start = columns;
		while (start > 0 && glyphs[row + start - 1] === blank && styles[row + start - 1] === plain) start--;
		let from = Math.max(start, first);
		while (from < columns && !this.#differs(row + from)) from++;
		if (from === columns) return columns;
		let last = columns - 1;
		while (!this.#differs(row + last)) last--;
		// Where the blanks follow on what is written before them no move is needed.
		return last - from < eraseCost
			? columns
			: Math.max(start, this.#follows(row, start, first) ? start : from);
	}

	#follows(row: number, start: number, first: number): boolean {
		return start > first && this.#differs(row + start - 1);
	}

	#put(row: number, x: number, y: number, next: number, isShaken: boolean): void {
		const pen = this.#pen;
		const style = this.#to.styles[row + x] ?? plain;
		const glyph = this.#to.glyphs[row + x] ?? blank;
		const {glyphs, styles} = this.#reader;
		this.output += this.#reach(row, x, y);
		this.output += styles.way(pen.style, style);
		pen.style = style;
		pen.y = y;
		if (!isSure(glyph) && next - x > 1) {
			// Where the terminal gives it one cell, nothing old stays in the other.
			this.output += ' '.repeat(next - x);
			pen.x = next === this.#to.columns ? -1 : next;
			this.output += move(pen, x, y);
		}
		this.output += glyphs.text(glyph);
		pen.x = isShaken || next === this.#to.columns ? -1 : next;
	}

	/** Brings the cursor to a cell: by moving, or by writing what lies between once more. */
	#reach(row: number, x: number, y: number): string {
		const pen = this.#pen;
		const way = move(pen, x, y);
		if (way === '' || pen.y !== y || pen.x < 0 || pen.x > x) return way;
		let gap = '';
		let cost = 0;
		for (let at = pen.x; at < x; at++) {
			const glyph = this.#to.glyphs[row + at] ?? blank;
			if (this.#to.styles[row + at] !== pen.style) return way;
			if (glyph === covered) continue;
			if (!isSure(glyph) || isPictureMark(glyph)) return way;
			cost += this.#reader.glyphs.bytes(glyph);
			if (cost > way.length) return way;
			gap += this.#reader.glyphs.text(glyph);
		}
		return gap;
	}

	#erase(x: number, y: number): void {
		const pen = this.#pen;
		this.output += `${move(pen, x, y)}${this.#reader.styles.way(pen.style, plain)}\u001b[K`;
		pen.x = x;
		pen.y = y;
		pen.style = plain;
	}
}
