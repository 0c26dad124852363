import path from 'node:path';
import {expect, test} from 'vitest';
import {datasetListResponse} from '../../source/contract/listing.ts';
import {ingestListResponse, ingestRecord} from '../../source/contract/local.ts';
import {risingProgress, writeSarmProgress} from '../support/sarm-progress.ts';
import {type Address, call} from './support/call.ts';
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
	const file = await writeSarmProgress(folder, risingProgress, {reward_model_path: 'lab/sarm'});
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

test('4.6 lists progress that lies in a folder alone', async () => {
	const service = await home.join(home.lake());
	const alone = path.join(home.root, 'alone');
	await writeSarmProgress(alone, risingProgress);
	expect((await ingest(service, alone)).dataset_name).toBe('alone');
	const items = await list(service, '');
	expect(items.map(({subtype, path: at}) => [subtype, at])).toEqual([['sarm_progress', 'local/alone']]);
	expect(items[0]?.metadata).toMatchObject({reward_model_path: null, rows: 100});
});
