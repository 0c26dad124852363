import jpeg from 'jpeg-js';
import {decode as decodeSixel} from 'sixel';
import {expect, test} from 'vitest';
import {decodePicture, encodePng, PictureError} from '../../source/picture/decode.ts';
import {encodeWithin} from '../../source/picture/picture-tasks.ts';
import {PictureThread} from '../../source/picture/picture-thread.ts';
import type {Pixels} from '../../source/picture/pixels.ts';

/** Red to the right, green downwards, and noise that does not compress. */
function slope(width: number, height: number): Pixels {
	const data = new Uint8Array(width * height * 3);
	for (let at = 0; at < width * height; at++) {
		const [x, y] = [at % width, Math.floor(at / width)];
		data.set([(x * 255) / width, (y * 255) / height, (at * 7919) % 61], at * 3);
	}
	return {width, height, data};
}

const unlimited = {mostCharacters: Number.POSITIVE_INFINITY};
const how = {bounds: {pixels: 4e6}, side: 640, signal: new AbortController().signal};
const thread = new PictureThread();

test('a JPEG of 1920 × 1080 is decoded in the thread, no larger than it is shown', async () => {
	const {data, ...size} = slope(1920, 1080);
	const rgba = Buffer.alloc(1920 * 1080 * 4, 255);
	for (let at = 0; at < 1920 * 1080; at++) rgba.set(data.subarray(at * 3, at * 3 + 3), at * 4);
	const given = await thread.decode(jpeg.encode({...size, data: rgba}, 90).data, how);
	expect([given.width, given.height]).toEqual([640, 360]);
	const pixel = (x: number, y: number) => [...given.data.subarray((y * 640 + x) * 3, (y * 640 + x) * 3 + 2)];
	expect(Math.abs((pixel(600, 20)[0] ?? 0) - (600 * 255) / 640)).toBeLessThan(12);
	expect(Math.abs((pixel(20, 300)[1] ?? 0) - (300 * 255) / 360)).toBeLessThan(12);
});

test('what is no picture is refused in words, and the thread goes on', async () => {
	await expect(thread.decode(Buffer.from('<html>'), how)).rejects.toThrow(PictureError);
	const tooLarge = await encodePng({width: 2100, height: 2000, data: new Uint8Array(2100 * 2000 * 3)});
	await expect(thread.decode(tooLarge, how)).rejects.toThrow('at most 4000000 are shown');
	const small = await thread.decode(await encodePng(slope(8, 6)), how);
	expect(small).toEqual(slope(8, 6));
});

test('what nobody waits for any more is not begun', async () => {
	const giveUp = new AbortController();
	const first = thread.decode(await encodePng(slope(300, 300)), how);
	const second = thread.encode(
		slope(8, 6),
		{format: 'png', size: {width: 8, height: 6}, ...unlimited},
		giveUp.signal,
	);
	giveUp.abort(new Error('given up'));
	await expect(second).rejects.toThrow('given up');
	expect((await first).width).toBe(300);
});

test('a PNG is scaled to the pixels of its cells, and never up', async () => {
	const sizeOf = async (size: {width: number; height: number}) => {
		const text = await encodeWithin(slope(64, 48), {format: 'png', size, ...unlimited});
		const {width, height} = await decodePicture(Buffer.from(text, 'base64'), {pixels: 1e6});
		return [width, height];
	};
	expect(await sizeOf({width: 32, height: 24})).toEqual([32, 24]);
	expect(await sizeOf({width: 640, height: 480})).toEqual([64, 48]);
});

test('sixel is as large as asked, and decoded it looks like what was encoded', async () => {
	const picture = slope(120, 96);
	const text = await encodeWithin(picture, {format: 'sixel', size: picture, ...unlimited});
	expect(text.startsWith('\u001bP')).toBe(true);
	expect(text.endsWith('\u001b\\')).toBe(true);
	const {width, height, data32} = decodeSixel(text.slice(text.indexOf('q') + 1, -2));
	expect([width, height]).toEqual([120, 96]);
	let difference = 0;
	for (let at = 0; at < width * height * 3; at++) {
		const value = ((data32[Math.floor(at / 3)] ?? 0) >>> (8 * (at % 3))) & 0xff;
		difference += Math.abs(value - (picture.data[at] ?? 0));
	}
	expect(difference / (width * height * 3)).toBeLessThan(16);
	const larger = await encodeWithin(slope(10, 6), {
		format: 'sixel',
		size: {width: 40, height: 24},
		...unlimited,
	});
	expect(decodeSixel(larger.slice(larger.indexOf('q') + 1, -2))).toMatchObject({width: 40, height: 24});
});

test.each(['png', 'sixel'] as const)(
	'%s: in no more characters than wanted, made smaller where needed',
	async format => {
		const picture = slope(320, 240);
		const whole = await encodeWithin(picture, {format, size: picture, ...unlimited});
		expect(whole.length).toBeGreaterThan(20_000);
		for (const mostCharacters of [20_000, 5000]) {
			const text = await encodeWithin(picture, {format, size: picture, mostCharacters});
			expect(text.length).toBeLessThanOrEqual(mostCharacters);
			expect(text.length).toBeGreaterThan(mostCharacters / 8);
		}
	},
);
