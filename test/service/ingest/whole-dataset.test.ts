import {cp, rename} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {plainMetrics} from '../../motion/plain-metrics.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {dataFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {jointNames} from '../../support/lerobot-fixture.ts';
import {detailsOf, type Ingested, ingest, workFolder} from './ingest-run.ts';

const action = (frame: number, dim: number) => Math.fround((10 + dim) * Math.sin((frame * (dim + 2)) / 30));

let folder: Awaited<ReturnType<typeof workFolder>>;
let taken: Ingested;

beforeAll(async () => {
	folder = await workFolder();
	await writeLerobotDataset(folder.dataset, {
		episodes: [
			{frames: 200, action, tasks: ['fold the towel'], tags: ['first', 'towel']},
			{
				frames: 100,
				tasks: ['pick the cube', 'drop the cube'],
				parent: {dataset: 'raw', episodeIndex: 4, ordinal: 2},
			},
			{frames: 90, markers: {names: ['grasp', 'reach'], startFrames: [50, 0]}},
		],
		telemetry: {'observation.effort': 2, 'next.reward': 1},
		cameras: ['observation.images.top'],
		episodesPerFile: 2,
		rowGroupSize: 32,
		taskColumn: '__index_level_0__',
	});
	taken = await ingest(folder.dataset, folder.root);
});
afterAll(() => folder.remove());

describe('a whole dataset', () => {
	test('is taken without a complaint, however its episodes lie in files and row groups', () => {
		expect(taken.messages).toEqual([]);
		expect([taken.episodeCount, taken.totalFrames]).toEqual([3, 390]);
		expect(
			taken.episodes.map(({episode_index, frame_count}) => [episode_index, Number(frame_count)]),
		).toEqual([
			[0, 200],
			[1, 100],
			[2, 90],
		]);
		expect(taken.episodes.map(({tier}) => tier)).toEqual(['retrainable', 'retrainable', 'retrainable']);
	});

	test('has the metrics that the definitions give', () => {
		const frames = Array.from({length: 200}, (_, frame) => jointNames.map((_, dim) => action(frame, dim)));
		const times = frames.map((_, frame) => Math.fround(frame / 30));
		const [first] = taken.episodes;
		for (const [field, expected] of Object.entries(plainMetrics(frames, times, 30))) {
			expect([field, first?.[field]]).toEqual([field, expect.closeTo(expected as number, 6)]);
		}
		expect(first).toMatchObject({duration_s: 200 / 30, action_dims: 6, state_dims: 6, frozen_state_dims: 0});
	});

	test('carries tasks, tags, lineage and markers', () => {
		expect(taken.episodes.map(({task}) => task)).toEqual([
			'fold the towel',
			'pick the cube',
			'pick the cube',
		]);
		expect(detailsOf(taken.episodes[1]).tasks).toEqual(['pick the cube', 'drop the cube']);
		expect(taken.episodes.map(({tags}) => tags)).toEqual([['first', 'towel'], [], []]);
		expect(taken.episodes[1]).toMatchObject({
			parent_dataset: 'raw',
			parent_episode_index: 4,
			member_ordinal: 2n,
		});
		expect(taken.episodes.map(({marker_signature}) => marker_signature)).toEqual([
			null,
			null,
			'reach > grasp',
		]);
	});

	test('has the figures of every channel of every stream', () => {
		const of = (episode: number, stream: string) =>
			taken.channels.filter(row => row.episode_index === episode && row.stream === stream);
		expect(of(0, 'action').map(({channel}) => channel)).toEqual(jointNames);
		expect(of(2, 'telemetry').map(({channel, native_index}) => [channel, native_index])).toEqual([
			['observation.effort.0', 0],
			['observation.effort.1', 1],
			['next.reward', 0],
		]);
		const values = Array.from({length: 200}, (_, frame) => action(frame, 5));
		const mean = values.reduce((sum, value) => sum + value, 0) / 200;
		expect(of(0, 'action')[5]).toMatchObject({
			native_channel: 'gripper.pos',
			native_index: 5,
			max: Math.max(...values),
			min: Math.min(...values),
			mean: expect.closeTo(mean, 6),
			std: expect.closeTo(Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 200), 6),
		});
		expect(taken.channels).toHaveLength(3 * (6 + 6 + 3));
	});

	test('is described', () => {
		expect(taken.dataset).toMatchObject({
			format: 'v3.0',
			robot_type: 'so101_follower',
			fps: 30,
			interface_hash: expect.stringMatching(/^so101_follower-30hz-[0-9a-f]{4}$/),
			subtype: 'lerobot_v3',
			total_episodes: 3,
			total_frames: 390,
			cameras: ['observation.images.top'],
			problems: [],
		});
		expect(taken.dataset.features).toMatchObject({action: {dtype: 'float32', shape: [6], names: jointNames}});
	});

	test('gives the same episodes the same ids wherever its folder lies', async () => {
		const elsewhere = path.join(folder.root, 'elsewhere');
		await cp(folder.dataset, elsewhere, {recursive: true});
		const again = await ingest(elsewhere, folder.root);
		const ids = ({episodes}: Ingested) => episodes.map(({episode_id, revision}) => [episode_id, revision]);
		expect(ids(again)).toEqual(ids(taken));
		expect(new Set(taken.episodes.map(({revision}) => revision)).size).toBe(3);
		for (const {revision} of taken.episodes) expect(revision).toMatch(/^[0-9a-f]{64}$/);
	});

	test('gives an episode another revision and id once a single value differs, and that episode alone', async () => {
		const changed = path.join(folder.root, 'changed');
		await cp(folder.dataset, changed, {recursive: true});
		await rewriteParquet(
			changed,
			dataFile(),
			`SELECT * REPLACE (CASE WHEN episode_index = 1 AND frame_index = 7
				THEN list_transform("observation.state", x -> x + 0.001::FLOAT) ELSE "observation.state" END
				AS "observation.state") FROM old`,
		);
		const again = await ingest(changed, folder.root);
		const same = taken.episodes.map(
			({revision, episode_id}, at) =>
				revision === again.episodes[at]?.revision && episode_id === again.episodes[at]?.episode_id,
		);
		expect(same).toEqual([true, false, true]);
	});
});

