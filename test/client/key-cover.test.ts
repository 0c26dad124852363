import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createKeyCover} from '../../source/client/key-cover.ts';

const key = 'sk/live+a<b>"c\\d&0123';

test('a key is struck out of a body as it stands, and as any service escapes it in JSON', () => {
	const {body} = createKeyCover(key);
	expect(body(`x ${key} y ${key}`)).toBe('x [the key] y [the key]');
	const escapeAll = [...key].map(c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
	for (const echoed of [
		JSON.stringify(key).slice(1, -1),
		JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
		JSON.stringify(key).slice(1, -1).replaceAll('<', '\\u003C').replaceAll('+', '\\u002b'),
		escapeAll,
	]) {
		expect(JSON.parse(body(`{"said": "the key ${echoed} is wrong"}`))).toEqual({
			said: 'the key [the key] is wrong',
		});
	}
});

test('in sentences it is struck out in any case, and however short it is', () => {
	expect(createKeyCover('AbC').text('abc.example ABC')).toBe('[the key].example [the key]');
	expect(createKeyCover('AbC').body('{"AbC": 1}')).toBe('{"AbC": 1}');
});

test('without a key all stays as it is', () => {
	for (const none of [undefined, '', '  ']) {
		const cover = createKeyCover(none);
		expect([cover.text('a'), cover.body('b'), cover.pieces().next('c')]).toEqual(['a', 'b', 'c']);
	}
});

test('however a text is cut, the key is found in it, and the rest is what it was', () => {
	const parts = fc.constantFrom(
		key,
		JSON.stringify(key).slice(1, -1),
		key.slice(0, 5),
		'\\',
		'sk',
		'{"a":1}\n',
	);
	fc.assert(
		fc.property(fc.array(parts, {maxLength: 12}), fc.array(fc.nat(30), {maxLength: 40}), (texts, cuts) => {
			const text = texts.join('');
			const cover = createKeyCover(key);
			const pieces = cover.pieces();
			let shown = '';
			let at = 0;
			for (const cut of cuts) {
				shown += pieces.next(text.slice(at, at + cut));
				at += cut;
			}
			shown += pieces.next(text.slice(at)) + pieces.end();
			expect(shown).not.toContain(key);
			expect(shown.replaceAll('[the key]', '')).toBe(cover.body(text).replaceAll('[the key]', ''));
		}),
		{numRuns: 500},
	);
});

test('what ends a line of a stream is not held back', () => {
	const pieces = createKeyCover(key).pieces();
	expect(pieces.next('data: {"n": 1}\n\n')).toBe('data: {"n": 1}\n\n');
});
