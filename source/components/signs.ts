/** The signs that panes draw besides letters. Every sign takes one cell, in both sets. */
export type Signs = {
	/** Before the selected row; `idlePointer` in a pane that has not the keyboard. */
	readonly pointer: string;
	readonly idlePointer: string;
	readonly check: {readonly on: string; readonly off: string};
	readonly yes: string;
	readonly no: string;
	readonly partly: string;
	readonly folded: string;
	readonly dot: string;
	readonly ring: string;
	readonly warning: string;
	/** Where typing goes, behind the end of a field. */
	readonly caret: string;
	readonly up: string;
	readonly down: string;
	readonly separator: string;
	readonly ellipsis: string;
	/** Stands for a value that is not there. */
	readonly none: string;
	readonly line: Lines;
	/** A share of one as the height of one cell. */
	readonly level: (share: number) => string;
	/** A share of one as a bar over exactly `width` cells. */
	readonly share: (share: number, width: number) => string;
	/** A progress bar of exactly `width` cells. */
	readonly progress: (share: number, width: number) => string;
};

type Lines = {
	readonly horizontal: string;
	/** A line of the pane that has the keyboard. */
	readonly heavy: string;
	readonly vertical: string;
	readonly teeLeft: string;
	readonly teeRight: string;
	readonly teeTop: string;
	readonly cross: string;
};

function bounded(share: number): number {
	return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/**
 * A bar of exactly `width` cells.
 *
 * @param steps parts of a cell filled from the left, emptiest first, the last one whole.
 * @param track a cell that is not filled.
 */
function bar(share: number, width: number, steps: readonly string[], track: string): string {
	const parts = width * steps.length;
	const wanted = Math.round(bounded(share) * parts);
	// Something is never drawn as nothing, and not all never as all.
	const filled = share <= 0 ? 0 : share >= 1 ? parts : Math.min(parts - 1, Math.max(1, wanted));
	const whole = Math.floor(filled / steps.length);
	const rest = filled % steps.length;
	const drawn = (steps.at(-1) ?? '').repeat(whole) + (rest === 0 ? '' : (steps[rest - 1] ?? ''));
	return drawn + track.repeat(Math.max(0, width - whole - (rest === 0 ? 0 : 1)));
}

function level(share: number, heights: readonly string[]): string {
	return heights[Math.min(heights.length - 1, Math.floor(bounded(share) * heights.length))] ?? ' ';
}

const eighths = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const unicode: Signs = {
	pointer: '▸',
	idlePointer: '▹',
	check: {on: '▣', off: '▢'},
	yes: '✓',
	no: '✗',
	partly: '◐',
	folded: '▸',
	dot: '●',
	ring: '○',
	warning: '▲',
	caret: '▏',
	up: '↑',
	down: '↓',
	separator: '·',
	ellipsis: '…',
	none: '—',
	line: {
		horizontal: '─',
		heavy: '━',
		vertical: '│',
		teeLeft: '├',
		teeRight: '┤',
		teeTop: '┬',
		cross: '┼',
	},
	level: share => level(share, heights),
	share: (share, width) => bar(share, width, eighths, ' '),
	progress: (share, width) => bar(share, width, ['▓'], '░'),
};

const asciiHeights = ['_', '.', '-', '=', '+', '*', '#'];

const ascii: Signs = {
	pointer: '>',
	idlePointer: '-',
	check: {on: 'x', off: '.'},
	yes: '+',
	no: 'x',
	partly: '~',
	folded: '>',
	dot: '*',
	ring: 'o',
	warning: '!',
	caret: '_',
	up: '^',
	down: 'v',
	separator: '-',
	ellipsis: '~',
	none: '-',
	line: {
		horizontal: '-',
		heavy: '=',
		vertical: '|',
		teeLeft: '+',
		teeRight: '+',
		teeTop: '+',
		cross: '+',
	},
	level: share => level(share, asciiHeights),
	share: (share, width) => bar(share, width, ['#'], ' '),
	progress: (share, width) => bar(share, width, ['#'], '.'),
};

const blank = (width: number) => ' '.repeat(width);

/** Read aloud, lines and bars are noise: their figures stand beside them. */
const spoken: Signs = {
	...ascii,
	idlePointer: ' ',
	none: '-',
	line: {horizontal: ' ', heavy: ' ', vertical: ' ', teeLeft: ' ', teeRight: ' ', teeTop: ' ', cross: ' '},
	level: () => ' ',
	share: (_share, width) => blank(width),
	progress: (_share, width) => blank(width),
};

/** The set that the terminal can draw. */
export function signsFor({
	unicode: isUnicode,
	isSpoken = false,
}: {
	readonly unicode: boolean;
	readonly isSpoken?: boolean;
}): Signs {
	if (isSpoken) return spoken;
	return isUnicode ? unicode : ascii;
}

/** Every character that the signs are made of: one code unit, one cell, nothing that a terminal obeys. */
export const drawnCharacters: ReadonlySet<string> = new Set(
	[...[unicode, ascii].flatMap(strings), ...eighths, ...heights, ...asciiHeights, '▓', '░', '#'].join(''),
);

function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const plain = /^[\x20-\x7e]*$/;
/** Braille, which plots are made of, and the half block of pictures: one cell a character everywhere. */
const drawnBesides = '\\u2800-\\u28ff\\u2580';
const drawn = new RegExp(
	`^[\\x20-\\x7e${drawnBesides}${[...drawnCharacters].join('').replaceAll(/[\]\\^-]/g, '\\$&')}]*$`,
);

/**
 * True where text is made of ASCII and of signs alone, and so is printable as it is and takes a cell a code unit: most of
 * the screen is, and is spared being looked at grapheme by grapheme.
 */
export function isDrawn(text: string, isAscii: boolean): boolean {
	return isAscii ? plain.test(text) : drawn.test(text);
}
