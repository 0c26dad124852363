import fc from 'fast-check';
import {expect, test} from 'vitest';
import {visibleJson} from '../../source/contract/json-text.ts';

test('JSON for a terminal holds nothing invisible and says the same', () => {
	fc.assert(
		fc.property(
			fc.anything({values: [fc.string({unit: 'binary'}), fc.string({unit: 'grapheme'})]}),
			value => {
				const json = JSON.stringify(value) ?? 'null';
				const shown = visibleJson(json);
				expect(JSON.parse(shown)).toEqual(JSON.parse(json));
				expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
			},
		),
	);
	expect(visibleJson('"\u{e0041}\u202e\u200b"')).toBe('"\\udb40\\udc41\\u202e\\u200b"');
});
