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
	return widthWithin(text, Number.POSITIVE_INFINITY) ?? 0;
}

/** Glyphs and short words are few and come again; measuring one takes some µs. */
const measured = new Map<string, number>();
const mostMeasured = 4096;
const longestMeasured = 16;

function measuredWidth(text: string): number {
	const known = measured.get(text);
	if (known !== undefined) return known;
	const width = stringWidth(text);
	if (text.length > longestMeasured) return width;
	if (measured.size >= mostMeasured) measured.clear();
	measured.set(text, width);
	return width;
}

const glyphWidth = (glyph: string) => (glyph.length === 1 && ascii.test(glyph) ? 1 : measuredWidth(glyph));

export type TruncateOptions = {
	/** Stands for what was cut. @default '…' */
	readonly ellipsis?: string;
	/** Where the cut is: names that differ at their end are cut in the middle. @default 'end' */
	readonly cut?: 'end' | 'middle' | 'start';
};

type FitOptions = TruncateOptions & {
	/** @default 'left' */
	readonly align?: 'left' | 'right' | 'center';
};

/** The width of a text that is at most `width` cells wide. Reads no further than it must: the text may be very long. */
function widthWithin(text: string, width: number): number | undefined {
	if (ascii.test(text)) return text.length <= width ? text.length : undefined;
	if (text.length <= longestMeasured) {
		const short = measuredWidth(text);
		return short <= width ? short : undefined;
	}
	let used = 0;
	for (const {segment} of graphemes.segment(text)) {
		used += glyphWidth(segment);
		if (used > width) return undefined;
	}
	return used;
}

/** The longest beginning, in whole glyphs, that takes at most `width` cells. */
function head(text: string, width: number): string {
	if (ascii.test(text)) return text.slice(0, Math.max(width, 0));
	let end = 0;
	let used = 0;
	for (const {segment, index} of graphemes.segment(text)) {
		used += glyphWidth(segment);
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
		used += glyphWidth(segment);
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
	if (widthWithin(text, width) !== undefined) return text;
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
	let used = 0;
	const end = () => {
		lines.push(line.replace(/ +$/, ''));
		line = '';
		used = 0;
	};
	for (const word of text.match(/ +|[^ ]+/gu) ?? []) {
		const cells = widthWithin(word, width - used);
		if (cells !== undefined) {
			line += word;
			used += cells;
			continue;
		}
		if (word.startsWith(' ')) {
			end();
			continue;
		}
		if (line.replace(/ +$/, '') !== '') end();
		line = '';
		used = 0;
		for (const {segment} of graphemes.segment(word)) {
			const glyph = glyphWidth(segment);
			if (glyph > width) continue;
			if (used + glyph > width) end();
			line += segment;
			used += glyph;
		}
	}
	if (line !== '' || lines.length === 0) end();
	return lines;
}