test('a folder whose name is full of signs is read as it is spelled', async () => {
	const odd = path.join(folder.root, "it's [a] *dataset*? {x}");
	await rename(folder.dataset, odd);
	try {
		expect((await ingest(odd, folder.root)).episodeCount).toBe(3);
	} finally {
		await rename(odd, folder.dataset);
	}
});

test('markers may be a column of every frame, named in meta/subtasks.parquet', async () => {
	const marked = path.join(folder.root, 'marked');
	await writeLerobotDataset(marked, {
		episodes: [
			{frames: 60, subtask: frame => Math.floor(frame / 20)},
			{frames: 40, subtask: () => -1},
		],
		subtasks: ['reach', 'grasp', 'place'],
	});
	const {episodes, messages} = await ingest(marked, folder.root);
	expect(messages).toEqual([]);
	expect(episodes.map(({marker_signature}) => marker_signature)).toEqual(['reach > grasp > place', null]);
});

test('a dataset of doubles, of one long episode and of very short ones is taken alike', async () => {
	const mixed = path.join(folder.root, 'mixed');
	await writeLerobotDataset(mixed, {episodes: [{frames: 5000}, {frames: 1}, {frames: 2}]});
	const asFloats = await ingest(mixed, folder.root);
	await rewriteParquet(
		mixed,
		dataFile(),
		'SELECT * REPLACE (action::DOUBLE[] AS action, "observation.state"::DOUBLE[] AS "observation.state", frame_index::INTEGER AS frame_index) FROM old',
	);
	const asDoubles = await ingest(mixed, folder.root);
	expect(asDoubles.totalFrames).toBe(5003);
	for (const field of ['sparc', 'ldlj', 'speed_mean', 'psd_hf_ratio', 'quality_score']) {
		expect(asDoubles.episodes.map(row => row[field])).toEqual(asFloats.episodes.map(row => row[field]));
	}
	expect(asDoubles.episodes[0]?.sparc).toBeLessThan(-1);
	expect(asDoubles.episodes[1]).toMatchObject({sparc: null, tier: 'analyze_only'});
});
