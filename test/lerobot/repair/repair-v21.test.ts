import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import type {DamageId} from '../../../source/lerobot/check/damage.ts';
import {planRepair} from '../../../source/lerobot/repair/repair.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {idsOf, wholeDatasetV21} from '../check/checked-dataset.ts';
import {editJson, expectRepair, type Loose} from './repaired-dataset.ts';

const info = (edit: (info: Loose) => void) => (folder: string) =>
	editJson(path.join(folder, 'meta/info.json'), edit);

const lines = (file: string, edit: (rows: Loose[]) => Loose[]) => async (folder: string) => {
	const target = path.join(folder, file);
	const rows = (await readFile(target, 'utf8'))
		.trim()
		.split('\n')
		.map(row => JSON.parse(row));
	await writeFile(
		target,
		edit(rows)
			.map(row => `${JSON.stringify(row)}\n`)
			.join(''),
	);
};

const frames = (query: string) => (folder: string) =>
	rewriteParquet(folder, 'data/chunk-000/episode_000002.parquet', query);

const plants: readonly (readonly [DamageId, (folder: string) => Promise<unknown>])[] = [
	['total-episodes-wrong', info(json => (json.total_episodes = 9))],
	['total-frames-wrong', info(json => (json.total_frames = 9))],
	['total-tasks-wrong', info(json => (json.total_tasks = 9))],
	['splits-wrong', info(json => (json.splits = {train: '0:12'}))],
	[
		'episode-length-wrong',
		lines('meta/episodes.jsonl', rows => rows.map((row, at) => (at === 2 ? {...row, length: 3} : row))),
	],
	['task-unused', lines('meta/tasks.jsonl', rows => [...rows, {task_index: 2, task: 'Wave.'}])],
	['frame-index-wrong', frames('SELECT * REPLACE (frame_index + 5 AS frame_index) FROM old')],
	['timestamps-drift', frames('SELECT * REPLACE ((timestamp * 1.0005)::FLOAT AS timestamp) FROM old')],
];

test.each(plants)(
	'%s of v2.1 is mended, no value of a frame changes, and undo gives back every byte',
	async (id, plant) => {
		const folder = await wholeDatasetV21();
		await plant(folder);
		await expectRepair(folder, [id]);
	},
);

test('of a whole dataset of v2.1 nothing is mended', async () => {
	const folder = await wholeDatasetV21();
	expect(await idsOf(folder)).toEqual([]);
	expect((await planRepair(folder, {ids: []})).files).toEqual([]);
});
