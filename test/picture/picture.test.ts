import {deflateSync} from 'node:zlib';
import fc from 'fast-check';
import {encode as encodeJpeg} from 'jpeg-js';
import {expect, test} from 'vitest';
import {decodePicture, encodePng, PictureError, pngSize} from '../../source/picture/decode.ts';
import {fitWithin, scaled} from '../../source/picture/pixels.ts';

const bounds = {pixels: 1_000_000};

/** Red, green, blue and white in the corners of 4 × 2 pixels. */
const corners = {
	width: 4,
	height: 2,
	data: Uint8Array.from([
		...[255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0],
		...[0, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255],
	]),
};

test('a picture comes back as it was, and smaller as the means of its parts', async () => {
	const png = await encodePng(corners);
	expect(pngSize(png)).toEqual({width: 4, height: 2});
	expect(await decodePicture(png, bounds)).toEqual(corners);
	expect([...scaled(corners, {width: 2, height: 1}).data]).toEqual([128, 0, 128, 128, 255, 128]);
	expect(scaled(corners, {width: 4, height: 2})).toBe(corners);
});

test('a JPEG is read too', async () => {
	const data = Buffer.alloc(16 * 16 * 4, 128);
	const {
		width,
		height,
		data: pixels,
	} = await decodePicture(encodeJpeg({width: 16, height: 16, data}, 90).data, bounds);
	expect([width, height]).toEqual([16, 16]);
	expect(pixels).toHaveLength(16 * 16 * 3);
	expect(Math.abs((pixels[0] ?? 0) - 128)).toBeLessThan(3);
});

test('a size within a bound keeps the shape, and is never larger than the picture', () => {
	const side = fc.integer({min: 1, max: 5000});
	const size = fc.record({width: side, height: side});
	fc.assert(
		fc.property(size, size, (given, bound) => {
			const {width, height} = fitWithin(given, bound);
			expect(width).toBeGreaterThanOrEqual(1);
			expect(height).toBeGreaterThanOrEqual(1);
			expect(width).toBeLessThanOrEqual(Math.min(given.width, bound.width));
			expect(height).toBeLessThanOrEqual(Math.min(given.height, bound.height));
		}),
	);
});

function chunk(type: string, data: Uint8Array): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(data.length);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, data, Buffer.alloc(4)]);
}

function png(width: number, height: number, idat: Uint8Array): Buffer {
	const ihdr = Buffer.alloc(13);
	ihdr.writeUInt32BE(width);
	ihdr.writeUInt32BE(height, 4);
	ihdr.set([8, 2, 0, 0, 0], 8);
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([signature, chunk('IHDR', ihdr), chunk('IDAT', idat), chunk('IEND', Buffer.alloc(0))]);
}

test.each([
	['a size that nobody could show', png(100_000, 100_000, Buffer.alloc(4)), /100000 x 100000 pixels/],
	['no size', png(0, 5, Buffer.alloc(4)), /0 x 5/],
	['bytes that inflate to far more than it has', png(4, 4, deflateSync(Buffer.alloc(50_000_000))), /broken/],
	['no pixels', png(4, 4, Buffer.from('nothing')), /broken/],
	['half a file', png(40, 40, deflateSync(Buffer.alloc(40 * 121))).subarray(0, 60), /cut off/],
	['a text', Buffer.from('<html>not found</html>'), /neither PNG nor JPEG/],
	['the head of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), /broken/],
	['nothing', Buffer.alloc(0), /neither/],
])('%s is refused in words', async (_, bytes, words) => {
	const failure = await decodePicture(bytes, bounds).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(PictureError);
	expect((failure as Error).message).toMatch(words);
});

test('a JPEG that says it is enormous is refused before it is made', async () => {
	const {data} = encodeJpeg({width: 16, height: 16, data: Buffer.alloc(16 * 16 * 4)}, 50);
	const at = data.indexOf(Buffer.from([0xff, 0xc0]));
	data.writeUInt16BE(65_000, at + 5);
	data.writeUInt16BE(65_000, at + 7);
	await expect(decodePicture(data, bounds)).rejects.toThrow(PictureError);
});
