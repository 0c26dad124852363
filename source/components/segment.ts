import {printable, printableWithin} from '../terminal/printable.ts';
import {fitTo, textWidth, truncate} from '../terminal/width.ts';
import {type Role, type StyleAbilities, sgr} from './style.ts';

/** A piece of a line: its text, from wherever it came, and what it means. */
export type Segment = string | {readonly text: string; readonly role: Role};

/** What drawing a line needs to know of the terminal. */
export type Drawing = StyleAbilities & {
	/** Nothing beyond ASCII may be drawn. */
	readonly ascii: boolean;
};

export type CellOptions = {
	/** @default 'left' */
	readonly align?: 'left' | 'right';
	/** @default 'plain' */
	readonly role?: Role;
	/** Where text that is too long is cut. @default 'end' */
	readonly cut?: 'end' | 'middle' | 'start';
	/** @default false */
	readonly ascii?: boolean;
};

/** Text as a piece of exactly `width` cells, made printable before it is measured. */
export function cell(text: string, width: number, options: CellOptions = {}): Segment {
	const {align = 'left', role = 'plain', cut = 'end', ascii = false} = options;
	return {text: fitTo(printableWithin(text, width, {cut, ascii}), width, {align}), role};
}

export function segmentText(segment: Segment): string {
	return typeof segment === 'string' ? segment : segment.text;
}

/** Cells that a line of segments takes. */
export function lineWidth(segments: readonly Segment[]): number {
	return segments.reduce((sum, segment) => sum + textWidth(printable(segmentText(segment))), 0);
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
	{role, ascii, ...abilities}: Drawing & {readonly role?: Role | undefined},
): string {
	let room = width;
	let line = '';
	for (const segment of segments) {
		if (room <= 0) break;
		const shown = truncate(printable(segmentText(segment), {ascii}), room, {ellipsis: ascii ? '~' : '…'});
		room -= textWidth(shown);
		line += styled(shown, typeof segment === 'string' ? 'plain' : segment.role, role, abilities);
	}
	return role === undefined ? line : line + styled(' '.repeat(Math.max(room, 0)), 'plain', role, abilities);
}

function styled(text: string, role: Role, lineRole: Role | undefined, abilities: StyleAbilities): string {
	if (text === '') return '';
	const roles = lineRole === undefined ? [role] : [lineRole, role];
	const {open, close} = sgr(roles, abilities);
	return open + text + close;
}
