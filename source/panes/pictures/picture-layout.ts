import {cellsWithin} from '../../components/half-blocks.ts';
import type {Drawing} from '../../components/segment.ts';
import type {PixelSize, Pixels} from '../../picture/pixels.ts';
import type {PicturesKnown} from '../../store/pictures/picture-watch.ts';
import {longestSide, type Picture, type WantedPicture} from '../../store/pictures/pictures.ts';
import type {PictureWay} from '../../terminal/pictures/picture-protocol.ts';
import {printableLines} from '../../terminal/printable.ts';

/** A picture with its title, and where it stands. */
export type LaidPicture = {
	readonly picture: Picture;
	/** Below the title: the picture on these cells, or words. */
	readonly cells: PixelSize | undefined;
	readonly words: readonly string[];
};

/** Pictures beside one another. */
type PictureRow = {
	/** The line of its titles. */
	readonly top: number;
	/** Lines of it, with that of the titles. */
	readonly height: number;
	readonly pictures: readonly LaidPicture[];
};

export type PictureLayout = {
	readonly rows: readonly PictureRow[];
	/** Lines of all rows. */
	readonly height: number;
	/** Cells of a line for each picture. */
	readonly room: number;
	/** The message where there are no pictures. */
	readonly words: readonly string[];
};

export type LayoutLook = {
	/** Lines that show at once. */
	readonly lines: number;
	readonly drawing: Drawing;
	readonly way: PictureWay | undefined;
	/** Cells of a side that a picture may cover. */
	readonly mostCells: number;
};

/** A picture in pixels on as many lines shows what matters; larger, it would only push others off the screen. */
const fewestLines = 8;

/**
 * Lays the pictures out, two in a row, each below what it is of; a row of them is never higher than what shows, and in
 * pixels all of them show at once where that is not too small.
 *
 * @param width cells of a line.
 */
export function layPictures(known: PicturesKnown, width: number, look: LayoutLook): PictureLayout {
	const {drawing, way, lines} = look;
	const across = width >= 40 ? 2 : 1;
	const room = Math.floor((width - 1) / across) - 1;
	const share = Math.floor(lines / Math.ceil(known.pictures.length / across));
	const own = inPixels(way) !== undefined && share > fewestLines ? {...look, lines: share} : look;
	const rows: PictureRow[] = [];
	let height = 0;
	for (let at = 0; at < known.pictures.length; at += across) {
		const pictures = known.pictures.slice(at, at + across).map(picture => laid(picture, room, own));
		const tallest = Math.max(...pictures.map(({cells, words}) => cells?.height ?? words.length));
		rows.push({top: height, height: tallest + 1, pictures});
		height += tallest + 1;
	}
	const words =
		rows.length > 0 ? [] : printableLines(wordsWithout(known, way), Math.max(1, width - 2), drawing);
	return {rows, height, room, words};
}

export const picturesOff = 'Images are off ("pictures" in the configuration, LAKESCOPE_PICTURES).';

function wordsWithout({episodeId, isReading, problem}: PicturesKnown, way: PictureWay | undefined): string {
	if (way?.kind === 'off') return picturesOff;
	return problem ?? (isReading || episodeId === undefined ? 'reading' : 'none');
}

/** One picture alone, with all the room that there is. */
export function layAlone(picture: Picture, room: number, look: LayoutLook): PictureLayout {
	const one = laid(picture, room, look);
	const height = (one.cells?.height ?? one.words.length) + 1;
	return {rows: [{top: 0, height, pictures: [one]}], height, room, words: []};
}

/** The content below a picture's title, in `cells` of a line. */
function laid(picture: Picture, room: number, look: LayoutLook): LaidPicture {
	const {drawing} = look;
	const {pixels, problem, source} = picture;
	if (pixels === undefined) {
		return {picture, cells: undefined, words: printableLines(problem ?? 'reading', room, drawing)};
	}
	if (drawing.spoken) {
		const from = source === undefined ? '' : ` from ${source}`;
		return {picture, cells: undefined, words: [`${pixels.width} x ${pixels.height} pixels${from}`]};
	}
	return {picture, cells: cellsOf(pixels, room, look), words: []};
}

function cellsOf(pixels: Pixels, room: number, {lines, way, mostCells}: LayoutLook): PixelSize {
	const bound = {width: Math.min(room, mostCells), height: Math.min(Math.max(1, lines - 1), mostCells)};
	if (way?.kind !== 'kitty' && way?.kind !== 'iterm2' && way?.kind !== 'sixel')
		return cellsWithin(pixels, bound);
	const {kind, cell} = way;
	// Sixel is not scaled by the terminal: what covers more cells is more to send.
	const widest = (side: number) => Math.max(1, kind === 'sixel' ? Math.floor(longestSide / side) : Infinity);
	const within = {
		width: Math.min(bound.width, widest(cell.width)),
		height: Math.min(bound.height, widest(cell.height)),
	};
	return cellsWithin(pixels, within, cell.height / cell.width);
}

function inPixels(way: PictureWay | undefined) {
	return way === undefined || way.kind === 'blocks' || way.kind === 'off' ? undefined : way;
}

/** Six rows of pixels are one of sixel: what is no multiple of it would reach into the next row of cells. */
const sixelBand = 6;

/** The pictures of which every cell shows between two lines, as the terminal is to be given them. */
export function wantedPictures(
	{rows}: PictureLayout,
	way: PictureWay,
	{from, lines}: {from: number; lines: number},
): readonly WantedPicture[] {
	const own = inPixels(way);
	if (own === undefined) return [];
	const {kind, cell, mostCharacters} = own;
	const wanted: WantedPicture[] = [];
	for (const {top, pictures} of rows) {
		for (const {picture, cells} of pictures) {
			if (picture.pixels === undefined || cells === undefined) continue;
			if (!isWithin(top, cells, from, lines)) continue;
			const width = cells.width * cell.width;
			const height = cells.height * cell.height;
			const whole = kind === 'sixel' ? Math.max(sixelBand, height - (height % sixelBand)) : height;
			const encoded = {
				format: kind === 'sixel' ? 'sixel' : 'png',
				size: {width, height: whole},
				mostCharacters,
			} as const;
			wanted.push({pixels: picture.pixels, cells, encoded});
		}
	}
	return wanted;
}

/** True if a picture, whose title is in line `top`, is on the screen with all its cells. */
export function isWithin(top: number, cells: PixelSize, from: number, lines: number): boolean {
	return top + 1 >= from && top + 1 + cells.height <= from + lines;
}

/** How many rows of pictures one can go down to: the last steps would only bring blank lines. */
export function steps({rows, height}: PictureLayout, lines: number): number {
	const last = rows.findIndex(({top}) => height - top <= lines);
	return last < 0 ? Math.max(1, rows.length) : last + 1;
}
