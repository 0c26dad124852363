import {cellsOf, type Segment} from '../../components/segment.ts';
import type {Role} from '../../components/style.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';

/** A run of words of one look. */
export type Run = {readonly text: string; readonly role: Role; readonly link?: string | undefined};

type FlowOptions = {
	readonly width: number;
	readonly ascii: boolean;
	/** Before the first line, and before those behind it: as wide as one another. */
	readonly first?: readonly Segment[];
	readonly rest?: readonly Segment[];
};

/** A line end that is meant: `<br>` or two blanks. */
export const lineBreak = '\n';

/** Lays runs of words out in lines of at most `width` cells. */
export function flow(
	runs: readonly Run[],
	{width, ascii, first = [], rest = first}: FlowOptions,
): readonly (readonly Segment[])[] {
	const lead = first.reduce(
		(sum, segment) => sum + cellsOf(typeof segment === 'string' ? segment : segment.text),
		0,
	);
	const room = Math.max(4, width - lead);
	const lines: Segment[][] = [];
	let line: Segment[] = [];
	let used = 0;
	let isSpaced = false;
	const end = () => {
		lines.push([...(lines.length === 0 ? first : rest), ...line]);
		line = [];
		used = 0;
		isSpaced = false;
	};
	for (const {text, role, link} of runs) {
		for (const part of text.split(/(\n|[ \t\r\f\v]+)/)) {
			if (part === '') continue;
			if (part === lineBreak) end();
			else if (/^\s+$/.test(part)) isSpaced = used > 0;
			else {
				for (const piece of wrap(printable(part, {ascii}), room)) {
					const cells = cellsOf(piece);
					const gap = isSpaced ? 1 : 0;
					if (used > 0 && used + gap + cells > room) end();
					else if (gap === 1) {
						line.push(' ');
						used++;
					}
					isSpaced = false;
					line.push(link === undefined ? {text: piece, role} : {text: piece, role, link});
					used += cells;
				}
			}
		}
	}
	if (line.length > 0) end();
	return lines;
}
