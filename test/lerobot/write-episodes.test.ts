import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {writeDataset} from '../../source/lerobot/write-dataset.ts';
import {armDataset, armEpisode, freshFolder, openQuery, type Query} from './write-support.ts';

let query: Query;
let close: () => void;
beforeAll(async () => ({query, close} = await openQuery()));
afterAll(() => close());

const metadata = (folder: string) => `'${folder}/meta/episodes/*/*.parquet'`;

test('an episode says where it begins and ends, in frames and in each video', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await writeDataset(folder, armDataset, [armEpisode(0, 3), armEpisode(1, 5)]);
	const rows = await query(
		`SELECT episode_index, tasks, length, "data/chunk_index", "data/file_index", dataset_from_index, dataset_to_index,
		"videos/observation.images.front/chunk_index", "videos/observation.images.front/file_index",
		"videos/observation.images.front/from_timestamp", "videos/observation.images.front/to_timestamp",
		"meta/episodes/chunk_index", "meta/episodes/file_index" FROM ${metadata(folder)}`,
	);
	const row = (episode: number, from: number, length: number) => ({
		episode_index: episode,
		tasks: [`task ${episode}`],
		length,
		'data/chunk_index': 0,
		'data/file_index': 0,
		dataset_from_index: from,
		dataset_to_index: from + length,
		'videos/observation.images.front/chunk_index': 0,
		'videos/observation.images.front/file_index': 0,
		'videos/observation.images.front/from_timestamp': episode,
		'videos/observation.images.front/to_timestamp': episode + 0.75,
		'meta/episodes/chunk_index': 0,
		'meta/episodes/file_index': 0,
	});
	expect(rows).toEqual([row(0, 0, 3), row(1, 3, 5)]);
});

const features = [
	'action',
	'observation.state',
	'timestamp',
	'frame_index',
	'episode_index',
	'index',
	'task_index',
];
const stats = ['min', 'max', 'mean', 'std', 'count', 'q01', 'q10', 'q50', 'q90', 'q99'];

