import {readdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import type {ComposeWork} from '../../../source/service/compose/compose-messages.ts';
import {Ffmpeg} from '../../../source/service/ffmpeg/ffmpeg.ts';
import {canFilm, ffmpeg, film, filmOf, frameAt, framesOfFilm, type Seen} from '../../support/films.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {readParquet} from '../../support/parquet.ts';
import {inWorkFolders} from '../ingest/ingest-run.ts';
import {chosen} from './chosen.ts';
import {expectRules} from './dataset-rules.ts';

const top = 'observation.images.top';
let root: string;
inWorkFolders(folder => {
	root = folder.root;
});

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
/** How LeRobot writes videos, and how others do. */
const encodings = {
	'h264, key frames in twos': [...x264, '-g', '2', '-bf', '0'],
	'h264 with B-frames': ['-c:v', 'libx264', '-preset', 'fast', '-g', '12', '-bf', '3'],
	'av1, key frames in twos': ['-c:v', 'libsvtav1', '-preset', '12', '-g', '2'],
};
/** Groups that are open lean on the one before: a decoder loses frames where such a one follows another's end. */
const openGroups = [
	...['-c:v', 'libx264', '-preset', 'fast', '-g', '15', '-bf', '3'],
	...['-x264-params', 'open-gop=1:scenecut=0'],
];
/** Others, of which one file is enough. */
const mpeg4 = ['-c:v', 'mpeg4', '-g', '25', '-q:v', '4'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=0:keyint=20'];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '30'];
const encoders = ['libx264', 'libsvtav1', 'libx265', 'mpeg4', 'libvpx-vp9'];
const absent = canFilm(...encoders) ? '' : ' (skipped: no ffmpeg with these encoders on this machine)';
const filmed = test.skipIf(absent !== '');

const lengths = [31, 44, 25, 60, 37, 28];
const total = lengths.reduce((sum, each) => sum + each, 0);

async function parent(name: string, indices: readonly number[], encoding: readonly string[]) {
	const folder = path.join(root, name);
	await writeLerobotDataset(folder, {
		cameras: [top],
		videosInRow: true,
		episodes: lengths.map(frames => ({frames})),
	});
	film(filmOf(folder, top), total, encoding);
	return chosen(root, name, indices);
}

async function compose(name: string, parents: ComposeWork['parents'], steps: string[] = []) {
	const target = path.join(root, 'made', name);
	const summary = await composeDataset(
		{target, name, left_out: [], parents},
		({step, done}) => void (steps.at(-1) !== `${step} ${done}` && steps.push(`${step} ${done}`)),
		await Ffmpeg.find(),
	);
	return {target, summary};
}

type Row = Record<string, unknown>;
const fileOf = (folder: string, row: Row) => {
	const part = (name: string) => String(row[`videos/${top}/${name}_index`]).padStart(3, '0');
	return path.join(folder, 'videos', top, `chunk-${part('chunk')}`, `file-${part('file')}.mp4`);
};

/** Every frame of every episode, beside the parent's: same picture, at a moment that its reader finds. */
async function expectSameFrames(target: string): Promise<void> {
	const films = new Map<string, Seen[]>();
	const framesIn = (file: string) => {
		const frames = films.get(file) ?? framesOfFilm(file);
		films.set(file, frames);
		return frames;
	};
	const {episodes} = await expectRules(target);
	for (const row of episodes) {
		const folder = path.join(root, String(row['lakescope/parent_dataset']));
		const listed = await readParquet(path.join(folder, 'meta/episodes/chunk-000/file-000.parquet'));
		const before = listed[Number(row['lakescope/parent_episode_index'])] ?? {};
		const from = (of: Row) => Number(of[`videos/${top}/from_timestamp`]);
		const [own, parents] = [framesIn(fileOf(target, row)), framesIn(fileOf(folder, before))];
		for (let frame = 0; frame < Number(row.length); frame++) {
			const seconds = frame / 30;
			expect(frameAt(own, from(row) + seconds).sum).toBe(frameAt(parents, from(before) + seconds).sum);
		}
	}
	// Readers that go by the number of a frame take it from the average rate: no gap, and from zero on.
	for (const file of films.keys()) {
		if (!file.startsWith(target)) continue;
		for (const [number, {seconds}] of framesIn(file).entries()) expect(seconds).toBeCloseTo(number / 30, 3);
	}
}

for (const [name, encoding] of Object.entries(encodings)) {
	filmed(`chosen episodes of ${name} are cut out, and every frame is the parent's${absent}`, async () => {
		const parents = [await parent('one', [1, 3, 4], encoding), await parent('two', [0, 2, 5], encoding)];
		const steps: string[] = [];
		const {target, summary} = await compose('cut', parents, steps);
		expect(summary).toMatchObject({videos: 1, videos_cut: 1, videos_absent: 0, videos_note: null});
		await expectSameFrames(target);
		const {size} = await stat(path.join(target, 'videos', top, 'chunk-000/file-000.mp4'));
		expect(summary).toMatchObject({video_bytes: size, video_bytes_linked: 0});
		const whole = (await stat(filmOf(path.join(root, 'one'), top))).size * 2;
		expect(size).toBeLessThan(whole);
		expect(steps).toEqual(expect.arrayContaining([0, 1, 6].map(done => `cutting videos ${done}`)));
		expect(await readdir(path.join(root, 'made'))).toEqual(['cut']);
	});
}

filmed(
	`what is not of one encoding lies in files of its own, and what is chosen whole is linked${absent}`,
	async () => {
		const parents = [
			await parent('one', [1], mpeg4),
			await parent('two', [2, 5], hevc),
			await parent('three', [0, 1, 2, 3, 4, 5], encodings['h264, key frames in twos']),
			await parent('four', [4], vp9),
			await parent('five', [0, 3], vp9),
		];
		const {target, summary} = await compose('mixed', parents);
		expect(summary).toMatchObject({videos: 4, videos_cut: 3, videos_note: null});
		expect((await stat(path.join(target, 'videos', top, 'chunk-000/file-002.mp4'))).nlink).toBe(2);
		await expectSameFrames(target);
	},
);

filmed(
	`a video that shows less than it holds, or has sound too, is taken whole, and that is said${absent}`,
	async () => {
		const edited = await parent('edited', [2], encodings['h264 with B-frames']);
		const file = filmOf(path.join(root, 'edited'), top);
		const other = path.join(root, 'other.mp4');
		film(other, total + 20, encodings['h264 with B-frames']);
		ffmpeg('-ss', '0.25', '-i', other, '-c', 'copy', '-y', file);
		const loud = await parent('loud', [3], encodings['h264 with B-frames']);
		const loudFile = filmOf(path.join(root, 'loud'), top);
		ffmpeg(
			'-i',
			other,
			'-f',
			'lavfi',
			'-t',
			'7',
			'-i',
			'sine',
			'-c:v',
			'copy',
			'-c:a',
			'aac',
			'-y',
			loudFile,
		);
		const {target, summary} = await compose('whole', [edited, loud]);
		expect(summary).toMatchObject({videos: 2, videos_cut: 0});
		expect(summary.videos_note).toMatch(
			/^2 video files were taken whole, .*: it begins before its own start\.$/,
		);
		expect((await stat(path.join(target, 'videos', top, 'chunk-000/file-000.mp4'))).nlink).toBe(2);
		const alone = await compose('alone', [loud]);
		expect(alone.summary.videos_note).toMatch(/more than one stream/);
	},
);

filmed(
	`cuts that a decoder would stumble over are found by decoding, and the videos taken whole${absent}`,
	async () => {
		const {target, summary} = await compose('open', [
			await parent('one', [1, 3, 4], openGroups),
			await parent('two', [0, 2, 5], openGroups),
		]);
		expect(summary).toMatchObject({videos: 2, videos_cut: 0});
		expect(summary.videos_note).toMatch(/what ffmpeg cut of it is decoded to other frames\.$/);
		await expectSameFrames(target);
	},
);
