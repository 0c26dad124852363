import {mkdir, rename, rm, symlink} from 'node:fs/promises';
import path from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {cutFooter, editInfo, rewriteParquet} from '../../support/dataset-damage.ts';
import {
	dataFile,
	episodesFile,
	tasksFile,
	writeLerobotDataset,
	writeVideo,
} from '../../support/lerobot-dataset.ts';
import {detailsOf, indicesOf, tiersOf} from './ingest-run.ts';
import {dataset, four, root, take} from './work-dataset.ts';

const front = 'observation.images.front';
const top = 'observation.images.top';

describe('metadata', () => {
	test('that was cut off leaves the episodes as the data files hold them', async () => {
		await writeLerobotDataset(dataset, four);
		await cutFooter(dataset, episodesFile);
		const taken = await take();
		expect(tiersOf(taken)).toEqual([null, null, null, null]);
		expect(taken.messages[0]).toBe(
			`${episodesFile} has no parquet footer: its writing was cut off; the episodes it lists are unknown.`,
		);
		expect(taken.episodes[0]?.task).toBe('pick the cube');
	});

	test('beside links in a circle is read as it is', async () => {
		await writeLerobotDataset(dataset, four);
		await symlink('.', path.join(dataset, 'meta', 'episodes', 'again'));
		await symlink('..', path.join(dataset, 'data', 'up'));
		await symlink('.', path.join(dataset, 'data', 'again'));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1, 2, 3]);
		expect(taken.messages).toEqual([]);
	});

	test('that lists an episode twice counts once', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			episodesFile,
			'FROM old UNION ALL SELECT * REPLACE (9 AS length) FROM old WHERE episode_index = 0',
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([`${episodesFile} lists episode 0 again; the first row counts.`]);
	});

	test('that counts other frames than it lists is named', async () => {
		await writeLerobotDataset(dataset);
		await editInfo(dataset, info => Object.assign(info, {total_frames: 999}));
		expect((await take()).messages).toEqual(['meta/info.json counts 999 frames, meta/episodes lists 120.']);
	});

	test('without tasks.parquet loses nothing that the episodes say themselves', async () => {
		await writeLerobotDataset(dataset);
		await rm(path.join(dataset, tasksFile));
		const taken = await take();
		expect(taken.episodes[0]?.task).toBe('pick the cube');
		expect(taken.messages).toEqual([`${tasksFile} is missing; frames have no task names.`]);
	});

	test('without the column of tasks takes them from the frames', async () => {
		await writeLerobotDataset(dataset, {episodes: [{tasks: ['a']}, {tasks: ['b']}]});
		await rewriteParquet(dataset, episodesFile, 'SELECT * EXCLUDE (tasks) FROM old');
		expect((await take()).episodes.map(({task}) => task)).toEqual(['a', 'b']);
	});
});

describe('videos', () => {
	const cameras = {cameras: [front, top], episodes: [{}, {}]};

	test('that are absent are a reason in the metrics, not a tier', async () => {
		await writeLerobotDataset(dataset, {...cameras, videoFiles: false});
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual(['The folder videos is missing; meta/info.json declares 2 cameras.']);
		expect(detailsOf(taken.episodes[1]).missing_videos).toEqual([
			`videos/${front}/chunk-000/file-000.mp4`,
			`videos/${top}/chunk-000/file-000.mp4`,
		]);
	});

	test('beside the folder that they belong into are named with the way to put it right', async () => {
		await writeLerobotDataset(dataset, cameras);
		await rename(path.join(dataset, 'videos'), path.join(dataset, 'video'));
		expect((await take()).messages).toEqual([
			'The folder videos is missing; meta/info.json declares 2 cameras; video holds them: rename it to videos.',
		]);
	});

	test('in a folder that meta/info.json names otherwise are found there', async () => {
		await writeLerobotDataset(dataset, cameras);
		await rename(path.join(dataset, 'videos'), path.join(dataset, 'video'));
		await editInfo(dataset, info => {
			info.video_path = String(info.video_path).replace('videos/', 'video/');
		});
		expect((await take()).messages).toEqual([]);
	});

	test('in a folder of another name are named with the folder that is there', async () => {
		await writeLerobotDataset(dataset, cameras);
		await rename(path.join(dataset, 'videos', front), path.join(dataset, 'videos', 'front'));
		const taken = await take();
		expect(taken.dataset.problems).toEqual([
			{
				file: `videos/${front}`,
				message: `The folder videos has no "${front}", as meta/info.json names a camera; there is "front".`,
				prevents_training: true,
			},
		]);
		expect(detailsOf(taken.episodes[0]).missing_videos).toEqual([`videos/${front}/chunk-000/file-000.mp4`]);
	});

	test('of which one file is missing are named by the file, once', async () => {
		await writeLerobotDataset(dataset, {...cameras, videoFiles: false});
		await writeVideo(dataset, top);
		await mkdir(path.join(dataset, 'videos', front));
		const taken = await take();
		expect(taken.dataset.problems).toEqual([
			{
				file: `videos/${front}/chunk-000/file-000.mp4`,
				episode_index: 0,
				message: `videos/${front}/chunk-000/file-000.mp4, the video of camera "${front}" from episode 0 on, is missing.`,
				prevents_training: true,
			},
		]);
	});

	test('whose span differs from the episode are measured and named', async () => {
		await writeLerobotDataset(dataset, {cameras: [top], episodes: [{}, {videoSkew: 0.5}]});
		const taken = await take();
		expect(taken.episodes.map(({sync_skew_max_ms}) => sync_skew_max_ms)).toEqual([0, expect.closeTo(500, 6)]);
		expect(taken.episodes[1]?.sync_skew_ratio).toBeCloseTo(0.25, 9);
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([`Episode 1: camera "${top}" spans 2.5 s, the episode 2 s.`]);
	});
});

describe('a path out of the dataset', () => {
	beforeEach(async () => {
		await writeLerobotDataset(dataset, four);
		await writeLerobotDataset(path.join(root, 'lab', 'secret'));
	});

	test('in the data_path of info.json is not followed', async () => {
		await editInfo(dataset, info =>
			Object.assign(info, {
				data_path: '../secret/data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
			}),
		);
		await expect(take()).rejects.toThrow(
			/Nothing of .* can be read\. None of its 4 episodes is there\. .*leads out of the dataset/,
		);
	});

	test('by a symbolic link is not followed', async () => {
		await rm(path.join(dataset, dataFile(1)));
		await symlink(path.join(root, 'lab', 'secret', dataFile()), path.join(dataset, dataFile(1)));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(taken.messages).toEqual([
			`${dataFile(1)} leads out of the dataset, where nothing is read, so that episodes 2–3 are left out.`,
		]);
	});
});
