import {readdirSync} from 'node:fs';
import {expect, test, vi} from 'vitest';
import {localExploreRequest} from '../../../../source/contract/local-explore.ts';
import {DuckDbLake} from '../../../../source/service/lake/duckdb/duckdb-lake.ts';
import {earlierLakes, unpackEarlierLake} from '../../../support/earlier-lakes.ts';
import type {MetricTable} from '../../../support/new-metric.ts';
import {dataset, episode} from '../lake-model.ts';
import {testLakes} from '../test-lake.ts';

vi.mock('../../../../source/contract/metrics.ts', async original => {
	const {withNewMetric} = await import('../../../support/new-metric.ts');
	return withNewMetric(await original<MetricTable>(), 'grip_slips');
});

const lakes = testLakes();
const slipping = localExploreRequest.parse({
	numeric_predicates: [{field: 'grip_slips', op: 'gte', value: 2}],
});
const all = localExploreRequest.parse({});

test.each(earlierLakes)(
	'a metric added to the program is unknown in a lake from %s until ingest fills it',
	async name => {
		const {stager} = await lakes.open();
		const folder = unpackEarlierLake(name, await lakes.freshFolder());
		let lake = await DuckDbLake.open(folder);
		expect(await lake.localExplore(slipping)).toMatchObject({total: 0});
		const before = await lake.localExplore(all);
		expect(before.total).toBe(6);
		for (const {metrics} of before.episodes) expect(metrics).toMatchObject({grip_slips: null});

		await lake.publish(
			await stager.stage(folder, dataset('cups', [episode(0, {numbers: {grip_slips: 3}}), episode(1)])),
		);
		await lake.close();
		lake = await DuckDbLake.open(folder);
		const found = await lake.localExplore(slipping);
		expect(found.episodes).toMatchObject([{dataset_name: 'cups', metrics: {grip_slips: 3}}]);
		expect((await lake.localExplore(all)).total).toBe(8);
		await lake.close();
		expect(readdirSync(folder).filter(file => file.startsWith('lake.duckdb'))).toEqual(['lake.duckdb']);
	},
);

test('a lake of this version takes a metric that the program has since, and keeps the others', async () => {
	const lake = await lakes.open(dataset('cups', [episode(0, {numbers: {speed_mean: 4, grip_slips: 2}})]));
	await lake.lake.close();
	const {DuckDBInstance} = await import('@duckdb/node-api');
	const instance = await DuckDBInstance.create(`${lake.folder}/lake.duckdb`);
	const connection = await instance.connect();
	await connection.run('ALTER TABLE episode DROP COLUMN grip_slips');
	await connection.run(
		"UPDATE lake SET metric_columns = list_filter(metric_columns, lambda one: one <> 'grip_slips')",
	);
	connection.closeSync();
	instance.closeSync();
	await lake.reopen();
	const [found] = (await lake.explore()).episodes;
	expect(found?.metrics).toMatchObject({speed_mean: 4, grip_slips: null});
	expect((await lake.lake.localExplore(slipping)).total).toBe(0);
});
