import {execFile} from 'node:child_process';
import {cp, mkdir, rename, rm, stat, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {cutFooter, editInfo, garble, rewriteParquet} from '../../support/dataset-damage.ts';
import {
	dataFile,
	episodesFile,
	tasksFile,
	writeLerobotDataset,
	writeVideo,
} from '../../support/lerobot-dataset.ts';
import {detailsOf, type Ingested, ingest, workFolder} from './ingest-run.ts';

const front = 'observation.images.front';
const top = 'observation.images.top';

let folder: Awaited<ReturnType<typeof workFolder>>;
let dataset: string;
beforeEach(async () => {
	folder = await workFolder();
	dataset = folder.dataset;
});
afterEach(() => folder.remove());

const take = () => ingest(dataset, folder.root);
const indices = ({episodes}: Ingested) => episodes.map(({episode_index}) => episode_index);
const tiers = ({episodes}: Ingested) => episodes.map(({tier}) => tier);
const four = {episodes: [{}, {}, {}, {}], episodesPerFile: 2};

describe('a data file', () => {
	test('without its footer is named with its episodes; the other files are taken', async () => {
		await writeLerobotDataset(dataset, four);
		await cutFooter(dataset, dataFile(1));
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(taken.dataset.problems).toEqual([
			{
				file: dataFile(1),
				message: `${dataFile(1)} has no parquet footer: its writing was cut off, so that episodes 2–3 are left out.`,
			},
		]);
	});

	test('that is missing is named with its episodes', async () => {
		await writeLerobotDataset(dataset, four);
		await rm(path.join(dataset, dataFile(0)));
		const taken = await take();
		expect(indices(taken)).toEqual([2, 3]);
		expect(taken.messages).toEqual([`${dataFile(0)} is missing, so that episodes 0–1 are left out.`]);
	});

	test.each([
		['empty', ''],
		['no parquet at all', 'a text file that somebody renamed'],
	])('that is %s is named', async (_, content) => {
		await writeLerobotDataset(dataset, four);
		await writeFile(path.join(dataset, dataFile(1)), content);
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(taken.messages[0]).toMatch(
			/file-001\.parquet is (empty|not a parquet file), so that episodes 2–3/,
		);
	});

	test('that is garbled in the middle yields the episodes before', async () => {
		const long = {frames: 2048};
		await writeLerobotDataset(dataset, {episodes: [long, long, long], rowGroupSize: 2048});
		const {size} = await stat(path.join(dataset, dataFile()));
		await garble(dataset, dataFile(), Math.floor(size * 0.7), Math.floor(size * 0.8));
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages[0]).toMatch(/file-000\.parquet cannot be read to its end \(.+\)\.$/);
		expect(taken.messages[1]).toMatch(/^Episode 2 is not there/);
	});

	test('that is garbled within an episode yields what there is of it, to be analyzed', async () => {
		await writeLerobotDataset(dataset, {episodes: [{frames: 100}, {frames: 6000}], rowGroupSize: 2048});
		const {size} = await stat(path.join(dataset, dataFile()));
		await garble(dataset, dataFile(), Math.floor(size * 0.7), Math.floor(size * 0.8));
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.episodes[1]?.frame_count).toBe(3996n);
		expect(detailsOf(taken.episodes[1]).tier_reasons).toEqual([
			'it has 3996 frames where the metadata says 6000',
			'its file cannot be read further',
		]);
	});

	test('that is a named pipe is not waited for', async () => {
		await writeLerobotDataset(dataset, four);
		await rm(path.join(dataset, dataFile(1)));
		await promisify(execFile)('mkfifo', [path.join(dataset, dataFile(1))]);
		expect((await take()).messages).toEqual([
			`${dataFile(1)} is not a file, so that episodes 2–3 are left out.`,
		]);
	});

	test('that no metadata names is read too; whether its episodes are whole cannot be told', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, episodesFile, 'SELECT * FROM old WHERE episode_index < 2');
		await editInfo(dataset, info => Object.assign(info, {total_episodes: 2, total_frames: 120}));
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable', null, null]);
		expect(taken.dataset.problems[0]).toMatchObject({file: dataFile(1), episode_index: 2});
		expect(detailsOf(taken.episodes[2]).tier_reasons?.[0]).toMatch(/metadata does not list it/);
	});
});

