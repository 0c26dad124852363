import {hyperlink, webTarget} from '../terminal/hyperlink.ts';
import {printable, printableWithin} from '../terminal/printable.ts';
import {graphicRendition} from '../terminal/sequences.ts';
import {fitTo, textWidth, truncate} from '../terminal/width.ts';
import {isDrawn} from './signs.ts';
import {type Role, type StyleAbilities, sgr} from './theme.ts';

/** A piece of a line: its text, from wherever it came, and what it means. */
export type Segment =
	| string
	| {
			readonly text: string;
			readonly role: Role;
			/** An address that it leads to, from wherever that came; followed only where it is one of the web. */
			readonly link?: string | undefined;
			/** Colours of its own: a cell of a picture. */
			readonly paint?: Paint;
			/** Cells that a picture in pixels lies on: what each of them holds, as the terminal's board gave it. */
			readonly picture?: string;
	  };

/** Properties of the terminal that drawing a line depends on. */
export type Drawing = StyleAbilities & {
	/** Nothing beyond ASCII may be drawn. */
	readonly ascii: boolean;
	/** Lines are read aloud: blanks that only line things up are left out. @default false */
	readonly spoken?: boolean;
	/** The terminal is known to take links (OSC 8). @default false */
	readonly links?: boolean;
	/** How many colours a picture may have. @default 'none' */
	readonly colours?: 'none' | '16' | '256' | 'truecolor';
	/** The link to the terminal may be slow: pictures are sent when they are asked for. @default false */
	readonly remote?: boolean;
};

type Cut = 'end' | 'middle' | 'start';

export type CellOptions = {
	/** @default 'left' */
	readonly align?: 'left' | 'right';
	/** @default 'plain' */
	readonly role?: Role;
	/** Where text that is too long is cut. @default 'end' */
	readonly cut?: Cut;
	/** @default false */
	readonly ascii?: boolean;
};

/** Text as a piece of exactly `width` cells, made printable before it is measured. */
export function cell(text: string, width: number, options: CellOptions = {}): Exclude<Segment, string> {
	const {align = 'left', role = 'plain', cut = 'end', ascii = false} = options;
	if (text.length <= longestQuick && isDrawn(text, ascii)) {
		const shown = clip(text, Math.max(0, width), cut, ascii);
		return {text: align === 'left' ? shown.padEnd(width) : shown.padStart(width), role};
	}
	return {text: fitTo(printableWithin(text, width, {cut, ascii}), width, {align}), role};
}

/** Longer texts are not looked through for the sake of a screen's width. */
const longestQuick = 1000;

const ellipsisOf = (ascii: boolean) => (ascii ? '~' : '…');

/** Text of one cell a code unit, cut to `width` cells. */
function clip(text: string, width: number, cut: Cut, ascii: boolean): string {
	if (text.length <= width) return text;
	if (width === 0) return '';
	const ellipsis = ellipsisOf(ascii);
	const room = width - 1;
	if (cut === 'end') return text.slice(0, room) + ellipsis;
	if (cut === 'start') return ellipsis + text.slice(text.length - room);
	const before = Math.ceil(room / 2);
	return text.slice(0, before) + ellipsis + text.slice(text.length - (room - before));
}

function segmentText(segment: Segment): string {
	return typeof segment === 'string' ? segment : segment.text;
}

/** Cells that text takes once it is printable. */
export function cellsOf(text: string, ascii = false): number {
	const isQuick = text.length <= longestQuick && isDrawn(text, ascii);
	return isQuick ? text.length : textWidth(printable(text, {ascii}));
}

/** Cells that a line of segments takes. */
export function lineWidth(segments: readonly Segment[]): number {
	return segments.reduce((sum, segment) => sum + cellsOf(segmentText(segment)), 0);
}

/**
 * The one way from segments to what Ink draws: made printable, cut to `width` cells and styled.
 *
 * @param options.role look of the whole line; the line is then filled to its width, so that an inverse bar reaches
 * from edge to edge.
 */
