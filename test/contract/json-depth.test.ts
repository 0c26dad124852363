import fc from 'fast-check';
import {expect, test} from 'vitest';
import {maxJsonDepth, nestsTooDeep} from '../../source/contract/json-depth.ts';

const within = (inner: string, depth: number) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

test('as many levels as are allowed, and one more, whatever strings stand in them', () => {
	const text = fc.string({unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a', ',')});
	fc.assert(
		fc.property(fc.array(text), fc.dictionary(text, text), (list, record) => {
			const inner = JSON.stringify([list, record]);
			expect(nestsTooDeep(within(inner, maxJsonDepth - 2))).toBe(false);
			expect(nestsTooDeep(within(inner, maxJsonDepth - 1))).toBe(true);
		}),
	);
});

test.each([
	['a string that does not end', `"${'['.repeat(300)}`, false],
	['one that ends in an escape', `"\\"${'['.repeat(300)}`, false],
	['an escaped escape before its end', `["\\\\",${'['.repeat(300)}`, true],
	['levels side by side', `[${'[],'.repeat(300)}0]`, false],
])('%s', (_, text, expected) => {
	expect(nestsTooDeep(text)).toBe(expected);
});