describe('columns', () => {
	test('that are missing are named; the episodes stay, to be analyzed', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, dataFile(1), 'SELECT * EXCLUDE ("observation.state") FROM old');
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([`${dataFile(1)} has no column "observation.state".`]);
		expect(taken.episodes[2]).toMatchObject({frozen_state_dims: null, action_dims: 6});
		expect(taken.episodes[2]?.sparc).toBeLessThan(0);
		expect(detailsOf(taken.episodes[2]).tier_reasons).toEqual(['it has no state']);
	});

	test('without the action leave no motion to measure', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(dataset, dataFile(), 'SELECT * EXCLUDE (action) FROM old');
		const taken = await take();
		expect(taken.episodes[0]).toMatchObject({
			tier: 'analyze_only',
			sparc: null,
			quality_score: null,
			action_dims: null,
			state_dims: 6,
		});
		expect(taken.channels.some(({stream}) => stream === 'action')).toBe(false);
	});

	test('named otherwise than info.json says are found by their usual names', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * RENAME (action AS actions, "observation.state" AS state) FROM old',
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([
			`${dataFile()} spells "action" as "actions"; it was read as that.`,
			`${dataFile()} spells "observation.state" as "state"; it was read as that.`,
		]);
	});

	test('called unusually throughout are found as well', async () => {
		await writeLerobotDataset(dataset, {actionKey: 'actions', stateKey: 'state'});
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([]);
		expect(taken.channels[0]).toMatchObject({stream: 'action', native_channel: 'actions.shoulder_pan.pos'});
	});

	test('of the frame that are missing are named: without episode_index a file cannot be read', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(dataset, dataFile(0), 'SELECT * EXCLUDE ("timestamp", frame_index) FROM old');
		await rewriteParquet(dataset, dataFile(1), 'SELECT * EXCLUDE (episode_index) FROM old');
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(taken.episodes[0]).toMatchObject({
			dt_jitter_ms: null,
			dt_dropped_frames: null,
			tier: 'retrainable',
		});
		expect(taken.messages).toEqual(
			expect.arrayContaining([
				`${dataFile(0)} has no column "frame_index".`,
				`${dataFile(0)} has no column "timestamp".`,
				`${dataFile(1)} has no column "episode_index".`,
			]),
		);
	});

	test('of texts where numbers belong are named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(dataset, dataFile(), "SELECT * REPLACE ('up' AS action) FROM old");
		const taken = await take();
		expect(taken.messages).toEqual([`${dataFile()} holds VARCHAR in column "action", not numbers.`]);
		expect(tiers(taken)).toEqual(['analyze_only', 'analyze_only']);
	});

	test('that info.json does not declare leave every episode to be analyzed', async () => {
		await writeLerobotDataset(dataset);
		await editInfo(dataset, info => {
			delete (info.features as Record<string, unknown>)['observation.state'];
		});
		const taken = await take();
		expect(taken.messages).toEqual([
			'meta/info.json declares no state feature; every episode is only fit to be analyzed.',
		]);
		expect(tiers(taken)).toEqual(['analyze_only', 'analyze_only']);
	});
});

