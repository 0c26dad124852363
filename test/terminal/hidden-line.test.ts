import {expect, test} from 'vitest';
import {hiddenLineStart, typedHidden} from '../../source/terminal/hidden-line.ts';

const after = (...pieces: string[]) => pieces.reduce(typedHidden, hiddenLineStart);

test('a line ends at its end, and what is typed wrong is taken back', () => {
	expect(after('ab', 'c\r')).toEqual({text: 'abc', end: 'done'});
	expect(after('abx\u007fc', '\n')).toEqual({text: 'abc', end: 'done'});
	expect(after('wrong\u0015right\r')).toEqual({text: 'right', end: 'done'});
	expect(after('abc')).toEqual({text: 'abc', end: 'open'});
});

test('a pasted key with line ends around it is the key', () => {
	expect(after('\nkey-1\n')).toEqual({text: 'key-1', end: 'done'});
	expect(after('\u001b[200~key-1\n\u001b[201~')).toEqual({text: 'key-1', end: 'done'});
	expect(after('key-1\r\nmore')).toEqual({text: 'key-1', end: 'done'});
});

test('giving up leaves nothing behind', () => {
	expect(after('secret\u0003')).toEqual({text: '', end: 'given-up'});
});
