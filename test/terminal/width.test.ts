import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {printable} from '../../source/terminal/printable.ts';
import {fitTo, textWidth, truncate, wrap} from '../../source/terminal/width.ts';

fc.configureGlobal({seed: 20_260_101, numRuns: 300});

const shownText = fc
	.oneof(
		fc.string({unit: 'grapheme', maxLength: 40}),
		fc.string({unit: 'binary', maxLength: 40}),
		fc.string({maxLength: 40}),
	)
	.map(text => printable(text));
const anyWidth = fc.integer({min: 0, max: 60});
const anyCut = fc.constantFrom('end' as const, 'middle' as const, 'start' as const);

test.each([
	['aloha-cups', 10],
	['布を畳む', 8],
	['e\u0301', 1],
	['😀', 2],
	['👩‍👩‍👧', 2],
	['🇩🇪', 2],
	['', 0],
])('%s takes %i cells', (text, width) => {
	expect(textWidth(text)).toBe(width);
});

test('width is that of the package Ink measures by', () => {
	fc.assert(
		fc.property(shownText, text => {
			expect(textWidth(text)).toBe(stringWidth(text));
		}),
	);
});

test.each([
	['so101-fold', 10, {}, 'so101-fold'],
	['so101-fold', 6, {}, 'so101…'],
	['so101-fold', 7, {cut: 'middle'}, 'so1…old'],
	['so101-fold', 5, {cut: 'start'}, '…fold'],
	['so101-fold', 6, {ellipsis: '...'}, 'so1...'],
	['so101-fold', 2, {ellipsis: '...'}, '..'],
	['布を畳む', 6, {}, '布を…'],
	['布を畳む', 5, {}, '布を…'],
	['布を畳む', 1, {}, '…'],
	['布を畳む', 0, {}, ''],
] as const)('%s cut to %i cells (%o) is %s', (text, width, options, expected) => {
	expect(truncate(text, width, options)).toBe(expected);
});

test('cut text is never wider than asked, wastes less than a wide glyph and never cuts inside one', () => {
	fc.assert(
		fc.property(shownText, anyWidth, anyCut, (text, width, cut) => {
			const shown = truncate(text, width, {cut});
			expect(textWidth(shown)).toBeLessThanOrEqual(width);
			if (textWidth(text) <= width) expect(shown).toBe(text);
			const glyphs = (value: string) =>
				[...new Intl.Segmenter('en', {granularity: 'grapheme'}).segment(value)].map(({segment}) => segment);
			const whole = new Set([...glyphs(text), '…']);
			for (const glyph of glyphs(shown)) expect(whole).toContain(glyph);
		}),
	);
});

test('fitted text takes exactly the cells asked for', () => {
	fc.assert(
		fc.property(
			shownText,
			anyWidth,
			anyCut,
			fc.constantFrom('left' as const, 'right' as const, 'center' as const),
			(text, width, cut, align) => {
				expect(textWidth(fitTo(text, width, {cut, align}))).toBe(width);
			},
		),
	);
});

test('columns are aligned to their side', () => {
	expect(fitTo('44%', 6, {align: 'right'})).toBe('   44%');
	expect(fitTo('44%', 6)).toBe('44%   ');
	expect(fitTo('44%', 6, {align: 'center'})).toBe(' 44%  ');
	expect(fitTo('布を畳む', 6, {align: 'right'})).toBe(' 布を…');
});

test('wrapped lines fit, and hold every word in order', () => {
	expect(wrap('pick the red cube and place it', 12)).toEqual(['pick the red', 'cube and', 'place it']);
	expect(wrap('布を畳む布を畳む', 5)).toEqual(['布を', '畳む', '布を', '畳む']);
	expect(wrap('', 5)).toEqual(['']);
	fc.assert(
		fc.property(shownText, fc.integer({min: 4, max: 30}), (text, width) => {
			const lines = wrap(text, width);
			for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
			const squeezed = (value: string) => value.replaceAll(' ', '');
			expect(squeezed(lines.join(''))).toBe(squeezed(text));
		}),
	);
});
