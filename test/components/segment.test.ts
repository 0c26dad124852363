import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {cell, cellsOf, lineWidth, renderLine, type Segment} from '../../source/components/segment.ts';
import {drawnCharacters, isDrawn, signsFor} from '../../source/components/signs.ts';
import {printable} from '../../source/terminal/printable.ts';
import {hostileStrings} from '../hosted-service/hostile.ts';

const full = {colour: true, attributes: true, ascii: false};
const mono = {colour: false, attributes: true, ascii: false};
const dumb = {colour: false, attributes: false, ascii: true};

const esc = '\u001B';
const text = (segment: Segment) => (typeof segment === 'string' ? segment : segment.text);
/** What our own styles write, and nothing else. */
const withoutStyles = (line: string) => line.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '');
/** What a terminal obeys, hides or turns round; the joiner inside a known emoji is none of it. */
const obeyed = /[\p{Cc}\u200B\u200C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;

describe('signs', () => {
	test('every sign takes one cell and is printable as it is', () => {
		for (const sign of drawnCharacters) {
			expect([sign, stringWidth(sign), printable(sign)]).toEqual([sign, 1, sign]);
			expect(sign).toHaveLength(1);
		}
	});

	test('the ASCII set is ASCII', () => {
		const signs = signsFor({unicode: false});
		const drawn = [signs.level(0.5), signs.share(0.5, 9), signs.progress(0.5, 9), JSON.stringify(signs)];
		expect(drawn.join('')).toMatch(/^[\x20-\x7e]*$/);
	});

	test('what is neither ASCII nor a sign is looked at grapheme by grapheme', () => {
		expect(isDrawn('─ fold ▸', false)).toBe(true);
		expect(isDrawn('─', true)).toBe(false);
		for (const sample of ['é', '\u001B', '\u200B', '机', '👍', '\t'])
			expect(isDrawn(sample, false)).toBe(false);
	});

	test.each([true, false])('bars are exactly as wide as asked for (unicode: %s)', unicode => {
		const signs = signsFor({unicode});
		for (const share of [-1, 0, 1e-9, 0.31, 0.5, 0.999, 1, 2, Number.NaN]) {
			for (const width of [1, 5, 20]) {
				expect(stringWidth(signs.share(share, width))).toBe(width);
				expect(stringWidth(signs.progress(share, width))).toBe(width);
			}
			expect(stringWidth(signs.level(share))).toBe(1);
		}
	});

	test('something is never drawn as nothing, and not all never as all', () => {
		const signs = signsFor({unicode: true});
		expect(signs.share(0.0001, 4)).toBe('▏   ');
		expect(signs.progress(0.9999, 4)).toBe('▓▓▓░');
		expect(signs.progress(1, 4)).toBe('▓▓▓▓');
	});
});

describe('cells', () => {
	test.each([
		['fold', 6, {}, 'fold  '],
		['fold', 6, {align: 'right'} as const, '  fold'],
		['fold the towel', 6, {}, 'fold …'],
		['so101-fold-1', 8, {cut: 'middle'} as const, 'so10…d-1'],
		['so101-fold-1', 8, {cut: 'start'} as const, '…-fold-1'],
		['fold the towel', 6, {ascii: true}, 'fold ~'],
		['fold', 0, {}, ''],
		['机器人', 4, {}, '机… '],
	])('%j in %i cells', (given, width, options, expected) => {
		expect(text(cell(given, width, options))).toBe(expected);
	});

	test('whatever the service sends, a cell is exactly as wide as it is to be', () => {
		for (const hostile of hostileStrings) {
			for (const width of [0, 1, 2, 7, 30, 200]) {
				for (const cut of ['end', 'middle', 'start'] as const) {
					expect(stringWidth(text(cell(hostile, width, {cut})))).toBe(width);
				}
			}
		}
	});
});

describe('lines', () => {
	test('no control byte of a text reaches the line, and no line is wider than its room', () => {
		for (const hostile of hostileStrings) {
			for (const drawing of [full, mono, dumb]) {
				const line = renderLine([hostile, {text: hostile, role: 'bad'}, hostile], 60, drawing);
				expect(withoutStyles(line)).not.toMatch(obeyed);
				expect(stringWidth(line)).toBeLessThanOrEqual(60);
			}
		}
	});

	test('a line with a look of its own is filled to its width', () => {
		const line = renderLine(['ab', {text: 'cd', role: 'good'}], 6, {...full, role: 'selected'});
		expect(withoutStyles(line)).toBe('abcd  ');
	});

	test('without colours the look is left to bold and inverse, on a dumb terminal to the signs', () => {
		const segments: Segment[] = [{text: 'broken', role: 'bad'}];
		expect(renderLine(segments, 9, full)).toBe('\u001B[1m\u001B[31mbroken\u001B[39m\u001B[22m');
		expect(renderLine(segments, 9, mono)).toBe('\u001B[1mbroken\u001B[22m');
		expect(renderLine(segments, 9, dumb)).toBe('broken');
		expect(renderLine(['x'], 3, {...mono, role: 'selected'})).toContain('\u001B[7m');
	});

	test('a cut line ends in an ellipsis', () => {
		expect(renderLine(['fold the ', 'towel'], 11, dumb)).toBe('fold the t~');
	});

	test('the width of a line is that of what is shown of it', () => {
		expect(lineWidth(['ab', {text: '机', role: 'dim'}])).toBe(4);
		expect(cellsOf('\u001B')).toBe(stringWidth(printable('\u001B')));
	});
});

describe('links', () => {
	const drawing = {colour: false, attributes: false, ascii: false, links: true};
	const line = (link: string) => renderLine([{text: 'see\u001b]8;;x', role: 'plain', link}], 40, drawing);

	test('an address of the web is linked to, where the terminal is known to take links', () => {
		const link = 'https://example.com/a';
		expect(line(link)).toBe(`\u001b]8;;${link}\u001b\\see␛]8;;x\u001b]8;;\u001b\\`);
		expect(renderLine([{text: 'see', role: 'plain', link}], 40, {...drawing, links: false})).toBe('see');
	});

	test.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://a\u0007b c', 'mailto:a@b'])(
		'%j is not',
		link => {
			expect(line(link)).not.toMatch(/\]8;;(?:javascript|file|mailto)/);
			expect(line(link)).not.toContain('\u0007');
		},
	);
});
