import {cellsOf, type Segment} from '../../components/segment.ts';
import {type CardRun, lineBreak} from '../../picture/card-runs.ts';
import {printable} from '../../terminal/printable.ts';
import {textWidth, wrap} from '../../terminal/width.ts';

type FlowOptions = {
	readonly width: number;
	readonly ascii: boolean;
	/** Before the first line, and before those behind it: as wide as one another. */
	readonly first?: readonly Segment[];
	readonly rest?: readonly Segment[];
};

/** A mark that a blank comes before has no letter to stand on: it gets one, as the blank may end a line. */
const plainBlanks = (text: string) => text.replaceAll(/[ \t\r\f\v]+/g, ' ').replaceAll(/ (?=\p{M})/gu, ' ◌');

/** Lays runs of words out in lines of at most `width` cells. */
export function flow(
	runs: readonly CardRun[],
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
		for (const [place, whole] of text.split(lineBreak).entries()) {
			if (place > 0) end();
			for (const part of printable(plainBlanks(whole), {ascii}).split(/( +)/)) {
				if (part === '') continue;
				if (part.startsWith(' ')) {
					isSpaced = used > 0;
					continue;
				}
				for (const piece of wrap(part, room)) {
					const cells = textWidth(piece);
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
