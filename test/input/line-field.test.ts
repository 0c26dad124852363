import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	editField,
	type FieldEdit,
	fieldEdit,
	type LineField,
	lineField,
} from '../../source/input/line-field.ts';
import {lineWindow} from '../../source/input/line-window.ts';
import {createDecoder} from '../../source/terminal/decoder.ts';
import {textWidth} from '../../source/terminal/width.ts';

fc.configureGlobal({seed: 20_260_103, numRuns: 300});

/** The field after bytes typed into it, its caret shown as `|`. */
function typed(bytes: string, field: LineField = lineField()): string {
	let after = field;
	const decoder = createDecoder();
	for (const event of [...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()]) {
		if (event.type !== 'key' && event.type !== 'paste') continue;
		const edit = fieldEdit(event);
		if (edit !== undefined) after = editField(after, edit);
	}
	return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
}

const left = '\u001b[D';

test.each([
	['hello', 'hello|'],
	[`ab${left}c`, 'ac|b'],
	[`abc${left}${left}\u007f`, '|bc'],
	[`abc${left}\u001b[3~`, 'ab|'],
	['日本👩‍👩‍👧\u007f', '日本|'],
	['e\u0301x\u007f\u007f', '|'],
	[`one two${left}\u0001X`, 'X|one two'],
	['one two\u0001\u0005X', 'one twoX|'],
	['tier:retrainable quality_score>0.8\u0017', 'tier:retrainable |'],
	['one two\u0015', '|'],
	['one two\u0001\u001bf\u000b', 'one|'],
	['one two\u0015a\u0019', 'aone two|'],
	['one two\u001bb\u001bb!', '!|one two'],
	['one two\u0001\u001bd', '| two'],
	['one two three\u0017\u001f', 'one two three|'],
	['abc\u001f', '|'],
	['one two\u001f', 'one |'],
	['\u001b[200~a\r\nb\tc\u0007d\u001b[201~', 'a b cd|'],
	['a\u001b[1~b\u001b[4~c', 'bac|'],
])('%j leaves %j', (bytes, expected) => {
	expect(typed(bytes)).toBe(expected);
});

test('keys that edit nothing are left to others', () => {
	const [enter, up] = createDecoder().push(new TextEncoder().encode('\r\u001b[A'));
	for (const event of [enter, up]) expect(event?.type === 'key' && fieldEdit(event)).toBeUndefined();
});

test('a paste of a book is cut to what a field takes', () => {
	const field = editField(lineField('x'), {do: 'insert', text: 'é'.repeat(100_000)});
	expect(field.text).toHaveLength(4096);
});

const anyEdit: fc.Arbitrary<FieldEdit> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.string({unit: 'binary', maxLength: 4}).map(text => ({do: 'insert' as const, text})),
	},
	{
		weight: 3,
		arbitrary: fc.string({unit: 'grapheme', maxLength: 4}).map(text => ({do: 'insert' as const, text})),
	},
	fc.record({do: fc.constant('set' as const), text: fc.string(), caret: fc.integer({min: 0, max: 12})}),
	fc.constantFrom(
		...(
			[
				'left',
				'right',
				'word-left',
				'word-right',
				'home',
				'end',
				'delete-left',
				'delete-right',
				'delete-word-left',
				'delete-word-right',
				'delete-to-start',
				'delete-to-end',
				'yank',
				'undo',
			] as const
		).map(name => ({do: name})),
	),
);

test('whatever is edited, the caret stands between two graphemes of one line', () => {
	fc.assert(
		fc.property(fc.array(anyEdit, {maxLength: 30}), edits => {
			let field = lineField();
			for (const edit of edits) {
				field = editField(field, edit);
				const bounds = [...new Intl.Segmenter('en', {granularity: 'grapheme'}).segment(field.text)].map(
					({index}) => index,
				);
				expect([...bounds, field.text.length]).toContain(field.caret);
				expect(field.text).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
			}
		}),
	);
});

test('undoing every step leads back to the beginning', () => {
	fc.assert(
		fc.property(fc.array(anyEdit, {maxLength: 30}), edits => {
			let field = lineField('start');
			for (const edit of edits) field = editField(field, edit);
			while (field.undo.length > 0) field = editField(field, {do: 'undo'});
			expect(field.text).toBe('start');
		}),
	);
});

test('the window shows the caret, and never more than its cells', () => {
	fc.assert(
		fc.property(
			fc.array(anyEdit, {maxLength: 12}),
			fc.string({unit: 'grapheme', maxLength: 60}),
			fc.integer({min: 2, max: 40}),
			(edits, text, width) => {
				let field = lineField(text);
				for (const edit of edits) field = editField(field, edit);
				const shown = lineWindow(field, width);
				expect(textWidth(shown.before)).toBe(shown.column);
				expect(textWidth(shown.before) + textWidth(shown.at) + textWidth(shown.behind)).toBeLessThanOrEqual(
					width,
				);
				expect(shown.at).not.toBe('');
			},
		),
	);
});

test('a short field shows from its beginning, a long one around the caret', () => {
	expect(lineWindow(lineField('abc'), 10)).toEqual({
		before: 'abc',
		at: ' ',
		behind: '',
		column: 3,
		isCutLeft: false,
		isCutRight: false,
	});
	const long = lineField('0123456789abcdefghij');
	expect(lineWindow(long, 8)).toMatchObject({before: 'defghij', at: ' ', behind: '', isCutLeft: true});
	const home = editField(long, {do: 'home'});
	expect(lineWindow(home, 8)).toMatchObject({before: '', at: '0', behind: '1234567', isCutRight: true});
	const middle = editField(long, {do: 'set', text: `${long.text}!`, caret: 10});
	expect(lineWindow(middle, 9)).toMatchObject({before: '56789', at: 'a', behind: 'bcd'});
	expect(lineWindow(lineField('a\u202eb'), 20)).toMatchObject({before: 'a\\u{202e}b'});
});
