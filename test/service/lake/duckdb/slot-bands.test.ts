import {rm, truncate} from 'node:fs/promises';
import path from 'node:path';
import {DuckDBInstance} from '@duckdb/node-api';
import {expect, test} from 'vitest';
import {BenchLake} from '../../../../bench/lake/bench-lake.ts';
import {histogramRequest} from '../../../../source/contract/local-distribution.ts';
import {dataset, episode, type ModelChannel} from '../lake-model.ts';
import {type TestLake, testLakes} from '../test-lake.ts';

const lakes = testLakes();

/** Joint `number` of a robot with many; its greatest value is told by episode and number. */
const joint = (number: number, of: number): ModelChannel => ({
	stream: 'action',
	channel: `joint_${number}.pos`,
	native_channel: `action.joint_${number}.pos`,
	native_index: number,
	max: of * 10_000 + number,
	min: -number,
	mean: 0,
	std: 1,
});
const jointsOf = (count: number, of = 0) => Array.from({length: count}, (_, number) => joint(number, of));
const robot = (name: string, channels: number, episodes = 3) =>
	dataset(
		name,
		Array.from({length: episodes}, (_, index) => episode(index, {channels: jointsOf(channels, index)})),
	);

async function greatest(lake: TestLake, number: number, above: number) {
	const found = await lake.explore({
		channel_predicates: [
			{stream: 'action', channel: `joint_${number}.pos`, agg: 'max', op: 'gt', value: above},
		],
	});
	return found.episodes.map(({dataset_name, episode_index, channel_predicate_evidence}) => {
		const [evidence] = channel_predicate_evidence as Array<{observed_value: number; native_channel: string}>;
		return [`${dataset_name}/${episode_index}`, evidence?.observed_value, evidence?.native_channel];
	});
}

/** What the closed file says. */
async function inFile(lake: TestLake, sql: string): Promise<unknown[]> {
	await lake.lake.close();
	const instance = await DuckDBInstance.create(path.join(lake.folder, 'lake.duckdb'));
	const connection = await instance.connect();
	const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
	connection.closeSync();
	instance.closeSync();
	await lake.reopen();
	return rows;
}

const leftInBands = `SELECT count(*)::INTEGER AS n FROM (
	SELECT row_key FROM slots_1 UNION ALL SELECT row_key FROM slots_3 UNION ALL SELECT row_base FROM unpublished
)`;

test('each of 1,024 channels can be asked for, with its evidence, beside datasets of few', async () => {
	const lake = await lakes.open(robot('wide', 1024), robot('narrow', 4, 2));
	for (const number of [0, 3, 31, 32, 500, 1023]) {
		const native = `action.joint_${number}.pos`;
		const found = [
			...(number < 4 ? [['narrow/1', 10_000 + number, native]] : []),
			['wide/1', 10_000 + number, native],
			['wide/2', 20_000 + number, native],
		];
		expect(await greatest(lake, number, 9_999)).toEqual(found);
	}
	const both = await lake.explore({
		channel_predicates: [
			{stream: 'action', channel: 'joint_2.pos', agg: 'max', op: 'gt', value: 15_000},
			{stream: 'action', channel: 'joint_900.pos', agg: 'min', op: 'lte', value: -900},
		],
	});
	expect(both.channel_predicate_evidence.map(({observed_value}) => observed_value)).toEqual([20_002, -900]);
	const bars = await lake.lake.histogram(
		histogramRequest.parse({of: {stream: 'action', channel: 'joint_700.pos', agg: 'max'}}),
	);
	expect(bars).toMatchObject({count: 3, missing: 2, min: 700, max: 20_700});
});

test('a wide dataset makes the rows of no other wider, whichever comes first', async () => {
	const lake = await lakes.open(robot('narrow', 4, 2));
	const columns = "SELECT count(*)::INTEGER AS n FROM duckdb_columns() WHERE table_name = 'episode'";
	const before = await inFile(lake, columns);
	// The names of `late` lie far out in the wide one.
	const late = dataset('late', [episode(0, {channels: [joint(1000, 0), joint(1001, 0)]})]);
	await lake.publish(robot('wide', 1024), late);
	expect(await inFile(lake, columns)).toEqual(before);
	expect(await inFile(lake, 'SELECT count(*)::INTEGER AS n FROM slots_31')).toEqual([{n: 3}]);
	expect(await greatest(lake, 1000, 999)).toEqual([
		['late/0', 1000, 'action.joint_1000.pos'],
		['wide/0', 1000, 'action.joint_1000.pos'],
		['wide/1', 11_000, 'action.joint_1000.pos'],
		['wide/2', 21_000, 'action.joint_1000.pos'],
	]);
});

test('what a wide dataset had is gone once it is narrower, or removed', async () => {
	const lake = await lakes.open(robot('hands', 128), robot('other', 100, 1));
	await lake.publish(robot('hands', 128, 2));
	expect(await greatest(lake, 120, 0)).toHaveLength(2);
	await lake.publish(robot('hands', 6, 5));
	expect(await greatest(lake, 120, 0)).toEqual([]);
	expect(await greatest(lake, 5, 39_999)).toHaveLength(1);
	expect(await inFile(lake, leftInBands)).toEqual([{n: 2}]);
	const other = await lake.lake.dataset('other');
	expect(await lake.lake.remove(other?.dataset_id ?? '')).toBe(true);
	expect(await inFile(lake, leftInBands)).toEqual([{n: 0}]);
});

test('a publication that fails, or is broken off, leaves the generation of before and nothing beside it', async () => {
	const lake = await lakes.open(robot('hands', 128));
	const publication = await lake.stager.stage(lake.folder, robot('hands', 128, 4));
	await truncate(path.join(publication.staging, 'channels.parquet'), 500);
	await expect(lake.lake.publish(publication)).rejects.toMatchObject({reason: 'staging'});
	// As a service that was killed between two bands leaves it.
	await inFile(
		lake,
		'INSERT INTO unpublished VALUES (3, 4); INSERT INTO slots_1 (row_key, s32_max) VALUES (3, 99), (4, 99); SELECT 1',
	);
	expect(await greatest(lake, 32, 0)).toHaveLength(3);
	await lake.publish(robot('more', 128, 4));
	expect((await greatest(lake, 32, 0)).map(([name]) => name)).toEqual([
		'hands/0',
		'hands/1',
		'hands/2',
		'more/0',
		'more/1',
		'more/2',
		'more/3',
	]);
	expect(await inFile(lake, 'SELECT count(*)::INTEGER AS n FROM slots_1')).toEqual([{n: 7}]);
});

test('200,000 episodes are published after a dataset of 1,024 channels', async () => {
	const lake = await lakes.open(robot('wide', 1024));
	const bench = await BenchLake.create(lake.folder);
	const publication = await bench.stage(0, 200_000);
	bench.close();
	await lake.lake.publish(publication);
	await rm(publication.staging, {recursive: true});
	expect((await lake.lake.totals()).episodes).toBe(200_003);
	const found = await lake.explore({
		channel_predicates: [{stream: 'action', channel: 'gripper.pos', agg: 'max', op: 'gt', value: -101}],
	});
	expect(found.total).toBe(200_000);
	expect(await greatest(lake, 1023, 15_000)).toHaveLength(1);
}, 240_000);