test('every feature of the data files has every statistic, whole numbers kept whole', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await writeDataset(folder, armDataset, [armEpisode(0, 3)]);
	const columns = await query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${metadata(folder)})`);
	const types = new Map(columns.map(row => [row.column_name, row.column_type]));
	const found = [...types.keys()].filter(name => String(name).startsWith('stats/'));
	expect(found).toEqual(features.flatMap(feature => stats.map(stat => `stats/${feature}/${stat}`)));
	expect(types.get('stats/action/min')).toBe('DOUBLE[]');
	expect(types.get('stats/action/count')).toBe('BIGINT[]');
	expect(types.get('stats/frame_index/max')).toBe('BIGINT[]');
	expect(types.get('stats/frame_index/mean')).toBe('DOUBLE[]');
});

/** The statistics of one dimension by SQL's own functions. */
const aggregates = (value: string) =>
	`min(${value}) AS min, max(${value}) AS max, avg(${value}) AS mean, stddev_pop(${value}) AS std, count(*) AS count,
	${[1, 10, 50, 90, 99].map(q => `quantile_cont(${value} :: DOUBLE, ${q / 100}) AS q${String(q).padStart(2, '0')}`).join(', ')}`;

test('the statistics of an episode are those of its frames', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	const wild = (length: number, seed: number) =>
		Float32Array.from({length: length * 2}, (_, place) => Math.sin(place * seed) * 50 + (place % 7));
	const lengths = [1, 2, 29, 101];
	await writeDataset(
		folder,
		armDataset,
		lengths.map((length, episode) =>
			armEpisode(episode, length, {
				values: {action: wild(length, 1.7), 'observation.state': wild(length, 0.3)},
			}),
		),
	);
	const data = `'${folder}/data/*/*.parquet'`;
	for (const [feature, dims] of [
		['action', 2],
		['observation.state', 2],
		['timestamp', 1],
		['index', 1],
	] as const) {
		for (let dim = 0; dim < dims; dim++) {
			const value = dims === 1 ? `"${feature}"` : `"${feature}"[${dim + 1}]`;
			const expected = await query(
				`SELECT ${aggregates(value)} FROM ${data} GROUP BY episode_index ORDER BY episode_index`,
			);
			const written = await query(
				`SELECT ${stats.map(stat => `"stats/${feature}/${stat}"[${stat === 'count' ? 1 : dim + 1}] AS ${stat}`).join(', ')}
				FROM ${metadata(folder)} ORDER BY episode_index`,
			);
			expect(written).toHaveLength(lengths.length);
			for (const [episode, row] of written.entries()) {
				for (const stat of stats) {
					expect(row[stat], `${feature} ${dim} ${stat} of episode ${episode}`).toBeCloseTo(
						Number(expected[episode]?.[stat]),
						4,
					);
				}
			}
		}
	}
});

test('stats.json sums the episodes up: extremes, means and deviations of all frames, quantiles of all frames too', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await writeDataset(folder, armDataset, [armEpisode(0, 30), armEpisode(3, 10), armEpisode(1, 77)]);
	const written = JSON.parse(await readFile(path.join(folder, 'meta/stats.json'), 'utf8'));
	expect(Object.keys(written)).toEqual(features);
	const [all] = await query(`SELECT ${aggregates('action[2]')} FROM '${folder}/data/*/*.parquet'`);
	for (const stat of stats) {
		const expected = Number(all?.[stat]);
		expect(written.action[stat][stat === 'count' ? 0 : 1], stat).toBeCloseTo(expected, 4);
	}
	expect(written.action.count).toEqual([117]);
	expect(written.index).toMatchObject({min: [0], max: [116], count: [117]});
});

test('values that are not finite are left out of the statistics and stay in the data', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	const action = Float32Array.from([1, Number.NaN, 3, Number.NaN, Number.POSITIVE_INFINITY, Number.NaN]);
	await writeDataset(folder, armDataset, [armEpisode(0, 3, {values: {action, 'observation.state': action}})]);
	expect(
		await query(
			`SELECT "stats/action/min" AS min, "stats/action/max" AS max, "stats/action/mean" AS mean FROM ${metadata(folder)}`,
		),
	).toEqual([{min: [1, null], max: [3, null], mean: [2, null]}]);
	expect(
		await query(`SELECT count(*) AS n FROM '${folder}/data/*/*.parquet' WHERE isnan(action[2])`),
	).toEqual([{n: 3}]);
	const written = JSON.parse(await readFile(path.join(folder, 'meta/stats.json'), 'utf8'));
	expect(written.action.mean).toEqual([2, null]);
});

const reachThenGrasp = [
	{name: 'reach', startFrame: 0, endFrame: 1},
	{name: 'grasp', startFrame: 2, endFrame: 4},
];

test('subtask markers become episode columns, both frames included', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await writeDataset(folder, {...armDataset, markers: ['sparse', 'dense']}, [
		armEpisode(0, 5, {subtasks: {sparse: reachThenGrasp, dense: []}}),
		armEpisode(1, 5),
	]);
	expect(
		await query(
			`SELECT sparse_subtask_names, sparse_subtask_start_frames, sparse_subtask_end_frames,
			sparse_subtask_start_times, sparse_subtask_end_times, dense_subtask_names FROM ${metadata(folder)}`,
		),
	).toEqual([
		{
			sparse_subtask_names: ['reach', 'grasp'],
			sparse_subtask_start_frames: [0, 2],
			sparse_subtask_end_frames: [1, 4],
			sparse_subtask_start_times: [0, 0.2],
			sparse_subtask_end_times: [0.1, 0.4],
			dense_subtask_names: [],
		},
		{
			sparse_subtask_names: null,
			sparse_subtask_start_frames: null,
			sparse_subtask_end_frames: null,
			sparse_subtask_start_times: null,
			sparse_subtask_end_times: null,
			dense_subtask_names: null,
		},
	]);
});

test('subtasks kept in every frame are numbered in a table of their own, −1 where there is none', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await writeDataset(folder, {...armDataset, markers: ['frame']}, [
		armEpisode(0, 6, {subtasks: {frame: reachThenGrasp}}),
		armEpisode(1, 1),
	]);
	const frames = await query(`SELECT subtask_index FROM '${folder}/data/*/*.parquet' ORDER BY index`);
	expect(frames.map(row => row.subtask_index)).toEqual([0, 0, 1, 1, 1, -1, -1]);
	expect(await query(`FROM '${folder}/meta/subtasks.parquet'`)).toEqual([
		{subtask_index: 0, subtask: 'reach'},
		{subtask_index: 1, subtask: 'grasp'},
	]);
	const info = JSON.parse(await readFile(path.join(folder, 'meta/info.json'), 'utf8'));
	expect(info.features.subtask_index).toEqual({dtype: 'int64', shape: [1], names: null});
});

test('lineage and tags become columns of our own, only where the dataset has them', async () => {
	const parent = await freshFolder();
	const lineage = {parentDataset: 'original', parentEpisodeIndex: 4, memberOrdinal: 1};
	const episodes = [armEpisode(0, 2, {lineage, tags: ['dim light', 'ana']}), armEpisode(1, 2)];
	await writeDataset(path.join(parent, 'with'), {...armDataset, lineage: true, tags: true}, episodes);
	await writeDataset(path.join(parent, 'without'), armDataset, episodes);
	expect(await query(`SELECT COLUMNS('lakescope/.*') FROM ${metadata(path.join(parent, 'with'))}`)).toEqual([
		{
			'lakescope/parent_dataset': 'original',
			'lakescope/parent_episode_index': 4,
			'lakescope/member_ordinal': 1,
			'lakescope/tags': ['dim light', 'ana'],
		},
		{
			'lakescope/parent_dataset': null,
			'lakescope/parent_episode_index': null,
			'lakescope/member_ordinal': null,
			'lakescope/tags': [],
		},
	]);
	const columns = await query(
		`SELECT column_name FROM (DESCRIBE FROM ${metadata(path.join(parent, 'without'))})`,
	);
	expect(columns.filter(row => String(row.column_name).startsWith('lakescope/'))).toEqual([]);
});
