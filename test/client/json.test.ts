import fc from 'fast-check';
import {expect, test} from 'vitest';
import {JsonError, parseJson} from '../../source/client/json.ts';
import {maxJsonDepth} from '../../source/contract/json-depth.ts';
import {exactJson} from '../../source/contract/json-text.ts';

test('an integer that a double cannot hold keeps every digit', () => {
	expect(parseJson('{"total":18446744073709551615,"least":-9223372036854775808}')).toEqual({
		total: 18446744073709551615n,
		least: -9223372036854775808n,
	});
	expect(parseJson('9007199254740993')).toBe(9007199254740993n);
	expect(parseJson('[9007199254740991, 9007199254740992]')).toEqual([9007199254740991, 9007199254740992n]);
});

test('other numbers stay numbers, however many digits they are written with', () => {
	const text = '[0.12345678901234567890, 12345678901234567890.5, 1e30, -1.5e-7, 12345678901234567e2, 5]';
	expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('digits inside strings are text', () => {
	const value = {'18446744073709551615': ' 18446744073709551615 ', list: ['[:18446744073709551615']};
	expect(parseJson(JSON.stringify(value))).toEqual(value);
});

test('what was read is written back with the same digits', () => {
	const value = fc.letrec(tie => ({
		any: fc.oneof(
			{maxDepth: 4},
			fc.string(),
			fc.double({noNaN: true, noDefaultInfinity: true}).map(number => number + 0),
			fc.bigInt({min: 2n ** 53n, max: 2n ** 64n}),
			fc.bigInt({min: -(2n ** 64n), max: -(2n ** 53n)}),
			fc.integer(),
			fc.boolean(),
			fc.constant(null),
			fc.array(tie('any'), {maxLength: 5}),
			fc.dictionary(
				fc.string().filter(key => key !== '__proto__'),
				tie('any'),
				{maxKeys: 5},
			),
		),
	})).any;
	fc.assert(
		fc.property(value, original => {
			// A whole double beyond 2^53 is written without an exponent up to 1e21, and so read back as an integer.
			const exact = (item: unknown): unknown => {
				if (typeof item === 'number' && Number.isInteger(item) && !Number.isSafeInteger(item)) {
					return /e/.test(String(item)) ? item : BigInt(String(item));
				}
				if (Array.isArray(item)) return item.map(exact);
				if (typeof item === 'object' && item !== null) {
					return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, exact(inner)]));
				}
				return item;
			};
			expect(parseJson(exactJson(original))).toEqual(exact(original));
		}),
	);
});

test('an answer may nest as deep as the bound and no deeper', () => {
	const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	expect(parseJson(nested(maxJsonDepth))).toBeInstanceOf(Array);
	expect(() => parseJson(nested(maxJsonDepth + 1))).toThrow(new JsonError('nests deeper than 256 levels'));
	expect(() => parseJson(nested(100_000))).toThrow(JsonError);
	expect(() => parseJson('{"a":'.repeat(100_000))).toThrow(JsonError);
	const inString = JSON.stringify(`${'['.repeat(1000)}\\"{`);
	expect(parseJson(inString)).toBe(`${'['.repeat(1000)}\\"{`);
});

test.each(['', '{', '{"a":}', 'nope', '[1,]'])('%s is no JSON', text => {
	expect(() => parseJson(text)).toThrow(JsonError);
});
