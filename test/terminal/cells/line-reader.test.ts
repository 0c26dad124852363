import {expect, test} from 'vitest';
import {covered} from '../../../source/terminal/cells/glyphs.ts';
import {type CellLine, LineReader} from '../../../source/terminal/cells/line-reader.ts';
import {plain} from '../../../source/terminal/cells/styles.ts';
import {textWidth} from '../../../source/terminal/width.ts';

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

function shown(reader: LineReader, {glyphs}: CellLine): string {
	return [...glyphs].map(glyph => (glyph === covered ? '' : reader.glyphs.text(glyph))).join('');
}

test('every character takes the cells that it is measured to take', () => {
	const reader = new LineReader();
	const wrong: string[] = [];
	for (let code = 0xa1; code < 0x3200; code++) {
		const character = String.fromCharCode(code);
		const text = `a${character}b`;
		if (/[\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
		if ([...graphemes.segment(text)].length !== 3) continue;
		const line = reader.read(text);
		const isRight = line.glyphs.length === 2 + Math.max(1, textWidth(character));
		if (!isRight || shown(reader, line) !== text) wrong.push(`U+${code.toString(16)}`);
	}
	expect(wrong).toEqual([]);
});

test('what joins is one glyph, and what a terminal would do is left out', () => {
	const reader = new LineReader();
	const joined = reader.read('e\u0301👩‍🚀x');
	expect([...joined.glyphs].map(glyph => (glyph === covered ? '' : reader.glyphs.text(glyph)))).toEqual([
		'e\u0301',
		'👩‍🚀',
		'',
		'x',
	]);
	const line = reader.read('a\u001b[2Jb\u001b]0;title\u0007c\u001b[10;10Hd\u0007\u001bc\r');
	expect(shown(reader, line)).toBe('abcd');
	expect([...line.styles]).toEqual([plain, plain, plain, plain]);
});

test('looks are told apart by what they come to, and the way between two is the shortest', () => {
	const {styles} = new LineReader();
	const bold = styles.after(plain, '1');
	const boldRed = styles.after(bold, '31');
	expect(styles.after(plain, '31;1')).toBe(boldRed);
	expect(styles.after(boldRed, '39;22')).toBe(plain);
	expect(styles.way(bold, boldRed)).toBe('\u001b[31m');
	expect(styles.way(boldRed, plain)).toBe('\u001b[m');
	expect(styles.way(bold, styles.after(plain, '2'))).toBe('\u001b[0;2m');
	const orange = styles.after(plain, '38;5;208;4');
	expect(styles.way(boldRed, orange)).toBe('\u001b[0;38;5;208;4m');
	const link = styles.linked(bold, ';https://example.com');
	expect(styles.way(bold, link)).toBe('\u001b]8;;https://example.com\u001b\\');
	expect(styles.way(link, bold)).toBe('\u001b]8;;\u001b\\');
});
