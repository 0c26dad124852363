import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {decodePicture} from '../../source/picture/decode.ts';
import {sampleDatasets} from '../../source/sample/datasets.ts';
import type {VideoEncoder} from '../../source/sample/film.ts';
import {writeSample} from '../../source/sample/write-sample.ts';
import {findEncoder} from '../../source/service/ffmpeg/encode-video.ts';
import {damagesOf} from '../lerobot/check/checked-dataset.ts';
import {freshFolder, openQuery, type Query} from '../lerobot/write-support.ts';
import {canFilm, filmOf, framesOfFilm} from '../support/films.ts';

/** Without planted faults, and the smallest of those. */
const name = 'g1-sort-bottles-1-trimmed';
const camera = 'observation.images.cam_high';
const {fps} = sampleDatasets.find(dataset => dataset.name === name)?.program.robot ?? {fps: 0};

let query: Query;
let close: () => void;
beforeEach(async () => {
	({query, close} = await openQuery());
});
afterEach(() => close());

const infoOf = async (folder: string) =>
	JSON.parse(await readFile(path.join(folder, 'meta/info.json'), 'utf8'));

describe.skipIf(!canFilm('libx264'))('with ffmpeg', () => {
	test('every episode of the sample is in a video, frame by frame, and nothing in it keeps a training from it', async () => {
		const [folder = ''] = await writeSample(await freshFolder(), {
			datasets: [name],
			encoder: await findEncoder(),
		});
		const info = await infoOf(folder);
		expect(info.features[camera]).toMatchObject({
			dtype: 'video',
			names: ['height', 'width', 'channels'],
			info: {'video.codec': 'h264', 'video.fps': fps, 'video.pix_fmt': 'yuv420p'},
		});
		const seen = framesOfFilm(filmOf(folder, camera));
		expect(seen).toHaveLength(info.total_frames);
		const off = seen.map(({seconds}, frame) => Math.abs(seconds - frame / fps));
		expect(Math.max(...off)).toBeLessThan(1e-4);
		const spans = await query(
			`SELECT "length" AS frames, "videos/${camera}/from_timestamp" AS start, "videos/${camera}/to_timestamp" AS "end"
			FROM '${folder}/meta/episodes/*/*.parquet' ORDER BY episode_index`,
		);
		for (const {frames, start, end} of spans as {frames: number; start: number; end: number}[]) {
			expect(end - start).toBeCloseTo(frames / fps, 6);
			const own = seen.slice(Math.round(start * fps), Math.round(end * fps)).map(({sum}) => sum);
			// The arms move, and no picture lasts into the next episode.
			expect(new Set(own).size).toBeGreaterThan(frames / fps);
			expect(seen[Math.round(start * fps) - 1]?.sum).not.toBe(own[0]);
		}
		expect(await damagesOf(folder)).toEqual([]);
	}, 60_000);

	test('an encoder that fails leaves pictures in the data files', async () => {
		const found = (await findEncoder()) as VideoEncoder;
		const failing: VideoEncoder = {
			codec: found.codec,
			begin: (file, video) => found.begin(file, {...video, width: -1}),
		};
		const [folder = ''] = await writeSample(await freshFolder(), {datasets: [name], encoder: failing});
		expect((await infoOf(folder)).features[camera].dtype).toBe('image');
		expect(await damagesOf(folder)).toEqual([]);
	}, 60_000);
});

test('without ffmpeg the pictures of the sample are in its data files, and nothing keeps a training from them', async () => {
	const before = process.env.PATH;
	process.env.PATH = '/nowhere';
	const encoder = await findEncoder().finally(() => {
		process.env.PATH = before;
	});
	expect(encoder).toBeUndefined();
	const [folder = ''] = await writeSample(await freshFolder(), {datasets: [name], encoder});
	const info = await infoOf(folder);
	expect(info.features[camera]).toEqual({
		dtype: 'image',
		shape: [48, 64, 3],
		names: ['height', 'width', 'channels'],
	});
	expect(info.video_path).toBeNull();
	const rows = await query(
		`SELECT base64("${camera}".bytes) AS bytes, count(*) OVER () AS frames FROM '${folder}/data/*/*.parquet' LIMIT 1`,
	);
	expect(rows[0]?.frames).toBe(info.total_frames);
	const picture = await decodePicture(Buffer.from(String(rows[0]?.bytes), 'base64'), {pixels: 10_000});
	expect([picture.width, picture.height]).toEqual([64, 48]);
	expect(await damagesOf(folder)).toEqual([]);
}, 60_000);
