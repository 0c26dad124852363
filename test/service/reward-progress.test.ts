import path from 'node:path';
import {expect, test} from 'vitest';
import {datasetListResponse} from '../../source/contract/listing.ts';
import {ingestListResponse, ingestRecord} from '../../source/contract/local.ts';
import {episodeSeries} from '../../source/contract/local-series.ts';
import {risingProgress, writeProgress} from '../support/reward-progress.ts';
import {type Address, call} from './support/call.ts';
import {exploreLocally, idOf} from './support/ingesting.ts';
import {serviceHome} from './support/service-home.ts';
import {smallDataset} from './support/small-dataset.ts';

const home = serviceHome();

async function ingest(service: Address, folder: string) {
	const answer = await call(service, '/local/v1/ingests', {body: {folder}});
	expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
	const record = ingestRecord.parse(answer.json());
	await expect
		.poll(
			async () => {
				const {items} = ingestListResponse.parse((await call(service, '/local/v1/ingests')).json());
				return items.map(({status}) => status.done);
			},
			{timeout: 20_000, interval: 20},
		)
		.not.toContain(false);
	return record;
}

const list = async (service: Address, query: string) =>
	datasetListResponse.parse((await call(service, `/v1/datasets/list?${query}`)).json()).items;

test('4.6 lists the progress of a reward model as a dataset of its own subtype, ingested with its dataset', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'push'), {episodes: 2, frames: 50});
	const file = await writeProgress(folder, risingProgress, {reward_model_path: 'lab/sarm'});
	await ingest(service, folder);
	const [artifact, ...others] = await list(service, 'dataset_type=sarm_progress');
	expect(others).toEqual([]);
	expect(artifact).toMatchObject({
		subtype: 'sarm_progress',
		path: 'local/push.sarm_progress',
		metadata: {
			rows: 100,
			episodes: 2,
			heads: ['sparse', 'dense'],
			reward_model_path: 'lab/sarm',
			folder: file,
			problem_count: 0,
			generation: 1,
		},
	});
	expect((await list(service, 'dataset_type=lerobot_v3')).map(item => item.path)).toEqual(['local/push']);
	const explored = await call(service, '/v1/datasets/explore', {body: {}});
	expect(explored.json()).toMatchObject({total: 2, total_frames: 100});

	await ingest(service, folder);
	expect((await list(service, 'dataset_type=sarm_progress'))[0]?.metadata?.generation).toBe(2);
});

test('the progress of each reward model is listed by its name, and an episode over time says which is which', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'judged'), {episodes: 2, frames: 50});
	const sparse = `SELECT * EXCLUDE (progress_dense) FROM (${risingProgress})`;
	const falling = `SELECT * REPLACE ((1 - progress_sparse)::FLOAT AS progress_sparse) FROM (${sparse})`;
	await writeProgress(folder, risingProgress);
	await writeProgress(folder, sparse, {reward_model_path: 'lerobot/Robometer-4B'}, 'robometer');
	await writeProgress(folder, falling, {vlm_name: 'Qwen/Qwen3-VL-8B-Instruct'}, 'topreward');
	await ingest(service, folder);
	const listed = await list(service, 'dataset_type=sarm_progress');
	const named = listed.filter(({path: at}) => at.startsWith('local/judged.'));
	expect(Object.fromEntries(named.map(({path: at, metadata}) => [at, metadata]))).toMatchObject({
		'local/judged.sarm_progress': {reward_model: 'sarm', heads: ['sparse', 'dense'], problem_count: 0},
		'local/judged.robometer_progress': {reward_model: 'robometer', reward_model_path: 'lerobot/Robometer-4B'},
		'local/judged.topreward_progress': {
			reward_model: 'topreward',
			heads: ['sparse'],
			reward_model_path: null,
			vlm_name: 'Qwen/Qwen3-VL-8B-Instruct',
		},
	});
	const {episodes} = await exploreLocally(service, {search: 'judged'});
	const answer = await call(service, `/local/v1/episodes/${idOf(episodes, 1)}/series?width=5`);
	const drawn = episodeSeries.parse(answer.json());
	expect(drawn.progress_of?.map(({model, dense}) => [model, dense !== undefined])).toEqual([
		['sarm', true],
		['robometer', false],
		['topreward', false],
	]);
	const [sarm, , topreward] = drawn.progress_of ?? [];
	expect([sarm?.sparse?.max[4], topreward?.sparse?.min[4]]).toEqual([1, 0]);
	expect(drawn.progress?.sparse).toEqual(sarm?.sparse);
});

test('4.6 lists progress that lies in a folder alone', async () => {
	const service = await home.join(home.lake());
	const alone = path.join(home.root, 'alone');
	await writeProgress(alone, risingProgress);
	expect((await ingest(service, alone)).dataset_name).toBe('alone');
	const items = await list(service, '');
	expect(items.map(({subtype, path: at}) => [subtype, at])).toEqual([['sarm_progress', 'local/alone']]);
	expect(items[0]?.metadata).toMatchObject({reward_model_path: null, rows: 100});
});
