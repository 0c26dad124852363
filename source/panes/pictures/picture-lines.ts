import {pictureRows} from '../../components/half-blocks.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {PixelSize, Pixels} from '../../picture/pixels.ts';
import type {DrawnPicture} from '../../store/pictures/pictures.ts';
import {shortNumber} from '../list/figure-words.ts';
import {isWithin, type LaidPicture, type PictureLayout} from './picture-layout.ts';

type Lines = readonly (readonly Segment[])[];

/** A picture as half blocks, as it was drawn before where it was. */
type BlockRows = (pixels: Pixels, cells: PixelSize) => Lines;

export function createBlockRows({drawing}: Screen): BlockRows {
	const kept = new WeakMap<Pixels, {readonly cells: PixelSize; readonly rows: Lines}>();
	return (pixels, cells) => {
		const known = kept.get(pixels);
		if (known?.cells.width === cells.width && known.cells.height === cells.height) return known.rows;
		const rows = pictureRows(pixels, cells, drawing);
		kept.set(pixels, {cells, rows});
		return rows;
	};
}

type LinesLook = {
	readonly screen: Screen;
	readonly blocks: BlockRows;
	/** The first line that shows, and how many do. */
	readonly from: number;
	readonly lines: number;
	/** Pictures that the terminal has, or is given. */
	readonly drawn: ReadonlyMap<Pixels, DrawnPicture>;
};

/** The lines that show: a picture that the terminal has, or is given, and that shows whole is in pixels; others are half blocks. */
export function pictureLines(layout: PictureLayout, look: LinesLook): Lines {
	const {from, lines} = look;
	const {rows, room, words} = layout;
	if (rows.length === 0) return words.map(line => [' ', line]);
	const shown: (readonly Segment[])[] = [];
	for (const row of rows) {
		const [first, end] = [Math.max(from - row.top, 0), Math.min(from + lines - row.top, row.height)];
		if (first >= end) continue;
		const blocks = row.pictures.map(each => block(each, row.top, room, look));
		for (let line = first; line < end; line++) {
			shown.push(blocks.flatMap(block => [' ', ...(block[line] ?? [' '.repeat(room)])]));
		}
	}
	return shown;
}

/** A distance with its unit, where the dataset says one. */
const distance = (value: number, {unit}: {readonly unit: string | null}) =>
	`${shortNumber(value)}${unit === null ? '' : ` ${unit}`}`;

/** A picture with its title, each line `room` cells wide. @param top the line of its title */
function block({picture, cells, words}: LaidPicture, top: number, room: number, look: LinesLook): Lines {
	const {screen, blocks, drawn, from, lines} = look;
	const {of, which, pixels, problem, depth} = picture;
	const named = which === 'thumbnail' ? [of] : [which, of];
	const range =
		depth == null ? [] : [`bright ${distance(depth.near, depth)}, dark ${distance(depth.far, depth)}`];
	const title = [...named, ...range].join(` ${screen.signs.separator} `);
	const head: readonly Segment[] = [screen.cell(title, room, {role: 'title', cut: 'middle'})];
	if (pixels === undefined || cells === undefined) {
		const role = pixels !== undefined ? 'plain' : problem === undefined ? 'dim' : 'warning';
		return [head, ...words.map(line => [screen.cell(line, room, {role})])];
	}
	const rest = ' '.repeat(room - cells.width);
	const own = drawn.get(pixels);
	const isOwn = own?.cells.width === cells.width && own.cells.height === cells.height;
	if (!isOwn || !isWithin(top, cells, from, lines)) {
		return [head, ...blocks(pixels, cells).map(row => [...row, rest])];
	}
	const blanks = ' '.repeat(cells.width);
	const part = own.mark === undefined ? blanks : {text: blanks, role: 'plain' as const, picture: own.mark};
	return [head, ...Array.from({length: cells.height}, () => [part, rest])];
}
