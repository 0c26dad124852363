import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {encode} from 'fast-png';
import {expect, test} from 'vitest';
import {episodeFrame} from '../../source/contract/local-frames.ts';
import {decodePicture} from '../../source/picture/decode.ts';
import {armDataset, siblings} from './support/arm-dataset.ts';
import {type Address, call} from './support/call.ts';
import {exploreLocally, idOf, ingestFolder} from './support/ingesting.ts';
import {addPictures, camera, depthCamera, depthTiff, plain} from './support/pictures.ts';
import {serviceHome} from './support/service-home.ts';

const home = serviceHome();

async function frame(service: Address, id: string, query = '') {
	const answer = await call(service, `/local/v1/episodes/${id}/frames${query}`);
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
	return episodeFrame.parse(answer.json());
}

/** The colour of a picture's middle, and its size. */
async function lookOf(png: string | null) {
	const {width, height, data} = await decodePicture(Buffer.from(png ?? '', 'base64'), {pixels: 1e6});
	const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 3;
	return {width, height, colour: [...data.subarray(middle, middle + 3)]};
}

test('the first and the last picture come from the data file, small', async () => {
	const folder = await armDataset(path.join(home.root, 'pictures'), siblings(3));
	await addPictures(folder, await plain(640, 480, [255, 0, 0]), await plain(640, 480, [0, 0, 255]));
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const id = idOf(episodes, 1);
	const first = await frame(service, id, '?side=64');
	expect(first).toMatchObject({cameras: [camera], camera, which: 'first', source: 'parquet', problem: null});
	expect(await lookOf(first.png)).toEqual({width: 64, height: 48, colour: [255, 0, 0]});
	const last = await frame(service, id, `?which=last&camera=${camera}`);
	expect(await lookOf(last.png)).toEqual({width: 320, height: 240, colour: [0, 0, 255]});
	expect(await frame(service, id, '?camera=none')).toMatchObject({
		png: null,
		problem: 'the dataset has no camera of that name',
	});
	expect((await call(service, `/local/v1/episodes/${id}/frames?side=9000`)).status).toBe(422);
	const stranger = '0b5e55ed-0000-4000-8000-000000000000';
	expect((await call(service, `/local/v1/episodes/${stranger}/frames`)).status).toBe(404);
});

test('what is no picture is said in words, and the next is read all the same', async () => {
	const folder = await armDataset(path.join(home.root, 'hostile'), siblings(3));
	const enormous = Buffer.from(await plain(4, 4, [1, 2, 3]));
	enormous.writeUInt32BE(60_000, 16);
	enormous.writeUInt32BE(60_000, 20);
	await addPictures(folder, enormous, Buffer.from('no picture'));
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const id = idOf(episodes, 0);
	expect((await frame(service, id)).problem).toMatch(/60000 x 60000 pixels/);
	expect((await frame(service, id, '?which=last')).problem).toBe('it is neither PNG nor JPEG');
});

test('a depth map is a picture of greys whose distances are said, as a TIFF or a PNG of 16 bits; others are said in words', async () => {
	const [width, height] = [64, 48];
	// From 500 mm at the left to 2 m at the right; the top row has no distance.
	const distances = (scale: number) => (_: unknown, at: number) =>
		at < width ? 0 : scale * (500 + (1500 * (at % width)) / (width - 1));
	const length = width * height;
	const millimetres = Uint16Array.from({length}, distances(1));
	const png = encode({width, height, channels: 1, depth: 16, data: millimetres});
	const service = await home.join(home.lake());
	const pictureOf = async (name: string, [first, last]: readonly [Uint8Array, Uint8Array], unit?: string) => {
		const folder = await armDataset(path.join(home.root, name), siblings(2));
		await addPictures(folder, first, last, {...depthCamera, info: {is_depth_map: true, depth_unit: unit}});
		await ingestFolder(service, folder);
		const {episodes} = await exploreLocally(service, {search: name});
		const id = idOf(episodes, 0, name);
		return [await frame(service, id), await frame(service, id, '?which=last')] as const;
	};
	const greysOf = async (png: string | null) => {
		const {data} = await decodePicture(Buffer.from(png ?? '', 'base64'), {pixels: 1e6});
		const grey = (row: number, column: number) => data[(row * width + column) * 3];
		return [grey(0, 5), grey(9, 0), grey(9, width - 1)];
	};
	const floats = Float32Array.from({length}, distances(0.001));
	const [tiff, alsoPng] = await pictureOf('depth-mm', [depthTiff(width, millimetres), png], 'mm');
	for (const taken of [tiff, alsoPng]) {
		expect(taken).toMatchObject({source: 'parquet', problem: null, depth: {unit: 'mm'}});
		expect([taken.depth?.near, taken.depth?.far]).toEqual([500, 2000]);
		expect(await greysOf(taken.png)).toEqual([0, 255, 48]);
	}
	const [metres, broken] = await pictureOf('depth-m', [
		depthTiff(width, floats),
		depthTiff(width, floats).subarray(0, 999),
	]);
	expect(metres.depth).toEqual({near: 0.5, far: 2, unit: null});
	expect(await greysOf(metres.png)).toEqual([0, 255, 48]);
	expect(broken).toMatchObject({png: null, problem: expect.stringMatching(/depth map/)});
	const [none, colours] = await pictureOf('depth-odd', [
		depthTiff(width, new Uint16Array(length)),
		Buffer.from('no picture'),
	]);
	expect(none.problem).toBe('its depth map has no distance in any pixel');
	expect(colours.problem).toBe('its depth map is neither TIFF nor PNG');
});

