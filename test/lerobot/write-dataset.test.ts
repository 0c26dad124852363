import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {writeDataset} from '../../source/lerobot/write-dataset.ts';
import {armDataset, armEpisode, freshFolder, openQuery, type Query} from './write-support.ts';

let query: Query;
let close: () => void;
beforeAll(async () => ({query, close} = await openQuery()));
afterAll(() => close());

async function readJson(file: string): Promise<Record<string, unknown>> {
	return JSON.parse(await readFile(file, 'utf8'));
}

describe('the files of a dataset', () => {
	test('info.json says what the dataset is and where its files lie', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		const totals = await writeDataset(folder, armDataset, [
			armEpisode(0, 7),
			armEpisode(1, 5),
			armEpisode(2, 4),
		]);
		expect(totals).toEqual({totalEpisodes: 3, totalFrames: 16});
		const scalar = (dtype: string) => ({dtype, shape: [1], names: null});
		expect(await readJson(path.join(folder, 'meta/info.json'))).toEqual({
			codebase_version: 'v3.0',
			robot_type: 'test_arm',
			total_episodes: 3,
			total_frames: 16,
			total_tasks: 2,
			chunks_size: 1000,
			data_files_size_in_mb: 100,
			video_files_size_in_mb: 500,
			fps: 10,
			splits: {train: '0:3'},
			data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
			video_path: 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4',
			features: {
				...armDataset.features,
				timestamp: scalar('float32'),
				frame_index: scalar('int64'),
				episode_index: scalar('int64'),
				index: scalar('int64'),
				task_index: scalar('int64'),
			},
		});
		expect((await readdir(folder, {recursive: true})).sort()).toEqual([
			'data',
			'data/chunk-000',
			'data/chunk-000/file-000.parquet',
			'meta',
			'meta/episodes',
			'meta/episodes/chunk-000',
			'meta/episodes/chunk-000/file-000.parquet',
			'meta/info.json',
			'meta/stats.json',
			'meta/tasks.parquet',
		]);
	});

	test('a dataset without cameras has no video path', async () => {
		const folder = path.join(await freshFolder(), 'blind');
		const {'observation.images.front': _, ...features} = armDataset.features;
		await writeDataset(folder, {...armDataset, features}, [armEpisode(0, 3, {videos: {}})]);
		expect((await readJson(path.join(folder, 'meta/info.json'))).video_path).toBeNull();
	});

	test('splits and the card are written as given', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		const splits = {train: '0:1', test: '1:2'};
		await writeDataset(folder, {...armDataset, splits, card: '# hello\n'}, [
			armEpisode(0, 3),
			armEpisode(1, 3),
		]);
		expect((await readJson(path.join(folder, 'meta/info.json'))).splits).toEqual(splits);
		expect(await readFile(path.join(folder, 'README.md'), 'utf8')).toBe('# hello\n');
	});

	test('frames carry their values, times and indices', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		await writeDataset(folder, armDataset, [armEpisode(0, 3), armEpisode(1, 2)]);
		const data = `'${folder}/data/chunk-000/file-000.parquet'`;
		expect(await query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${data})`)).toEqual([
			{column_name: 'action', column_type: 'FLOAT[]'},
			{column_name: 'observation.state', column_type: 'FLOAT[]'},
			{column_name: 'timestamp', column_type: 'FLOAT'},
			{column_name: 'frame_index', column_type: 'BIGINT'},
			{column_name: 'episode_index', column_type: 'BIGINT'},
			{column_name: 'index', column_type: 'BIGINT'},
			{column_name: 'task_index', column_type: 'BIGINT'},
		]);
		const row = (index: number, episode: number, frame: number) => ({
			action: [episode * 100 + frame / 2, episode * 100 + frame / 2 + 0.25],
			'observation.state': [episode * 100 + frame / 2 + 0.5, episode * 100 + frame / 2 + 0.75],
			timestamp: Math.fround(frame / 10),
			frame_index: frame,
			episode_index: episode,
			index,
			task_index: episode,
		});
		expect(await query(`FROM ${data}`)).toEqual([
			row(0, 0, 0),
			row(1, 0, 1),
			row(2, 0, 2),
			row(3, 1, 0),
			row(4, 1, 1),
		]);
		expect(await query(`SELECT DISTINCT compression FROM parquet_metadata(${data})`)).toEqual([
			{compression: 'SNAPPY'},
		]);
	});

	test('tasks are numbered as they occur, and pandas finds the text as the index', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		await writeDataset(folder, armDataset, [
			armEpisode(1, 2),
			armEpisode(0, 4, {tasks: ['task 1', 'other'], taskOfFrame: Uint8Array.from([0, 0, 1, 1])}),
		]);
		const tasks = `'${folder}/meta/tasks.parquet'`;
		expect(await query(`FROM ${tasks}`)).toEqual([
			{task_index: 0, task: 'task 1'},
			{task_index: 1, task: 'other'},
		]);
		const [metadata] = await query(
			`SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${tasks})`,
		);
		expect(metadata?.key).toBe('pandas');
		expect(JSON.parse(String(metadata?.value)).index_columns).toEqual(['task']);
		expect(await query(`SELECT task_index FROM '${folder}/data/*/*.parquet' ORDER BY index`)).toEqual(
			[0, 0, 0, 0, 1, 1].map(task_index => ({task_index})),
		);
		expect(
			await query(`SELECT tasks FROM '${folder}/meta/episodes/*/*.parquet' ORDER BY episode_index`),
		).toEqual([{tasks: ['task 1']}, {tasks: ['task 1', 'other']}]);
	});

	test('other dtypes keep their type and value', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		const features = {
			done: {dtype: 'bool', shape: [1], names: null},
			contacts: {dtype: 'bool', shape: [2], names: null},
			ticks: {dtype: 'int64', shape: [1], names: null},
			counts: {dtype: 'uint16', shape: [2], names: null},
			force: {dtype: 'float64', shape: [3], names: null},
			note: {dtype: 'string', shape: [1], names: null},
		};
		const values = {
			done: Uint8Array.from([0, 1]),
			contacts: Uint8Array.from([1, 0, 0, 1]),
			ticks: BigInt64Array.from([5n, -(2n ** 62n)]),
			counts: Uint16Array.from([1, 2, 3, 65_535]),
			force: Float64Array.from([0.1, 0.2, 0.3, 1 / 3, 2, 3]),
			note: ['first', 'it’s "second"'],
		};
		await writeDataset(folder, {...armDataset, features}, [armEpisode(0, 2, {values, videos: {}})]);
		const names = Object.keys(features).join(', ');
		const data = `'${folder}/data/chunk-000/file-000.parquet'`;
		expect(await query(`SELECT ${names}, ticks = -(2 :: HUGEINT ** 62) AS exact FROM ${data}`)).toEqual([
			{
				done: false,
				contacts: [true, false],
				ticks: 5,
				counts: [1, 2],
				force: [0.1, 0.2, 0.3],
				note: 'first',
				exact: false,
			},
			{
				done: true,
				contacts: [false, true],
				ticks: -(2 ** 62),
				counts: [3, 65_535],
				force: [1 / 3, 2, 3],
				note: 'it’s "second"',
				exact: true,
			},
		]);
		const types = await query(`SELECT column_type FROM (DESCRIBE SELECT ${names} FROM ${data})`);
		expect(types.map(row => row.column_type)).toEqual([
			'BOOLEAN',
			'BOOLEAN[]',
			'BIGINT',
			'USMALLINT[]',
			'DOUBLE[]',
			'VARCHAR',
		]);
	});

	test('timestamps that were recorded are kept', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		const timestamps = Float32Array.from([0, 0.1, 0.7]);
		await writeDataset(folder, armDataset, [armEpisode(0, 3, {timestamps})]);
		const rows = await query(`SELECT "timestamp" FROM '${folder}/data/*/*.parquet'`);
		expect(rows.map(row => row.timestamp)).toEqual([...timestamps]);
	});
});

describe('files that are full', () => {
	test('episodes go on in the next file and chunk, and the metadata knows where each lies', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		// 52 bytes a frame: 40 frames fill 2,080 of the 3,145 bytes, with 20 more 3,120.
		const dataset = {...armDataset, dataFilesSizeInMb: 0.003, chunksSize: 2};
		await writeDataset(
			folder,
			dataset,
			Array.from({length: 9}, (_, episode) => armEpisode(episode, episode < 5 ? 40 : 20)),
		);
		const episodes = await query(
			`SELECT episode_index, "data/chunk_index" AS chunk, "data/file_index" AS file, dataset_from_index, dataset_to_index
			FROM '${folder}/meta/episodes/*/*.parquet' ORDER BY episode_index`,
		);
		expect(episodes.map(row => `${row.chunk}/${row.file}`).join(' ')).toBe(
			'0/0 0/1 1/0 1/1 2/0 2/0 2/1 2/1 2/1',
		);
		for (const {episode_index, chunk, file, dataset_from_index, dataset_to_index} of episodes) {
			expect(
				await query(
					`SELECT min(index) AS first, max(index) + 1 AS after, count(*) AS frames
					FROM '${folder}/data/chunk-00${chunk}/file-00${file}.parquet' WHERE episode_index = ${episode_index}`,
				),
			).toEqual([
				{
					first: dataset_from_index,
					after: dataset_to_index,
					frames: Number(dataset_to_index) - Number(dataset_from_index),
				},
			]);
		}
		const [index] = await query(
			`SELECT count(*) AS frames, count(DISTINCT index) AS indices, min(index) AS low, max(index) AS high FROM '${folder}/data/*/*.parquet'`,
		);
		expect(index).toEqual({frames: 280, indices: 280, low: 0, high: 279});
	});

	test('the metadata of many episodes spreads over files that say which they are', async () => {
		const folder = path.join(await freshFolder(), 'arm');
		const episodes = Array.from({length: 300}, (_, episode) => armEpisode(episode, 2));
		await writeDataset(folder, {...armDataset, dataFilesSizeInMb: 0.1}, episodes);
		const rows = await query(
			`SELECT episode_index, "meta/episodes/chunk_index" AS chunk, "meta/episodes/file_index" AS file, filename
			FROM read_parquet('${folder}/meta/episodes/*/*.parquet', filename = true) ORDER BY episode_index`,
		);
		expect(rows.map(row => row.episode_index)).toEqual(episodes.map((_, index) => index));
		expect(new Set(rows.map(row => row.file)).size).toBeGreaterThan(2);
		const place = (number: unknown) => String(number).padStart(3, '0');
		for (const {chunk, file, filename} of rows) {
			expect(filename).toBe(`${folder}/meta/episodes/chunk-${place(chunk)}/file-${place(file)}.parquet`);
		}
	});
});
