import {lstat, readFile, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Problem} from '../../../source/lerobot/dataset-error.ts';
import {trimDataset} from '../../../source/service/augmentation/trim-dataset.ts';
import {editInfo, rewriteParquet} from '../../support/dataset-damage.ts';
import {dataFile, episodesFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import type {FixtureEpisode} from '../../support/lerobot-fixture.ts';
import {videoFileV21, writeLerobotV21Dataset} from '../../support/lerobot-v21-dataset.ts';
import {readParquet} from '../../support/parquet.ts';
import {detailsOf, ingest, workFolder} from '../ingest/ingest-run.ts';

const top = 'observation.images.top';

let folder: Awaited<ReturnType<typeof workFolder>>;
let target: string;
beforeEach(async () => {
	folder = await workFolder();
	target = path.join(folder.root, 'job', 'cubes-trimmed');
});
afterEach(() => folder.remove());

/** Still for `before` frames, then moving, then still for the rest. */
const resting =
	(before: number, moving: number) =>
	(frame: number, dim: number): number =>
		(dim + 1) * Math.min(Math.max(frame - before, 0), moving);

const rested: FixtureEpisode = {frames: 100, action: resting(30, 50), state: frame => frame};

async function trim(source = folder.dataset) {
	const problems: Problem[] = [];
	const progress: number[][] = [];
	const summary = await trimDataset(
		{folder: source, dataset_name: 'cubes', target, ordinal: 3},
		{
			problem: problem => problems.push(problem),
			progress: ({done, total, frames}) => progress.push([done, total, frames]),
		},
		undefined,
	);
	return {summary, progress, messages: problems.map(({message}) => message)};
}

const rows = (file: string) => readParquet(path.join(target, file));

describe('a trimmed dataset', () => {
	test('begins and ends where the action does, and keeps every value in between', async () => {
		await writeLerobotDataset(folder.dataset, {
			episodes: [rested, {frames: 60}, {...rested, tasks: ['drop the cube'], tags: ['second']}],
			telemetry: {effort: 2, 'next.reward': 1},
		});
		const before = await readParquet(path.join(folder.dataset, dataFile()));
		const {summary, progress, messages} = await trim();
		expect(messages).toEqual([]);
		expect(summary).toEqual({
			episodes: 3,
			frames_before: 260,
			frames_after: 51 + 60 + 51,
			videos_shared: 0,
			videos_absent: 0,
		});
		expect([progress[0], progress.at(-1)]).toEqual([
			[0, 3, 0],
			[3, 3, 260],
		]);
		const kept = await rows(dataFile());
		const values = ({
			action,
			effort,
			'next.reward': reward,
			'observation.state': state,
		}: (typeof kept)[number]) => [action, effort, reward, state];
		expect(kept.slice(0, 51).map(values)).toEqual(before.slice(30, 81).map(values));
		expect(kept.slice(111).map(values)).toEqual(before.slice(190, 241).map(values));
		expect(kept.slice(0, 51).map(row => [row.frame_index, row.index, row.episode_index])).toEqual(
			Array.from({length: 51}, (_, frame) => [BigInt(frame), BigInt(frame), 0n]),
		);
		expect(kept[50]?.timestamp).toBeCloseTo(50 / 30, 5);

		const taken = await ingest(target, folder.root);
		expect(taken.messages).toEqual([]);
		expect(taken.episodes.map(({tier, task, tags}) => [tier, task, tags])).toEqual([
			// The first and the third are the same recording, by its frames.
			['retrainable', 'pick the cube', ['suspect', 'duplicate']],
			['retrainable', 'pick the cube', []],
			['retrainable', 'drop the cube', ['second', 'suspect', 'duplicate']],
		]);
		expect(
			taken.episodes.map(row => [row.parent_dataset, row.parent_episode_index, row.member_ordinal]),
		).toEqual([
			['cubes', 0, 3n],
			['cubes', 1, 3n],
			['cubes', 2, 3n],
		]);
	});

	test('moves the spans of its cameras along, out of step as they were, and shares the files', async () => {
		await writeLerobotDataset(folder.dataset, {
			episodes: [rested, {...rested, videoSkew: 0.2}],
			cameras: [top],
		});
		const video = path.join(folder.dataset, `videos/${top}/chunk-000/file-000.mp4`);
		await writeFile(video, 'a film');
		const each = (value: number) => [0, 1, 2].map(() => [[value]]);
		const whole = {min: each(0), max: each(1), mean: each(0.5), std: each(0.1), count: [160]};
		await writeFile(
			path.join(folder.dataset, 'meta/stats.json'),
			JSON.stringify({[top]: whole, action: {mean: [9]}}),
		);
		const {summary, messages} = await trim();
		expect(messages).toEqual([expect.stringMatching(/^Not every episode has statistics of the camera/)]);
		expect([summary.videos_shared, summary.videos_absent]).toEqual([1, 0]);
		const [first, second] = await rows(episodesFile);
		expect(first?.[`videos/${top}/from_timestamp`]).toBeCloseTo(1 + 30 / 30);
		expect(first?.[`videos/${top}/to_timestamp`]).toBeCloseTo(1 + 81 / 30);
		expect(second?.[`videos/${top}/to_timestamp`]).toBeCloseTo(1 + 81 / 30 + 0.2);
		const shared = path.join(target, `videos/${top}/chunk-000/file-000.mp4`);
		expect(await readFile(shared, 'utf8')).toBe('a film');
		expect((await lstat(shared)).isSymbolicLink()).toBe(false);
		expect((await stat(shared)).ino).toBe((await stat(video)).ino);
		const stats = JSON.parse(await readFile(path.join(target, 'meta/stats.json'), 'utf8'));
		expect(stats[top]).toMatchObject({mean: each(0.5), count: [102]});
		expect(stats.action.mean[0]).toBeCloseTo(25, 0);
		const taken = await ingest(target, folder.root);
		expect(taken.episodes[1]?.sync_skew_max_ms).toBeCloseTo(200);
	});

	test('of v2.1 is one of v3.0, each episode in the video that was its own', async () => {
		await writeLerobotV21Dataset(folder.dataset, {episodes: [rested, rested], cameras: [top]});
		await writeFile(path.join(folder.dataset, videoFileV21(1, top)), 'the second');
		await rm(path.join(folder.dataset, videoFileV21(0, top)));
		const {summary} = await trim();
		expect([summary.episodes, summary.videos_shared, summary.videos_absent]).toEqual([2, 1, 1]);
		const [, second] = await rows(episodesFile);
		expect(second).toMatchObject({
			[`videos/${top}/file_index`]: 1n,
			[`videos/${top}/from_timestamp`]: 1,
			[`videos/${top}/to_timestamp`]: expect.closeTo(81 / 30),
		});
		const shown = path.join(target, `videos/${top}/chunk-000/file-001.mp4`);
		expect(await readFile(shown, 'utf8')).toBe('the second');
		const taken = await ingest(target, folder.root);
		expect(taken.dataset.format).toBe('v3.0');
		expect(detailsOf(taken.episodes[0]).missing_videos).toEqual([`videos/${top}/chunk-000/file-000.mp4`]);
	});

	test('keeps markers with their frames, those of columns and those of frames', async () => {
		await writeLerobotDataset(folder.dataset, {
			episodes: [
				{
					...rested,
					markers: {names: ['wait', 'reach', 'grasp'], startFrames: [0, 20, 60]},
					subtask: frame => (frame < 50 ? 1 : frame < 90 ? 0 : -1),
				},
			],
			subtasks: ['close', 'open'],
		});
		await trim();
		const [episode] = await rows(episodesFile);
		expect(episode).toMatchObject({
			sparse_subtask_names: ['reach', 'grasp'],
			sparse_subtask_start_frames: [0n, 30n],
			sparse_subtask_end_frames: [29n, 50n],
		});
		const names = await rows('meta/subtasks.parquet');
		const frames = await rows(dataFile());
		const name = (index: unknown) => names.find(row => row.subtask_index === index)?.subtask;
		expect([name(frames[19]?.subtask_index), name(frames[20]?.subtask_index)]).toEqual(['open', 'close']);
	});

	test('keeps whole numbers beyond 2^53 and texts exactly', async () => {
		await writeLerobotDataset(folder.dataset, {episodes: [rested]});
		await rewriteParquet(
			folder.dataset,
			dataFile(),
			`SELECT *, 1700000000000000001 + frame_index AS ns, 'frame ' || frame_index AS note,
				[frame_index > 40, true] AS flags FROM old`,
		);
		await editInfo(folder.dataset, info =>
			Object.assign(info.features as object, {
				ns: {dtype: 'int64', shape: [1], names: null},
				note: {dtype: 'string', shape: [1], names: null},
				flags: {dtype: 'bool', shape: [2], names: null},
			}),
		);
		await trim();
		const kept = await rows(dataFile());
		expect([kept[0]?.ns, kept[0]?.note, kept[0]?.flags]).toEqual([
			1700000000000000031n,
			'frame 30',
			[false, true],
		]);
		expect([kept[11]?.ns, kept[11]?.flags]).toEqual([1700000000000000042n, [true, true]]);
	});
});

describe('what cannot be trimmed', () => {
	test('is left out where it is an episode that is not whole, and named', async () => {
		await writeLerobotDataset(folder.dataset, {
			episodes: [rested, {...rested, length: 120}, rested, rested],
			episodesPerFile: 2,
		});
		await rewriteParquet(
			folder.dataset,
			dataFile(1),
			`SELECT * REPLACE (CASE WHEN episode_index = 2 AND frame_index = 5 THEN NULL ELSE action END AS action)
			FROM old`,
		);
		const {summary, messages} = await trim();
		expect([summary.episodes, summary.frames_before]).toEqual([2, 200]);
		expect(messages).toEqual([
			'Episode 1 is left out: it has 100 frames where the metadata says 120.',
			'Episode 2 is left out: 1 of its frames have no whole "action".',
		]);
		expect((await rows(episodesFile)).map(row => row['lakescope/parent_episode_index'])).toEqual([0, 3]);
	});

	test.each([
		['has a matrix', {matrix: {dtype: 'float32', shape: [2, 2], names: null}}, /"matrix" of shape \[2, 2\]/],
		['has an odd dtype', {half: {dtype: 'float16', shape: [2], names: null}}, /"half" of dtype float16/],
	])('is refused where it %s', async (_, features, expected) => {
		await writeLerobotDataset(folder.dataset);
		await editInfo(folder.dataset, info => Object.assign(info.features as object, features));
		await expect(trim()).rejects.toThrow(expected);
	});

	test('is refused where there is no action, or no whole episode, and nothing is left behind', async () => {
		await writeLerobotDataset(folder.dataset, {episodes: [{length: 70}]});
		await expect(trim()).rejects.toThrow(/it has no whole episode/);
		await expect(stat(target)).rejects.toThrow();
		await editInfo(folder.dataset, info => delete (info.features as Record<string, unknown>).action);
		await expect(trim()).rejects.toThrow(/has no action, by which pauses are found/);
	});
});
