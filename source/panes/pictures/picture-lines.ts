import {cellsWithin, pictureRows} from '../../components/half-blocks.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Picture} from '../../store/pictures/picture.ts';
import type {PicturesKnown} from '../../store/pictures/picture-watch.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';

type Lines = readonly (readonly Segment[])[];

type PictureLook = {
	readonly screen: Screen;
	/** Cells of a line. */
	readonly width: number;
	/** Rows that show at once. */
	readonly rows: number;
};

/** Pictures two in a row, each below what it is of. */
export function pictureLines(
	{episodeId, pictures, isReading, problem}: PicturesKnown,
	look: PictureLook,
): Lines {
	const {width, screen} = look;
	if (pictures.length === 0) {
		const isWaiting = isReading || episodeId === undefined;
		const words = problem ?? (isWaiting ? 'reading' : 'there are none');
		return wrap(printable(words, screen.drawing), Math.max(1, width - 2)).map(line => [' ', line]);
	}
	const across = width >= 40 ? 2 : 1;
	const room = Math.floor((width - 1) / across) - 1;
	const lines: (readonly Segment[])[] = [];
	for (let at = 0; at < pictures.length; at += across) {
		const blocks = pictures.slice(at, at + across).map(picture => pictureBlock(picture, room, look));
		const height = Math.max(...blocks.map(({length}) => length));
		for (let row = 0; row < height; row++) {
			lines.push(blocks.flatMap(rows => [' ', ...(rows[row] ?? [' '.repeat(room)])]));
		}
	}
	return lines;
}

/** A picture with its title, each row `room` cells wide. */
export function pictureBlock(
	picture: Picture,
	room: number,
	{screen, rows}: Omit<PictureLook, 'width'>,
): Lines {
	const {of, which, pixels, problem, source} = picture;
	const title = which === 'thumbnail' ? of : `${which} ${screen.signs.separator} ${of}`;
	const head: readonly Segment[] = [screen.cell(title, room, {role: 'title', cut: 'middle'})];
	if (pixels === undefined) {
		const words = wrap(printable(problem ?? 'reading', screen.drawing), room);
		const role = problem === undefined ? 'dim' : 'warning';
		return [head, ...words.map(line => [screen.cell(line, room, {role})])];
	}
	if (screen.drawing.spoken) {
		const from = source === undefined ? '' : ` from ${source}`;
		return [head, [screen.cell(`${pixels.width} x ${pixels.height} pixels${from}`, room)]];
	}
	const cells = cellsWithin(pixels, {width: room, height: Math.max(1, rows - 1)});
	const rest = ' '.repeat(room - cells.width);
	return [head, ...pictureRows(pixels, cells, screen.drawing).map(row => [...row, rest])];
}
