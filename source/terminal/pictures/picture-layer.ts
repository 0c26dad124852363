import {isPictureMark, pictureMarks, soiled} from '../cells/glyphs.ts';
import type {Grid} from '../cells/grid.ts';
import type {LineReader} from '../cells/line-reader.ts';

/** A picture as the terminal is told of it, whatever the protocol. */
export type SentPicture = {
	/** The cells that it covers. */
	readonly width: number;
	readonly height: number;
	/** The data that the terminal keeps of it, in pieces that are sent a frame each; empty where it keeps nothing. */
	readonly data: readonly string[];
	/** Draws it, its upper left corner where the cursor is: what the terminal keeps, again and again. */
	readonly draw: string;
	/** Ends the data after a piece that is not the last. */
	readonly cancel: string;
	/** Takes it away, and what is kept of it; empty where that is done by writing the cells under it. */
	readonly remove: string;
	/** A row of text that the terminal shows the picture in place of; without it the cells are blank. */
	readonly line?: ((row: number) => string) | undefined;
	/** On the last row of the screen drawing it would scroll. */
	readonly scrolls: boolean;
};

/** The bytes written around the cells of a frame. */
type PictureDrawing = {
	/** Takes away what lies there no longer. */
	readonly before: string;
	/** Draws what is new, once the cells under it are blank; leaves the cursor anywhere. */
	readonly after: string;
	/** There is more to send, a piece a frame: a key does not wait for all of it. */
	readonly isMore: boolean;
};

type Location = {readonly left: number; readonly top: number};

/** A picture of which the terminal has got something. */
type Entry = {
	readonly picture: SentPicture;
	/** Pieces of its data that were sent. */
	readonly pieces: number;
	/** Where it is on the screen, once it is. */
	readonly place: Location | undefined;
};

/**
 * The pictures on the screen. The caller that draws cells marks those where one lies: text that is drawn over
 * it covers marks, and a picture of which not every cell shows is not drawn.
 */
export class PictureLayer {
	readonly #known = new Map<number, SentPicture>();
	readonly #sent = new Map<number, Entry>();
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
		return this.#known.size > 0 || this.#sent.size > 0;
	}

	/** Nothing of it is on the screen any more. @returns the bytes that see to that, the cells aside */
	reset(): string {
		const all = [...this.#sent.values()];
		this.#sent.clear();
		const cancelled = all.filter(isCut).map(({picture}) => picture.cancel);
		return [...cancelled, ...all.map(({picture}) => picture.remove)].join('');
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
		let isBusy = false;
		let isMore = false;
		for (const [mark, place] of this.#inOrder(places)) {
			const picture = this.#known.get(mark);
			if (picture === undefined) continue;
			let entry = this.#sent.get(mark) ?? {picture, pieces: 0, place: undefined};
			if (entry.place === undefined) {
				const isToBeSent = !this.#sent.has(mark) || isCut(entry);
				if (isToBeSent && isBusy) {
					isMore = true;
					continue;
				}
				if (isToBeSent) {
					isBusy = true;
					after += picture.data[entry.pieces] ?? '';
					entry = {...entry, pieces: Math.min(entry.pieces + 1, picture.data.length)};
				}
				if (isCut(entry)) isMore = true;
				else {
					after += `\u001b[${place.top + 1};${place.left + 1}H${picture.draw}`;
					entry = {...entry, place};
				}
				this.#sent.set(mark, entry);
			}
			if (entry.place !== undefined && picture.line !== undefined) drawText(picture, place, to, reader);
		}
		return {before, after, isMore};
	}

	/** Data that the terminal has, then data that it has begun to get, then new data: two pictures must not mix. */
	#inOrder(places: ReadonlyMap<number, Location>): readonly (readonly [mark: number, place: Location])[] {
		const rank = (mark: number) => {
			const entry = this.#sent.get(mark);
			return entry === undefined ? 2 : isCut(entry) ? 1 : 0;
		};
		return [...places].sort(([one], [other]) => rank(one) - rank(other));
	}

	/** Where the pictures lie of which every cell shows. */
	#placesIn(grid: Grid): ReadonlyMap<number, Location> {
		const {columns, rows, glyphs} = grid;
		const seen = new Map<number, Location & {count: number}>();
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
	#leave(from: Grid, places: ReadonlyMap<number, Location>): string {
		const leaving = [...this.#sent].filter(([mark, {place}]) => {
			const now = places.get(mark);
			return now === undefined || (place !== undefined && !isSame(place, now));
		});
		if (leaving.length === 0) return '';
		let bytes = this.#finish(places);
		for (const [mark, {picture, place, pieces}] of leaving) {
			if (place !== undefined) soil(from, place, picture);
			if (places.has(mark) && picture.data.length > 0) {
				this.#sent.set(mark, {picture, pieces, place: undefined});
				continue;
			}
			bytes += picture.remove;
			this.#sent.delete(mark);
		}
		return bytes;
	}

	/** No other order comes between the pieces of one picture: they are ended. */
	#finish(places: ReadonlyMap<number, Location>): string {
		for (const [mark, entry] of this.#sent) {
			if (!isCut(entry)) continue;
			const {picture, pieces} = entry;
			if (!places.has(mark)) return picture.cancel;
			this.#sent.set(mark, {...entry, pieces: picture.data.length});
			return picture.data.slice(pieces).join('');
		}
		return '';
	}
}

/** Some of its data was sent and some was not. */
function isCut({picture, pieces}: Entry): boolean {
	return pieces < picture.data.length;
}

function isSame(one: Location, other: Location): boolean {
	return one.left === other.left && one.top === other.top;
}

function soil(grid: Grid, {left, top}: Location, {width, height}: SentPicture): void {
	for (let y = top; y < top + height; y++) {
		const row = y * grid.columns + left;
		grid.glyphs.fill(soiled, row, row + width);
	}
}

function isWhole(
	mark: number,
	{width, height, scrolls}: SentPicture,
	{left, top, count}: Location & {count: number},
	{columns, rows, glyphs}: Grid,
): boolean {
	if (count !== width * height || left + width > columns || top + height > rows - (scrolls ? 1 : 0))
		return false;
	for (let y = top; y < top + height; y++) {
		for (let x = left; x < left + width; x++) if (glyphs[y * columns + x] !== mark) return false;
	}
	return true;
}

function drawText({line, height}: SentPicture, {left, top}: Location, to: Grid, reader: LineReader): void {
	for (let row = 0; row < height; row++) to.draw(reader.read(line?.(row) ?? ''), left, top + row, to.whole);
}
