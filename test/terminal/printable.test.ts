import fc from 'fast-check';
import {expect, test} from 'vitest';
import {printable, printableLines, printableWithin} from '../../source/terminal/printable.ts';
import {textWidth} from '../../source/terminal/width.ts';

fc.configureGlobal({seed: 20_260_101, numRuns: 300});

/** Text that a lake may hold by accident or on purpose: every plane, and the characters that do harm. */
const hostileText = fc
	.array(
		fc.oneof(
			fc.string({unit: 'binary', maxLength: 6}),
			fc.string({unit: 'grapheme', maxLength: 6}),
			fc.integer({min: 0, max: 0xffff}).map(code => String.fromCharCode(code)),
			fc.constantFrom(
				'\u001b[2J',
				'\u001b]0;title\u0007',
				'\u009b31m',
				'\u202e',
				'\u2066',
				'\u200b',
				'\u200d',
				'\ufe0f',
				'\u{e0041}',
				'\u{e0100}',
				'\ufeff',
				'\u0301'.repeat(40),
				'🏽',
				'🇩',
				'👩‍👩‍👧',
				'\u1161',
				'\u3164',
				'\r\n',
				'\ud800',
				'क्ष',
				'ｶﾞ',
				'กำ',
				'각',
			),
		),
	)
	.map(parts => parts.join(''));

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

test.each([
	['plain ASCII', 'fold the towel', 'fold the towel'],
	['ordinary writing', 'Tuch falten é 布を畳む 수건 접기', 'Tuch falten é 布を畳む 수건 접기'],
	['an escape sequence', 'a\u001b[31mb', 'a␛[31mb'],
	['a C1 introducer', '\u009b2J', '\\x9b2J'],
	['delete and null', 'a\u007f\u0000', 'a␡␀'],
	['line ends of every kind', 'a\nb\r\nc\rd\u2028e\u2029f\u0085g', 'a↵b↵c↵d↵e↵f↵g'],
	['a tab', 'a\tb', 'a␉b'],
	['a bidi override', 'x\u202egpj.exe', 'x\\u{202e}gpj.exe'],
	['zero-width characters', 'a\u200bb\u200d\u2060c', 'a\\u{200b}b\\u{200d}\\u{2060}c'],
	['a byte order mark', '\ufefftask', '\\u{feff}task'],
	['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
	['a variation selector out of place', 'a\ufe0f', 'a\\u{fe0f}'],
	['a lone surrogate', 'a\ud83d', 'a\\u{d83d}'],
	['a private-use character', '\ue0b0', '\\u{e0b0}'],
	['an unassigned code point', '\u{10fff0}\uffff', '\\u{10fff0}\\u{ffff}'],
	['a Hangul filler', 'a\u3164', 'a\\u{3164}'],
	['an accent without a letter', '\u0301x', '◌\u0301x'],
	['an accent behind a control', 'a\u0007\u0301', 'a␇◌\u0301'],
	['an accent on a letter', 'e\u0301', 'e\u0301'],
	['piled marks', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(4)}…b`],
	['Thai, whose vowel am takes a cell', 'น้ำ', 'น้\u0e4d\u0e32'],
	['emoji', '😀❤️👍🏽🇩🇪1️⃣👩‍👩‍👧', '😀❤️👍🏽🇩🇪1️⃣👩‍👩‍👧'],
	['a flag spelt with tags', '🏴\u{e0067}\u{e007f}', '🏴\\u{e0067}\\u{e007f}'],
	['half a flag', '🇩x', '\\u{1f1e9}x'],
	['a skin tone on a letter', 'a🏽', 'a\\u{1f3fd}'],
	['joined characters that are no emoji', 'a\u200db', 'a\\u{200d}b'],
])('%s', (_what, text, shown) => {
	expect(printable(text)).toBe(shown);
});

test('without unicode everything beyond ASCII is shown by number', () => {
	expect(printable('é\n\u001b€\u007f\t ok', {ascii: true})).toBe('\\xe9\\n^[\\u{20ac}^?^I ok');
	fc.assert(
		fc.property(hostileText, text => {
			expect(printable(text, {ascii: true})).toMatch(/^[\x20-\x7e]*$/);
		}),
	);
});

test('nothing that controls, hides or reorders is left, whatever came', () => {
	const harmful =
		/[\p{Cc}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff\u{e0000}-\u{e0fff}]/u;
	const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
	fc.assert(
		fc.property(hostileText, text => {
			const shown = printable(text);
			expect(shown).not.toMatch(harmful);
			for (const {segment} of graphemes.segment(shown)) {
				if (invisible.test(segment)) expect(segment).toMatch(/^\p{RGI_Emoji}$/v);
				expect([...segment].filter(character => /\p{M}/u.test(character)).length).toBeLessThan(24);
			}
		}),
	);
});

test('every glyph takes a cell, and making printable text printable changes nothing', () => {
	fc.assert(
		fc.property(hostileText, text => {
			const shown = printable(text);
			for (const {segment} of graphemes.segment(shown)) expect(textWidth(segment)).toBeGreaterThan(0);
			expect(printable(shown)).toBe(shown);
		}),
	);
});

test('what is drawn beside printable text does not join it', () => {
	fc.assert(
		fc.property(hostileText, hostileText, (a, b) => {
			const left = printable(a);
			const right = printable(b);
			expect(textWidth(`│${left}…${right} │`)).toBe(textWidth(left) + textWidth(right) + 4);
		}),
	);
});

test('printed within a width it is never wider, and as long as it may be', () => {
	fc.assert(
		fc.property(
			hostileText,
			fc.integer({min: 0, max: 40}),
			fc.constantFrom('end' as const, 'middle' as const, 'start' as const),
			(text, width, cut) => {
				const shown = printableWithin(text, width, {cut});
				const whole = printable(text);
				expect(textWidth(shown)).toBeLessThanOrEqual(width);
				if (textWidth(whole) <= width && text.length <= width * 16) expect(shown).toBe(whole);
				else if (width > 0) expect(shown).toContain('…');
			},
		),
	);
});

test('a text of a quarter of a million characters costs no more than what shows of it', () => {
	const text = 'é\u202e'.repeat(131_072);
	const shown = printableWithin(text, 10);
	expect(shown).toBe('é\\u{202e}…');
	expect(printableWithin(text, 21, {cut: 'middle'})).toMatch(/^é\\u\{202e\}.*….*\\u\{202e\}$/u);
	expect(printableWithin(`${'a'.repeat(500)}end`, 5, {cut: 'start'})).toBe('…aend');
	expect(printableWithin('日'.repeat(500), 5, {ascii: true})).toBe('\\u{6~');
});

test('of a text of megabytes no more is laid out than anybody reads, and it says how much is left', () => {
	for (const letter of ['a', '\u6a5f', '\u001b', 'a ']) {
		const lines = printableLines(letter.repeat(2_000_000), 80);
		expect(lines.length).toBeLessThan(1000);
		expect(lines.at(-1)).toBe(`(and ${letter.length * 2_000_000 - 8000} characters more)`);
		for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
	}
	expect(printableLines('two words', 5)).toEqual(['two', 'words']);
});
