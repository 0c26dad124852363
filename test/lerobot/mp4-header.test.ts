import {execFileSync} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {farthestFromGrid, frameRate, readMp4Header} from '../../source/lerobot/mp4-header.ts';
import {canFilm} from '../support/films.ts';
import {box, mp4, words} from '../support/mp4.ts';
import {freshFolder} from './write-support.ts';

async function written(content: Buffer): Promise<string> {
	const file = path.join(await freshFolder(), 'video.mp4');
	await writeFile(file, content);
	return file;
}

test.each([true, false])(
	'the header is found before the pictures and behind them (before: %s)',
	async isFront => {
		const header = await readMp4Header(await written(mp4({frames: 25, fps: 10, isFront})));
		expect(header).toEqual({
			seconds: 2.5,
			trackSeconds: 2.5,
			timescale: 15_360,
			frames: 25,
			stretches: [{frames: 25, ticks: 1536}],
			width: 64,
			height: 48,
			codec: 'av1',
		});
		expect(frameRate(header)).toBe(10);
		expect(farthestFromGrid(header, 10).seconds).toBe(0);
	},
);

test('a frame that lasts longer moves all later ones off the grid, and the first of them is named', async () => {
	const stretches = [
		{frames: 9, ticks: 1536},
		{frames: 1, ticks: 3072},
		{frames: 10, ticks: 1536},
	];
	const header = await readMp4Header(await written(mp4({frames: 20, stretches})));
	expect(farthestFromGrid(header, 10)).toEqual({seconds: expect.closeTo(0.1, 9), frame: 10});
	expect(frameRate(header)).toBe(10);
});

test('a last frame that lasts longer moves none', async () => {
	const stretches = [
		{frames: 9, ticks: 1536},
		{frames: 1, ticks: 9999},
	];
	const header = await readMp4Header(await written(mp4({frames: 10, stretches})));
	expect(farthestFromGrid(header, 10).seconds).toBeCloseTo(0, 9);
});

const whole = mp4({frames: 5});
const replaced = (from: string, to: Buffer) => {
	const content = Buffer.from(whole);
	to.copy(content, content.indexOf(from) + 4);
	return content;
};

test.each([
	['an empty file', Buffer.alloc(0), 'is empty'],
	['another file', Buffer.from('\0\0\0\0\0\0\0\0'.repeat(9)), 'is not an mp4 file'],
	['no header', box('ftyp', words(1)), 'has no header (moov)'],
	['a file cut off in its header', whole.subarray(0, 120), 'ends within its box "moov"'],
	[
		'a box of no bytes',
		Buffer.concat([words(3), Buffer.from('free'), words(0, 0)]),
		'has a box "free" of 3 bytes',
	],
	[
		'a box of 2^63 bytes',
		Buffer.concat([words(1), Buffer.from('mdat'), words(0x7fffffff, 0xffffffff)]),
		'ends within its box "mdat"',
	],
	['four billion frames', replaced('stsz', words(0, 0, 0xffffffff)), 'a box is cut off'],
	['four billion frames of one size', replaced('stsz', words(0, 9, 0xffffffff)), 'do not fit in it'],
	['four billion times', replaced('stts', words(0, 0xffffffff)), 'a box is cut off'],
	['other times than frames', replaced('stts', words(0, 1, 4)), '5 frames, and times for 4'],
	['a second without ticks', replaced('mdhd', words(0, 0, 0, 0)), 'a second has 0 ticks'],
	['sound alone', replaced('hdlr', Buffer.concat([words(0, 0), Buffer.from('soun')])), 'has no video track'],
	['a fragmented file', mp4({frames: 5, extra: [box('mvex')]}), 'is fragmented'],
	[
		'a header of nothing but boxes',
		box('moov', ...Array.from({length: 70_000}, () => box('free'))),
		'more than 65536 boxes',
	],
	['a header without that of the movie', box('moov', box('trak', box('mdia'))), 'without "mvhd"'],
])('%s gives a clear error', async (_, content, message) => {
	await expect(readMp4Header(await written(content))).rejects.toThrow(message);
});

test('every cut of a file and every garbled byte of its header gives a header or a clear error', async () => {
	const file = path.join(await freshFolder(), 'video.mp4');
	for (let at = 0; at < whole.length; at += 3) {
		const garbled = Buffer.from(whole);
		garbled.fill(0xff, at, Math.min(at + 3, whole.length));
		for (const content of [whole.subarray(0, at), garbled]) {
			await writeFile(file, content);
			await readMp4Header(file).catch(error => expect(error).toHaveProperty('name', 'Mp4Error'));
		}
	}
});

test('a folder, a missing file and a pipe are named, and none is waited for', async () => {
	const folder = await freshFolder();
	await mkdir(path.join(folder, 'folder.mp4'));
	execFileSync('mkfifo', [path.join(folder, 'pipe.mp4')]);
	await expect(readMp4Header(path.join(folder, 'folder.mp4'))).rejects.toThrow('is not a file');
	await expect(readMp4Header(path.join(folder, 'pipe.mp4'))).rejects.toThrow('is not a file');
	await expect(readMp4Header(path.join(folder, 'none.mp4'))).rejects.toThrow('cannot be read (ENOENT');
});

test.skipIf(!canFilm('libx264'))(
	'a file by ffmpeg has the frames, rate, size and codec that it was asked for',
	async () => {
		const file = path.join(await freshFolder(), 'video.mp4');
		const source = 'testsrc=size=96x64:rate=30:duration=2';
		execFileSync('ffmpeg', [
			'-v',
			'error',
			'-f',
			'lavfi',
			'-i',
			source,
			'-c:v',
			'libx264',
			'-g',
			'2',
			'-bf',
			'0',
			file,
		]);
		const header = await readMp4Header(file);
		expect(header).toMatchObject({frames: 60, width: 96, height: 64, codec: 'h264'});
		expect(header.trackSeconds).toBeCloseTo(2, 6);
		expect(frameRate(header)).toBe(30);
		expect(farthestFromGrid(header, 30).seconds).toBeLessThan(1e-9);
	},
);
