import {isPictureMark, pictureMarks, soiled} from '../cells/glyphs.ts';
import type {Grid} from '../cells/grid.ts';
import type {LineReader} from '../cells/line-reader.ts';

/** A picture as the terminal is told of it, whatever the protocol. */
export type SentPicture = {
	/** The cells that it covers. */
	readonly width: number;
	readonly height: number;
	/** Draws it, its upper left corner where the cursor is. */
	readonly draw: string;
	/** Moves it to where the cursor is; without it it is drawn there anew. */
	readonly move?: string | undefined;
	/** Takes it away; empty where that is done by writing the cells under it. */
	readonly remove: string;
	/** A row of text that the terminal shows the picture in place of; without it the cells are blank. */
	readonly line?: ((row: number) => string) | undefined;
	/** On the last row of the screen drawing it would scroll. */
	readonly scrolls: boolean;
};

/** What is written around the cells of a frame. */
export type PictureDrawing = {
	/** Takes away what lies there no longer. */
	readonly before: string;
	/** Draws what is new, once the cells under it are blank; leaves the cursor anywhere. */
	readonly after: string;
	/** There are more to draw, one a frame: a key does not wait for all of them. */
	readonly isMore: boolean;
};

type Place = {readonly left: number; readonly top: number};

/**
 * The pictures on the screen. Whoever draws cells says where one lies by the mark that its cells bear: what is drawn over
 * it covers marks, and a picture of which not every cell shows is not drawn.
 */
export class PictureLayer {
	readonly #known = new Map<number, SentPicture>();
	readonly #shown = new Map<number, Place & {readonly picture: SentPicture}>();
	#next = 0;

	/** Takes a picture. @returns what its cells are to hold, a character each */
	put(picture: SentPicture): string {
		const mark = pictureMarks.first + this.#next;
		this.#next = (this.#next + 1) % pictureMarks.count;
		this.#known.set(mark, picture);
		return String.fromCodePoint(mark);
	}

	/** Forgets a picture; it leaves the screen with the next frame. */
	drop(mark: string): void {
		this.#known.delete(mark.codePointAt(0) ?? 0);
	}

	get isInUse(): boolean {
		return this.#known.size > 0 || this.#shown.size > 0;
	}

	/** Nothing of it is on the screen any more. @returns the bytes that see to that, the cells aside */
	reset(): string {
		const bytes = [...this.#shown.values()].map(({picture}) => picture.remove).join('');
		this.#shown.clear();
		return bytes;
	}

	/**
	 * Brings the pictures to where their marks are.
	 *
	 * @param from what is on the screen; cells that a picture leaves are soiled, so that they are written.
	 * @param to the frame to come; text that stands for a picture is put in.
	 */
	draw(from: Grid, to: Grid, reader: LineReader): PictureDrawing {
		const places = this.#placesIn(to);
		const before = this.#leave(from, places);
		let after = '';
		let isMore = false;
		for (const [mark, {left, top}] of places) {
			const picture = this.#known.get(mark);
			if (picture === undefined) continue;
			const was = this.#shown.get(mark);
			if (was === undefined && after !== '') {
				isMore = true;
				continue;
			}
			if (picture.line !== undefined) drawText(picture, {left, top}, to, reader);
			if (was?.left === left && was.top === top) continue;
			const isMoved = was !== undefined && picture.move !== undefined;
			after += `\u001b[${top + 1};${left + 1}H${isMoved ? picture.move : picture.draw}`;
			this.#shown.set(mark, {left, top, picture});
		}
		return {before, after, isMore};
	}

	/** Where the pictures lie of which every cell shows. */
	#placesIn(grid: Grid): ReadonlyMap<number, Place> {
		const {columns, rows, glyphs} = grid;
		const seen = new Map<number, Place & {count: number}>();
		for (let at = 0; at < columns * rows; at++) {
			const glyph = glyphs[at] ?? 0;
			if (!isPictureMark(glyph)) continue;
			const place = seen.get(glyph);
			if (place === undefined) {
				seen.set(glyph, {left: at % columns, top: Math.floor(at / columns), count: 1});
			} else place.count++;
		}
		for (const [mark, place] of seen) {
			const picture = this.#known.get(mark);
			if (picture === undefined || !isWhole(mark, picture, place, grid)) seen.delete(mark);
		}
		return seen;
	}

	/** Takes away what lies elsewhere, or nowhere, from now on. */
	#leave(from: Grid, places: ReadonlyMap<number, Place>): string {
		let bytes = '';
		for (const [mark, {picture, left, top}] of this.#shown) {
			const now = places.get(mark);
			if (now?.left === left && now.top === top) continue;
			for (let y = top; y < top + picture.height; y++) {
				const row = y * from.columns;
				from.glyphs.fill(soiled, row + left, row + left + picture.width);
			}
			if (now !== undefined && picture.move !== undefined) continue;
			bytes += picture.remove;
			this.#shown.delete(mark);
		}
		return bytes;
	}
}

function isWhole(
	mark: number,
	{width, height, scrolls}: SentPicture,
	{left, top, count}: Place & {count: number},
	{columns, rows, glyphs}: Grid,
): boolean {
	if (count !== width * height || left + width > columns || top + height > rows - (scrolls ? 1 : 0))
		return false;
	for (let y = top; y < top + height; y++) {
		for (let x = left; x < left + width; x++) if (glyphs[y * columns + x] !== mark) return false;
	}
	return true;
}

function drawText({line, height}: SentPicture, {left, top}: Place, to: Grid, reader: LineReader): void {
	for (let row = 0; row < height; row++) to.draw(reader.read(line?.(row) ?? ''), left, top + row, to.whole);
}
