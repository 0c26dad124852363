import {blank, covered} from './glyphs.ts';
import type {CellLine} from './line-reader.ts';
import {plain} from './styles.ts';

/** Where may be drawn; the upper bounds are not part of it. */
export type Clip = {
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
};

/** A screen as cells, row by row. */
export class Grid {
	readonly columns: number;
	readonly rows: number;
	readonly glyphs: Int32Array;
	readonly styles: Int32Array;

	constructor(columns: number, rows: number) {
		this.columns = columns;
		this.rows = rows;
		this.glyphs = new Int32Array(columns * rows).fill(blank);
		this.styles = new Int32Array(columns * rows);
	}

	get whole(): Clip {
		return {left: 0, right: this.columns, top: 0, bottom: this.rows};
	}

	clear(): void {
		this.glyphs.fill(blank);
		this.styles.fill(plain);
	}

	isSameSize({columns, rows}: {readonly columns: number; readonly rows: number}): boolean {
		return this.columns === columns && this.rows === rows;
	}

	copyFrom(other: Grid): void {
		this.glyphs.set(other.glyphs);
		this.styles.set(other.styles);
	}

	/** Draws a line over what is there; a wide glyph of which only a part shows leaves a blank in its look. */
	draw(line: CellLine, x: number, y: number, clip: Clip): void {
		if (y < Math.max(clip.top, 0) || y >= Math.min(clip.bottom, this.rows)) return;
		const from = Math.max(x, clip.left, 0);
		const to = Math.min(x + line.glyphs.length, clip.right, this.columns);
		if (from >= to) return;
		const row = y * this.columns;
		this.#uncover(row, from);
		this.#uncover(row, to);
		this.glyphs.set(line.glyphs.subarray(from - x, to - x), row + from);
		this.styles.set(line.styles.subarray(from - x, to - x), row + from);
		for (let at = from; at < to && this.glyphs[row + at] === covered; at++) this.glyphs[row + at] = blank;
		if (line.glyphs[to - x] === covered) this.#uncoverBefore(row, to);
	}

	/** Makes blanks of a wide glyph that stands on both sides of a column. */
	#uncover(row: number, column: number): void {
		if (column >= this.columns || this.glyphs[row + column] !== covered) return;
		this.#uncoverBefore(row, column);
		for (let at = column; at < this.columns && this.glyphs[row + at] === covered; at++)
			this.glyphs[row + at] = blank;
	}

	#uncoverBefore(row: number, column: number): void {
		let at = column - 1;
		while (at >= 0 && this.glyphs[row + at] === covered) this.glyphs[row + at--] = blank;
		if (at >= 0) this.glyphs[row + at] = blank;
	}

	/** Moves the rows `top` to `bottom`, both among them, up by `by` (down where it is negative); blanks come in. */
	scroll(top: number, bottom: number, by: number): void {
		const {columns} = this;
		const start = top * columns;
		const end = (bottom + 1) * columns;
		const shift = by * columns;
		for (const [cells, empty] of [
			[this.glyphs, blank],
			[this.styles, plain],
		] as const) {
			if (by > 0) {
				cells.copyWithin(start, start + shift, end);
				cells.fill(empty, end - shift, end);
			} else {
				cells.copyWithin(start - shift, start, end + shift);
				cells.fill(empty, start, start - shift);
			}
		}
	}

	/** True if a row of this screen and one of another look the same. */
	isSameRow(row: number, other: Grid, otherRow: number): boolean {
		const {columns} = this;
		const [here, there] = [row * columns, otherRow * columns];
		for (let at = 0; at < columns; at++) {
			if (this.glyphs[here + at] !== other.glyphs[there + at]) return false;
			if (this.styles[here + at] !== other.styles[there + at]) return false;
		}
		return true;
	}
}
