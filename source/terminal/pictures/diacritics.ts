/**
 * The marks by which kitty's placeholders count rows and columns, from 0 (its `rowcolumn-diacritics.txt`: combining
 * class 230 without a decomposition, in Unicode 6.0), the first of 297, as spans of code points.
 */
const spans: readonly (readonly [first: number, last?: number])[] = [
	[0x305],
	[0x30d, 0x30e],
	[0x310],
	[0x312],
	[0x33d, 0x33f],
	[0x346],
	[0x34a, 0x34c],
	[0x350, 0x352],
	[0x357],
	[0x35b],
	[0x363, 0x36f],
	[0x483, 0x487],
	[0x592, 0x595],
	[0x597, 0x599],
	[0x59c, 0x5a1],
	[0x5a8, 0x5a9],
	[0x5ab, 0x5ac],
	[0x5af],
	[0x5c4],
	[0x610, 0x617],
	[0x657, 0x65b],
	[0x65d, 0x65e],
	[0x6d6, 0x6dc],
	[0x6df, 0x6e2],
	[0x6e4],
	[0x6e7, 0x6e8],
	[0x6eb, 0x6ec],
	[0x730],
	[0x732, 0x733],
	[0x735, 0x736],
	[0x73a],
	[0x73d],
	[0x73f, 0x741],
	[0x743],
	[0x745],
	[0x747],
	[0x749, 0x74a],
	[0x7eb, 0x7f1],
	[0x7f3],
];

const marks = spans.flatMap(([first, last = first]) =>
	Array.from({length: last - first + 1}, (_, at) => String.fromCodePoint(first + at)),
);

/** How many there are. */
export const mostDiacritics = marks.length;

/** @throws {RangeError} for a number that none stands for. */
export function diacritic(number: number): string {
	const found = marks[number];
	if (found === undefined) throw new RangeError(`no mark stands for ${number}`);
	return found;
}