export function renderLine(
	segments: readonly Segment[],
	width: number,
	{role, ascii, spoken, links = false, colours, ...abilities}: Drawing & {readonly role?: Role | undefined},
): string {
	if (spoken) return spokenLine(segments, ascii);
	let room = width;
	let line = '';
	for (const segment of segments) {
		if (room <= 0) break;
		const shown = within(segmentText(segment), room, ascii);
		room -= cellsOf(shown);
		const {paint, picture} = typeof segment === 'string' ? {} : segment;
		if (picture !== undefined) {
			line += picture.repeat(cellsOf(shown));
			continue;
		}
		if (paint !== undefined && (colours === '256' || colours === 'truecolor')) {
			line += painted(shown, paint, colours);
			continue;
		}
		const drawn = styled(shown, typeof segment === 'string' ? 'plain' : segment.role, role, abilities);
		line += links && typeof segment !== 'string' && segment.link ? linked(drawn, segment.link) : drawn;
	}
	return role === undefined ? line : line + styled(' '.repeat(Math.max(room, 0)), 'plain', role, abilities);
}

/** A link around what is drawn already, where the address is one that may be followed. */
function linked(drawn: string, address: string): string {
	const target = drawn === '' ? undefined : webTarget(address);
	return target === undefined ? drawn : hyperlink(drawn, target);
}

/** The words of a line without what places them. */
function spokenLine(segments: readonly Segment[], ascii: boolean): string {
	const line = segments.map(segment => printable(segmentText(segment), {ascii})).join('');
	return line.replaceAll(/ {2,}/g, ' ').trim();
}

/** Text made printable and cut to the room that is left. */
function within(text: string, room: number, ascii: boolean): string {
	if (text.length <= longestQuick && isDrawn(text, ascii)) return clip(text, room, 'end', ascii);
	return truncate(printable(text, {ascii}), room, {ellipsis: ellipsisOf(ascii)});
}

function styled(text: string, role: Role, lineRole: Role | undefined, abilities: StyleAbilities): string {
	if (text === '') return '';
	const roles = lineRole === undefined ? [role] : [lineRole, role];
	const {open, close, marksBlanks} = sgr(roles, abilities);
	if (open === '' || marksBlanks) return open + text + close;
	// A look that blanks do not show is not given to them: it would be bytes for nothing whenever it changes.
	const word = text.trim();
	if (word === '') return text;
	const start = text.indexOf(word);
	return text.slice(0, start) + open + word + close + text.slice(start + word.length);
}

/** Red, green and blue, 0 to 255. */
type PaintColour = readonly [red: number, green: number, blue: number];

/** The two colours of a cell that is a piece of a picture. */
type Paint = {readonly above: PaintColour; readonly below: PaintColour};

/** A cell's text in two colours of its own. */
function painted(text: string, {above, below}: Paint, colours: '256' | 'truecolor'): string {
	const open = graphicRendition(38, parameters(above, colours), 48, parameters(below, colours));
	return open + text + graphicRendition(39, 49);
}

function parameters(colour: PaintColour, colours: '256' | 'truecolor'): string {
	if (colours === '256') return `5;${paletteNumber(colour)}`;
	return `2;${colour.map(coarse).join(';')}`;
}

/** In steps of 8: no eye sees them in a cell, and neighbours are alike more often, which is bytes saved. */
function coarse(value: number): number {
	return Math.min(255, Math.round(value / 8) * 8);
}

/** The levels of the cube of 216 colours that xterm's palette has from 16 on; greys follow from 232. */
const levels = [0, 95, 135, 175, 215, 255];

function paletteNumber([red, green, blue]: PaintColour): number {
	if (Math.max(red, green, blue) - Math.min(red, green, blue) < 12) {
		const grey = Math.round(((red + green + blue) / 3 - 8) / 10);
		if (grey >= 0 && grey <= 23) return 232 + grey;
	}
	const [r = 0, g = 0, b = 0] = [red, green, blue].map(nearestLevel);
	return 16 + 36 * r + 6 * g + b;
}

function nearestLevel(value: number): number {
	let nearest = 0;
	for (const [place, level] of levels.entries()) {
		if (Math.abs(level - value) < Math.abs((levels[nearest] ?? 0) - value)) nearest = place;
	}
	return nearest;
}
