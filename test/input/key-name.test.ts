import {expect, test} from 'vitest';
import {KeyNameError, parseKeys, showKeys} from '../../source/input/key-name.ts';

test.each([
	['j', ['j']],
	['G', ['G']],
	['shift+g', ['G']],
	['Ctrl+D', ['ctrl+d']],
	['control+alt+x', ['ctrl+alt+x']],
	['alt+ctrl+x', ['ctrl+alt+x']],
	['Escape', ['esc']],
	['Return', ['enter']],
	['shift+tab', ['shift+tab']],
	['PgDn', ['pagedown']],
	[' ', ['space']],
	['shift+space', ['shift+space']],
	['+', ['+']],
	['ctrl++', ['ctrl++']],
	['g g', ['g', 'g']],
	['F12', ['f12']],
	['é', ['é']],
	['?', ['?']],
])('%s is read as %j', (text, keys) => {
	expect(parseKeys(text)).toEqual(keys);
});

test.each(['', 'foo', 'hyper+x', 'ctrl+', 'f25', 'ab'])('“%s” is refused as no key', text => {
	expect(() => parseKeys(text)).toThrow(KeyNameError);
});

test('keys are shown short, and without arrows where there is no unicode', () => {
	expect(showKeys(['ctrl+d'])).toBe('^D');
	expect(showKeys(['g', 'g'])).toBe('g g');
	expect(showKeys(['up'])).toBe('↑');
	expect(showKeys(['up'], {unicode: false})).toBe('up');
	expect(showKeys(['shift+pagedown'])).toBe('shift+pgdn');
});
