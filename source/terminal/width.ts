import stringWidth from 'string-width';

/**
 * How many cells text takes, and text cut or filled to a number of cells. Everything here wants text
 * that is already printable (`printable.ts`) and unstyled; Ink measures by the same package, so what
 * fits here fits there.
 */

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});
const ascii = /^[\x20-\x7e]*$/;

/** Cells that the text takes on the screen. */
export function textWidth(text: string): number {
	return ascii.test(text) ? text.length : stringWidth(text);
}

export type TruncateOptions = {
	/** Stands for what was cut. @default '…' */
	readonly ellipsis?: string;
	/** Where the cut is: names that differ at their end are cut in the middle. @default 'end' */
	readonly cut?: 'end' | 'middle' | 'start';
};

export type FitOptions = TruncateOptions & {
	/** @default 'left' */
	readonly align?: 'left' | 'right' | 'center';
};

/** Reads no further than it must: the text may be very long. */
function fitsWithin(text: string, width: number): boolean {
	if (text.length <= width && ascii.test(text)) return true;
	let used = 0;
	for (const {segment} of graphemes.segment(text)) {
		used += textWidth(segment);
		if (used > width) return false;
	}
	return true;
}

/** The longest beginning, in whole glyphs, that takes at most `width` cells. */
function head(text: string, width: number): string {
	if (ascii.test(text)) return text.slice(0, Math.max(width, 0));
	let end = 0;
	let used = 0;
	for (const {segment, index} of graphemes.segment(text)) {
		used += textWidth(segment);
		if (used > width) break;
		end = index + segment.length;
	}
	return text.slice(0, end);
}

/** The longest end, in whole glyphs, that takes at most `width` cells. */
function tail(text: string, width: number): string {
	if (width <= 0) return '';
	if (ascii.test(text)) return text.slice(-width);
	const segments = [...graphemes.segment(text)];
	let start = text.length;
	let used = 0;
	for (const {segment, index} of segments.reverse()) {
		used += textWidth(segment);
		if (used > width) break;
		start = index;
	}
	return text.slice(start);
}

/** Cuts text to at most `width` cells, never inside a glyph, and marks the cut where there is room to. */
export function truncate(
	text: string,
	width: number,
	{ellipsis = '…', cut = 'end'}: TruncateOptions = {},
): string {
	if (fitsWithin(text, width)) return text;
	const mark = head(ellipsis, width);
	const room = width - textWidth(mark);
	if (cut === 'end') return head(text, room) + mark;
	if (cut === 'start') return mark + tail(text, room);
	const before = head(text, Math.ceil(room / 2));
	return before + mark + tail(text, room - textWidth(before));
}

/** Text of exactly `width` cells: cut where it is longer, filled with blanks where it is shorter. */
export function fitTo(text: string, width: number, {align = 'left', ...options}: FitOptions = {}): string {
	const shown = truncate(text, width, options);
	const missing = Math.max(width - textWidth(shown), 0);
	if (align === 'right') return ' '.repeat(missing) + shown;
	if (align === 'left') return shown + ' '.repeat(missing);
	const before = Math.floor(missing / 2);
	return ' '.repeat(before) + shown + ' '.repeat(missing - before);
}

/**
 * Breaks text into lines of at most `width` cells, between words where it can and inside a word, never
 * inside a glyph, where it must. Blanks at a break are dropped. A glyph wider than `width` is left out.
 */
export function wrap(text: string, width: number): readonly string[] {
	if (width <= 0) return [];
	const lines: string[] = [];
	let line = '';
	for (const word of text.match(/ +|[^ ]+/gu) ?? []) {
		if (textWidth(line) + textWidth(word) <= width) {
			line += word;
			continue;
		}
		if (word.startsWith(' ')) {
			lines.push(line.replace(/ +$/, ''));
			line = '';
			continue;
		}
		if (line.replace(/ +$/, '') !== '') {
			lines.push(line.replace(/ +$/, ''));
			line = '';
		}
		let rest = word;
		while (textWidth(rest) > width) {
			const part = head(rest, width) || firstGlyph(rest);
			if (textWidth(part) <= width) lines.push(part);
			rest = rest.slice(part.length);
		}
		line = rest;
	}
	if (line !== '' || lines.length === 0) lines.push(line.replace(/ +$/, ''));
	return lines;
}

function firstGlyph(text: string): string {
	return graphemes.segment(text).containing(0)?.segment ?? '';
}