/** A dataset whose camera is kept as a video of which nothing is there but a file of that name. */
async function filmed(name: string): Promise<{folder: string; video: string}> {
	const folder = await armDataset(path.join(home.root, name), siblings(2), {cameras: [camera]});
	const video = path.join(folder, 'videos', camera, 'chunk-000/file-000.mp4');
	await mkdir(path.dirname(video), {recursive: true});
	return {folder, video};
}

test('a video is asked of ffmpeg for one frame in the middle of its moment, of a small size, and of nothing else', async () => {
	const {folder, video} = await filmed('asked');
	await writeFile(video, 'not looked at');
	const tools = path.join(home.root, 'tools');
	await mkdir(tools, {recursive: true});
	await writeFile(path.join(tools, 'picture.png'), await plain(32, 24, [0, 255, 0]));
	await writeFile(
		path.join(tools, 'ffmpeg'),
		`#!/bin/sh\nprintf '%s\\n' "$@" > ${tools}/asked\ncat ${tools}/picture.png\n`,
	);
	await chmod(path.join(tools, 'ffmpeg'), 0o755);
	const before = process.env.PATH;
	process.env.PATH = `${tools}:${before}`;
	const service = await home.join(home.lake()).finally(() => {
		process.env.PATH = before;
	});
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const second = await frame(service, idOf(episodes, 1), '?which=last&side=100');
	expect(second).toMatchObject({source: 'video', problem: null});
	expect(await lookOf(second.png)).toEqual({width: 32, height: 24, colour: [0, 255, 0]});
	const asked = (await readFile(path.join(tools, 'asked'), 'utf8')).split('\n');
	const after = (name: string) => asked[asked.indexOf(name) + 1];
	// The first episode has 3.8 s, the second ends 3.9 s later: half a frame before that.
	expect(Number(after('-ss'))).toBeCloseTo(7.7 - 0.5 / 30, 4);
	expect(after('-i')).toBe(`file:${video}`);
	expect(after('-protocol_whitelist')).toBe('file,pipe');
	expect(after('-frames:v')).toBe('1');
	expect(after('-vf')).toContain('min(iw,100)');

	await writeFile(path.join(tools, 'ffmpeg'), '#!/bin/sh\necho "moov atom not found" >&2\nexit 1\n');
	expect(await frame(service, idOf(episodes, 1), '?side=99')).toMatchObject({
		png: null,
		problem: 'ffmpeg cannot read the video: moov atom not found',
	});
});

function hasFfmpeg(): boolean {
	try {
		execFileSync('ffmpeg', ['-version'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

/** Whether the ffmpeg of this machine can make a depth video as LeRobot does. */
function hasHevc(): boolean {
	return hasFfmpeg() && execFileSync('ffmpeg', ['-v', 'error', '-encoders']).includes('libx265');
}

test.skipIf(!hasHevc())(
	'a depth video of 12 bits is shown in metres, as its settings spread them',
	async () => {
		const {folder, video} = await filmed('depth-film');
		const info = path.join(folder, 'meta/info.json');
		const described = JSON.parse(await readFile(info, 'utf8')) as {features: Record<string, object>};
		described.features[camera] = {
			...described.features[camera],
			shape: [48, 64, 1],
			info: {is_depth_map: true, 'video.depth_min': 0.01, 'video.depth_max': 10, 'video.shift': 3.5},
		};
		await writeFile(info, JSON.stringify(described));
		// The left half is 1 m away, the right one 4 m.
		const code = (metres: number) =>
			Math.round((4095 * Math.log((metres + 3.5) / 3.51)) / Math.log(13.5 / 3.51));
		const one = Uint16Array.from({length: 64 * 48}, (_, at) => code(at % 64 < 32 ? 1 : 4));
		execFileSync(
			'ffmpeg',
			[
				...[
					'-v',
					'error',
					'-f',
					'rawvideo',
					'-pix_fmt',
					'gray12le',
					'-s',
					'64x48',
					'-r',
					'30',
					'-i',
					'pipe:0',
				],
				...['-c:v', 'libx265', '-x265-params', 'lossless=1:log-level=none', video],
			],
			{input: Buffer.concat(Array.from({length: 120}, () => Buffer.from(one.buffer)))},
		);
		const service = await home.join(home.lake());
		await ingestFolder(service, folder);
		const {episodes} = await exploreLocally(service, {search: 'depth-film'});
		const taken = await frame(service, idOf(episodes, 0, 'depth-film'));
		expect(taken).toMatchObject({source: 'video', problem: null, depth: {unit: 'm'}});
		expect(taken.depth?.near).toBeCloseTo(1, 2);
		expect(taken.depth?.far).toBeCloseTo(4, 2);
	},
);

// Needs the real ffmpeg, which not every machine has: the arguments are held above without it.
test.skipIf(!hasFfmpeg())('the ffmpeg of this machine gives the frames of a video', async () => {
	const {folder, video} = await filmed('filmed');
	const half = ['-f', 'lavfi', '-t', '3.85', '-i'];
	execFileSync('ffmpeg', [
		...['-v', 'error', ...half, 'color=red:s=320x240:r=30', ...half, 'color=blue:s=320x240:r=30'],
		...['-filter_complex', '[0][1]concat=n=2', '-c:v', 'mpeg4', '-q:v', '2', video],
	]);
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const first = await lookOf((await frame(service, idOf(episodes, 0), '?side=80')).png);
	expect([first.width, first.height]).toEqual([80, 60]);
	expect(first.colour[0]).toBeGreaterThan(200);
	const last = await lookOf((await frame(service, idOf(episodes, 1), '?which=last&side=80')).png);
	expect(last.colour[2]).toBeGreaterThan(200);
});
