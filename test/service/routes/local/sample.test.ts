import {expect, test} from 'vitest';
import {sampleStatus} from '../../../../source/contract/local.ts';
import {sampleDatasets} from '../../../../source/sample/datasets.ts';
import {type Address, call} from '../../support/call.ts';
import {serviceHome} from '../../support/service-home.ts';

const home = serviceHome();

const path = '/local/v1/sample';
const statusOf = async (service: Address) => sampleStatus.parse((await call(service, path)).json());

test('a lake of recordings is never filled with the sample', async () => {
	const service = await home.join(home.lake());
	const refused = await call(service, path, {method: 'POST'});
	expect([refused.status, refused.json<{detail: string}>().detail]).toEqual([
		409,
		expect.stringContaining('Open it with --sample'),
	]);
	expect(await statusOf(service)).toMatchObject({phase: 'absent', datasets_done: 0});
});

test('the sample is written and ingested once, over an interruption, with all of its episodes', async () => {
	const lake = home.lake();
	const first = await home.join(lake, {sample: true});
	expect(await statusOf(first)).toEqual({
		phase: 'absent',
		datasets_done: 0,
		datasets_total: sampleDatasets.length,
	});
	expect((await call(first, path, {method: 'POST'})).status).toBe(202);
	expect((await call(first, path, {method: 'POST'})).status).toBe(202);
	await expect.poll(async () => (await statusOf(first)).datasets_done, {timeout: 240_000}).toBeGreaterThan(1);
	expect(await statusOf(first)).toMatchObject({progress: {unit: 'episodes', step: expect.any(String)}});
	process.kill(first.pid, 'SIGKILL');
	await first.lost;

	const second = await home.join(lake);
	const again = await call(second, path, {method: 'POST'});
	expect(sampleStatus.parse(again.json()).datasets_done).toBeGreaterThan(0);
	await expect
		.poll(async () => (await statusOf(second)).phase, {timeout: 300_000, interval: 200})
		.toBe('ready');
	const episodes = sampleDatasets.reduce((sum, dataset) => sum + dataset.episodes, 0);
	expect((await call(second, '/local/v1')).json()).toMatchObject({
		lake: {sample: true, datasets: sampleDatasets.length, untrainable: 0},
		abilities: expect.arrayContaining(['sample']),
	});
	const explored = await call(second, '/v1/datasets/explore', {body: {}});
	const {total} = explored.json<{total: number}>();
	// Recordings that broke off lose an episode or two.
	expect(total).toBeGreaterThan(episodes - 20);
	expect(total).toBeLessThanOrEqual(episodes);
	const {items} = (await call(second, '/local/v1/ingests')).json<{
		items: Array<{status: {generation: number}}>;
	}>();
	expect(items.map(item => item.status.generation)).toEqual(sampleDatasets.map(() => 1));
	expect((await call(second, path, {method: 'POST'})).json()).toMatchObject({phase: 'ready'});
}, 600_000);
