import {expect, test} from 'vitest';
import {csvLine} from '../../../source/store/export/episode-forms.ts';

test.each([
	['=1+1', "'=1+1"],
	['+cmd', "'+cmd"],
	['-x', "'-x"],
	['@SUM(A1)', "'@SUM(A1)"],
	['\t=1', "'\\t=1"],
	['\r=1', "'\\r=1"],
	['\n', "'\\n"],
	[' =1', "' =1"],
	['\u200b=1', "'\u200b=1"],
	['\uff1dcmd', "'\uff1dcmd"],
	['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
	['-4.88', '-4.88'],
	['-1e-3', '-1e-3'],
	['a=b -c', 'a=b -c'],
	['\u001b[31mred\u009b2J\u0000\u007f', '\\u001b[31mred\\u009b2J\\u0000\\u007f'],
	['two\nlines\u2028\u202eturned', 'two\\nlines\\u2028\\u202eturned'],
	['\ud83d tag \u{e0041}', '\\ud83d tag \\udb40\\udc41'],
	['family \u{1f469}\u200d\u{1f467}', 'family \u{1f469}\u200d\u{1f467}'],
	[-4.88, '-4.88'],
	[-(2n ** 60n), '-1152921504606846976'],
	[{deep: [2n ** 63n, '=1', '\u009b']}, '"{""deep"":[9223372036854775808,""=1"",""\\u009b""]}"'],
	[null, ''],
	[undefined, ''],
])('a spreadsheet and a terminal take %s for nothing but text', (value, cell) => {
	expect(csvLine([value])).toBe(cell);
});

test('raw cells are the bytes of the text, quoted as CSV has it', () => {
	const texts = ['=1+1', 'two\nlines', '\u001b[31m', ' a', 'a"b'];
	expect(csvLine(texts, {raw: true})).toBe('=1+1,"two\nlines",\u001b[31m," a","a""b"');
});
