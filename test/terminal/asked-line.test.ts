import {expect, test} from 'vitest';
import {typedAt} from '../../source/terminal/asked-line.ts';
import {createDecoder} from '../../source/terminal/decoder.ts';

/** What a terminal's bytes come to at an empty line. */
const typed = (bytes: string, isEmpty = true) =>
	typedAt(createDecoder().push(new TextEncoder().encode(bytes)), isEmpty);

const text = (given: string) => ({kind: 'text', text: given});
const end = {kind: 'end'};

test('a line ends at its end, and what is typed wrong can be deleted', () => {
	expect(typed('abc\r')).toEqual([text('abc'), end]);
	expect(typed('abx\u007fc\n')).toEqual([
		text('abx'),
		{kind: 'edit', sequence: '\u007f', deletes: true},
		text('c'),
		end,
	]);
	expect(typed('wrong\u0015right\r')).toEqual([text('wrong'), {kind: 'clear'}, text('right'), end]);
	expect(typed('a\u001b[Db')).toEqual([
		text('a'),
		{kind: 'edit', sequence: '\u001b[D', deletes: false},
		text('b'),
	]);
	expect(typed('\r')).toEqual([end]);
});

test('a pasted key with line ends around it is the key, and nothing behind it is taken', () => {
	expect(typed('\nkey-1\n')).toEqual([text('key-1'), end]);
	expect(typed('\u001b[200~\nkey-1\n\u001b[201~')).toEqual([text('key-1'), end]);
	expect(typed('key-1\r\nmore')).toEqual([text('key-1'), end]);
	expect(typed('\rmore', false)).toEqual([end]);
});

test('^C and ^D give up, and keys that type nothing add nothing', () => {
	expect(typed('secret\u0003more')).toEqual([text('secret'), {kind: 'give-up'}]);
	expect(typed('\u0004')).toEqual([{kind: 'give-up'}]);
	expect(typed('a\u0017\u001b[5~\u001b[Ab')).toEqual([text('ab')]);
});
