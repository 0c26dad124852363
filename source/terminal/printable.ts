import {type TruncateOptions, truncate, wrap} from './width.ts';

/**
 * The one boundary where text from elsewhere (the service's strings, file names, error details, what a
 * user pastes) becomes text that may be drawn. What comes out has no control character, nothing that
 * hides or reorders, nothing that joins what stands beside it, and takes at least one cell a glyph.
 */

type PrintableOptions = {
	/** For terminals without UTF-8: everything beyond ASCII is shown by number. @default false */
	readonly ascii?: boolean;
};

const plain = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** As more marks than this stand on one letter, the rest is left out: no script needs them, zalgo does. */
const maxMarks = 4;

const lineEnd = /^(?:\r\n|[\n\r\u0085\u2028\u2029])$/u;

/**
 * Never shown as it is: controls, formats (bidi, zero-width, byte order mark, tags), surrogates, private
 * and unassigned code points, everything else that Unicode says to ignore (fillers, variation selectors,
 * grapheme joiner), flags' half letters, and the letters that swallow the character after them.
 */
const unsafe =
	/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Regional_Indicator}\u0d4e\u{113d1}\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u;

const mark = /^\p{M}$/u;
const skinTone = /\p{Emoji_Modifier}/u;
const mayBeEmoji = /\p{Emoji}/u;
const tag = /[\u{e0000}-\u{e007f}]/u;
/** Vowels and finals of Hangul without a leading consonant: terminals give them no cell. */
const looseJamo = /^[\u1160-\u11ff\ud7b0-\ud7fb]/u;

/**
 * The Thai and Lao vowel “am” takes a cell of its own on every terminal, but counts as part of the letter
 * before it; its two halves, one above that letter and one behind it, look the same and count right.
 */
const halves: Readonly<Record<string, string>> = {'\u0e33': '\u0e4d\u0e32', '\u0eb3': '\u0ecd\u0eb2'};

/** Text as it may be drawn, on one line: line ends become `↵` and what has no glyph is shown by name. */
export function printable(text: string, {ascii = false}: PrintableOptions = {}): string {
	if (plain.test(text)) return text;
	if (ascii) return printableAscii(text);
	let result = '';
	const split = text.replaceAll(/[\u0e33\u0eb3]/gu, vowel => halves[vowel] ?? vowel);
	for (const {segment} of graphemes.segment(split)) result += printableGrapheme(segment);
	return result;
}

/**
 * Printable text cut to `width` cells, for text of any length: no more of it is read than can show.
 */
export function printableWithin(
	text: string,
	width: number,
	{ascii = false, ...options}: PrintableOptions & TruncateOptions = {},
): string {
	const ellipsis = options.ellipsis ?? (ascii ? '~' : '…');
	if (width <= 0) return '';
	// A printable glyph takes a cell or more and has few code units; only piles of marks have more.
	const limit = width * 16 + 64;
	if (text.length <= limit) return truncate(printable(text, {ascii}), width, {...options, ellipsis});
	if (options.cut === 'start')
		return truncate(ellipsis + printable(sliceEnd(text, limit), {ascii}), width, {...options, ellipsis});
	const head = printable(sliceStart(text, limit), {ascii});
	if (options.cut !== 'middle') return truncate(head + ellipsis, width, {...options, ellipsis});
	return truncate(`${head}${ellipsis}${printable(sliceEnd(text, limit), {ascii})}`, width, {
		...options,
		ellipsis,
	});
}

/** More of one text is not laid out: it would not be read to its end, and a service may send megabytes. */
const longestLaidOut = 8000;

/** Text from elsewhere in lines of at most `width` cells, as far as anybody reads it. */
export function printableLines(
	text: string,
	width: number,
	options: PrintableOptions = {},
): readonly string[] {
	if (text.length <= longestLaidOut) return wrap(printable(text, options), width);
	const lines = wrap(printable(sliceStart(text, longestLaidOut), options), width);
	return [...lines, ...wrap(`(and ${text.length - longestLaidOut} characters more)`, width)];
}

function sliceStart(text: string, length: number): string {
	return text.slice(0, isHighSurrogate(text, length - 1) ? length - 1 : length);
}

function sliceEnd(text: string, length: number): string {
	const start = text.length - length;
	return text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start);
}

function isHighSurrogate(text: string, index: number): boolean {
	const unit = text.charCodeAt(index);
	return unit >= 0xd800 && unit <= 0xdbff;
}

function printableGrapheme(segment: string): string {
	if (segment.length === 1 && segment >= ' ' && segment <= '~') return segment;
	if (lineEnd.test(segment)) return '↵';
	if (isSoundEmoji(segment)) return segment;
	if (looseJamo.test(segment)) return [...segment].map(name).join('');
	let result = '';
	let hasBase = false;
	let marks = 0;
	for (const character of segment) {
		if (unsafe.test(character) || skinTone.test(character)) {
			result += name(character);
			hasBase = false;
		} else if (!mark.test(character)) {
			result += character;
			hasBase = true;
			marks = 0;
		} else if (!hasBase) {
			// A mark without a letter would go on top of whatever is drawn before it.
			result += joinsBefore(character) ? `◌${character}` : character;
			hasBase = true;
			marks = 1;
		} else {
			marks++;
			if (marks <= maxMarks) result += character;
		}
	}
	return marks > maxMarks ? `${result}…` : result;
}

function joinsBefore(character: string): boolean {
	return graphemes.segment(`◌${character}`).containing(0)?.segment !== '◌';
}

/** An emoji that Unicode recommends for interchange; a lone skin tone would colour what is before it. */
function isSoundEmoji(segment: string): boolean {
	// V8 takes 1 ms to build the set of all emoji: not at the start, nor for text that has none.
	if (!mayBeEmoji.test(segment) || !/^\p{RGI_Emoji}$/v.test(segment) || tag.test(segment)) return false;
	const first = String.fromCodePoint(segment.codePointAt(0) ?? 0);
	return !skinTone.test(first);
}

/** How a character that can't be drawn is shown: its control picture, or its number. */
function name(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return '␡';
	return number(code);
}

function number(code: number): string {
	const digits = code.toString(16);
	return code <= 0xff ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
}

function printableAscii(text: string): string {
	let result = '';
	for (const character of text.replaceAll('\r\n', '\n')) {
		const code = character.codePointAt(0) ?? 0;
		if (plain.test(character)) result += character;
		else if (character === '\n') result += '\\n';
		else if (code < 0x20) result += `^${String.fromCodePoint(code + 0x40)}`;
		else if (code === 0x7f) result += '^?';
		else result += number(code);
	}
	return result;
}