describe('an episode', () => {
	test('whose action never moves is named and kept for analysis', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {action: () => 12.5, state: frame => frame}]});
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.dataset.problems).toEqual([
			{
				file: dataFile(),
				episode_index: 1,
				message: 'Episode 1: its action never moves: 6 of 6 dims are frozen.',
			},
		]);
		expect(taken.episodes[1]).toMatchObject({
			frozen_action_dims: 6,
			frozen_state_dims: 0,
			quality_score: null,
		});
	});

	test('that is counted by the metadata and is nowhere is named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			episodesFile,
			'FROM old UNION ALL SELECT * REPLACE (7 AS episode_index) FROM old WHERE episode_index = 1',
		);
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(taken.dataset.problems).toEqual([
			{file: 'meta/info.json', message: 'meta/info.json counts 2 episodes, meta/episodes lists 3.'},
			{
				file: dataFile(),
				episode_index: 7,
				message: `Episode 7 is not there: meta/episodes lists it, but ${dataFile()} holds no frame of it.`,
			},
		]);
	});

	test('of another length than the metadata says is named with both', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {frames: 50, length: 64}]});
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toContain('Episode 1: it has 50 frames where the metadata says 64.');
		expect(taken.totalFrames).toBe(110);
	});

	test('with NaN or infinite values keeps the figures that do not need them', async () => {
		await writeLerobotDataset(dataset, {
			episodes: [
				{},
				{
					action: (frame, dim) => (frame === 9 && dim === 2 ? Number.NaN : Math.sin(frame + dim)),
					state: frame => frame,
				},
				{state: (frame, dim) => (frame === 3 && dim === 0 ? Infinity : frame)},
			],
		});
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([
			'Episode 1: its "action" holds NaN, infinite or empty values.',
			'Episode 2: its "observation.state" holds NaN, infinite or empty values.',
		]);
		expect(taken.episodes[1]).toMatchObject({
			speed_mean: null,
			sparc: null,
			quality_score: null,
			action_dims: 6,
		});
		expect(taken.episodes[2]?.sparc).toBeLessThan(0);
		for (const row of taken.channels) {
			for (const figure of ['max', 'min', 'mean', 'std']) expect(Number.isFinite(row[figure])).toBe(true);
		}
		const elbow = taken.channels.find(
			({episode_index, channel, stream}) =>
				episode_index === 1 && stream === 'action' && channel === 'elbow_flex.pos',
		);
		expect(elbow?.max).toBeLessThanOrEqual(1);
	});

	test('with frames of null or of another width is named with their number', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN episode_index = 1 AND frame_index IN (4, 5) THEN NULL
				WHEN episode_index = 1 AND frame_index = 6 THEN [1::FLOAT] ELSE action END AS action) FROM old`,
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toEqual(['Episode 1: 3 of its frames hold no 6 values of "action".']);
	});

	test('with an empty value inside a frame is not whole', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN index = 70 THEN [action[1], NULL, action[3], action[4], action[5], action[6]]
				ELSE action END AS action) FROM old`,
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only']);
		expect(taken.messages).toEqual(['Episode 1: its "action" holds NaN, infinite or empty values.']);
	});

	test('with a frame twice or a frame missing is named by the frame', async () => {
		await writeLerobotDataset(dataset, {episodes: [{}, {}, {}]});
		await rewriteParquet(
			dataset,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN episode_index = 1 AND frame_index = 30 THEN 29
				WHEN episode_index = 2 AND frame_index >= 40 THEN frame_index + 5 ELSE frame_index END AS frame_index) FROM old`,
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'analyze_only', 'analyze_only']);
		expect(taken.messages).toEqual([
			'Episode 1: its frame_index repeats or goes back: 29 where 30 was due.',
			'Episode 2: its frame_index leaves a gap: 45 where 40 was due.',
		]);
	});

	test('that comes twice in the data counts once', async () => {
		await writeLerobotDataset(dataset, four);
		await rewriteParquet(
			dataset,
			dataFile(1),
			'FROM old UNION ALL SELECT * REPLACE (2 AS episode_index) FROM old WHERE episode_index = 3',
		);
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1, 2, 3]);
		expect(taken.totalFrames).toBe(240);
		expect(taken.messages).toEqual(['Episode 2: 60 more frames of it follow elsewhere; they are left out.']);
	});

	test('whose frames lie in a file that the metadata does not mean is taken from the one it means', async () => {
		await writeLerobotDataset(dataset, four);
		await cp(path.join(dataset, dataFile(1)), path.join(dataset, dataFile(0)));
		await cp(path.join(dataset, dataFile(1)), path.join(dataset, dataFile(2)));
		const taken = await take();
		expect(indices(taken)).toEqual([2, 3]);
		expect(taken.messages).toContain(
			`Episode 2: 60 frames of it lie here, but meta/episodes places it in ${dataFile(1)}; they are left out.`,
		);
	});

	test('whose global index is out of order stays whole and is named', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN "index" + 10 ELSE "index" END AS "index") FROM old',
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual(['Episode 1: its index begins at 70 where the metadata says 60.']);
	});

	test('with an index that no episode can have is left out', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			dataFile(),
			'SELECT * REPLACE (CASE WHEN episode_index = 1 THEN -5 ELSE episode_index END AS episode_index) FROM old',
		);
		const taken = await take();
		expect(indices(taken)).toEqual([0]);
		expect(taken.messages[0]).toBe(
			'Episode -5: 60 frames have this index, which no episode can have; they are left out.',
		);
	});
});

describe('metadata', () => {
	test('that was cut off leaves the episodes as the data files hold them', async () => {
		await writeLerobotDataset(dataset, four);
		await cutFooter(dataset, episodesFile);
		const taken = await take();
		expect(tiers(taken)).toEqual([null, null, null, null]);
		expect(taken.messages[0]).toBe(
			`${episodesFile} has no parquet footer: its writing was cut off; the episodes it lists are unknown.`,
		);
		expect(taken.episodes[0]?.task).toBe('pick the cube');
	});

	test('that lists an episode twice counts once', async () => {
		await writeLerobotDataset(dataset);
		await rewriteParquet(
			dataset,
			episodesFile,
			'FROM old UNION ALL SELECT * REPLACE (9 AS length) FROM old WHERE episode_index = 0',
		);
		const taken = await take();
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
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
		expect(taken.messages).toEqual([`${tasksFile} is missing; the tasks of frames have no names.`]);
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
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual(['The folder videos is missing; meta/info.json declares 2 cameras.']);
		expect(detailsOf(taken.episodes[1]).missing_videos).toEqual([
			`videos/${front}/chunk-000/file-000.mp4`,
			`videos/${top}/chunk-000/file-000.mp4`,
		]);
	});

	test('in a folder of another name are named with the folder that is there', async () => {
		await writeLerobotDataset(dataset, cameras);
		await rename(path.join(dataset, 'videos', front), path.join(dataset, 'videos', 'front'));
		const taken = await take();
		expect(taken.dataset.problems).toEqual([
			{
				file: `videos/${front}`,
				message: `The folder videos has no "${front}", as meta/info.json names a camera; there is "front".`,
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
			},
		]);
	});

	test('whose span differs from the episode are measured and named', async () => {
		await writeLerobotDataset(dataset, {cameras: [top], episodes: [{}, {videoSkew: 0.5}]});
		const taken = await take();
		expect(taken.episodes.map(({sync_skew_max_ms}) => sync_skew_max_ms)).toEqual([0, expect.closeTo(500, 6)]);
		expect(taken.episodes[1]?.sync_skew_ratio).toBeCloseTo(0.25, 9);
		expect(tiers(taken)).toEqual(['retrainable', 'retrainable']);
		expect(taken.messages).toEqual([`Episode 1: camera "${top}" spans 2.5 s, the episode 2 s.`]);
	});
});

describe('a path out of the dataset', () => {
	beforeEach(async () => {
		await writeLerobotDataset(dataset, four);
		await writeLerobotDataset(path.join(folder.root, 'lab', 'secret'));
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
		await symlink(path.join(folder.root, 'lab', 'secret', dataFile()), path.join(dataset, dataFile(1)));
		const taken = await take();
		expect(indices(taken)).toEqual([0, 1]);
		expect(taken.messages).toEqual([
			`${dataFile(1)} leads out of the dataset, where nothing is read, so that episodes 2–3 are left out.`,
		]);
	});
});

test('timestamps that jump are dropped frames', async () => {
	await writeLerobotDataset(dataset, {episodes: [{timestamp: frame => (frame + (frame > 20 ? 3 : 0)) / 30}]});
	const taken = await take();
	expect(taken.episodes[0]).toMatchObject({dt_dropped_frames: 3, tier: 'retrainable'});
	expect(taken.episodes[0]?.dt_jitter_ms).toBeGreaterThan(1);
});

test('a dataset of no episodes is taken as that', async () => {
	await writeLerobotDataset(dataset, {episodes: []});
	const taken = await take();
	expect([taken.episodeCount, taken.episodes.length]).toEqual([0, 0]);
});
