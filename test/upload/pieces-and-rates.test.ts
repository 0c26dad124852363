import {expect, test} from 'vitest';
import {RateLimit, readRate} from '../../source/upload/blob-source.ts';
import {piecesOf} from '../../source/upload/hash-files.ts';

const largest = 33_554_432;

test.each([
	[0, []],
	[1, [1]],
	[largest, [largest]],
	[largest + 1, [largest, 1]],
	[3 * largest - 5, [largest, largest, largest - 5]],
])('a file of %d bytes goes in pieces no larger than a blob may be', (size, lengths) => {
	const pieces = piecesOf(size);
	expect(pieces.map(({length}) => length)).toEqual(lengths);
	expect(pieces.map(({offset}) => offset)).toEqual(pieces.map((_, i) => i * largest));
});

test.each([
	['10M', 10_485_760],
	['1.5m', 1_572_864],
	['500K', 512_000],
	['2G', 2_147_483_648],
	['800', 800],
	['0', undefined],
	['0.1', undefined],
	['10MB', undefined],
	['-1', undefined],
	['fast', undefined],
	['', undefined],
])('--limit-rate %s', (text, rate) => {
	expect(readRate(text)).toBe(rate);
});

test('what is taken by several at once adds up', async () => {
	const limit = new RateLimit(100_000);
	const {signal} = new AbortController();
	const began = performance.now();
	await Promise.all(Array.from({length: 4}, () => limit.take(10_000, signal)));
	expect(performance.now() - began).toBeGreaterThan(380);
});

test('waiting for the rate ends with the upload', async () => {
	const controller = new AbortController();
	const waiting = new RateLimit(1).take(3600, controller.signal);
	controller.abort(new Error('ended'));
	await expect(waiting).rejects.toThrow('ended');
});
