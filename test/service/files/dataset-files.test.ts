import {rename, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {ownDatasetFiles} from '../../../source/contract/files.ts';
import {ingestListResponse} from '../../../source/contract/local.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {risingProgress, writeProgress} from '../../support/reward-progress.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';

const home = serviceHome();
const lake = home.lake();
let service: JoinedService;

async function ingested(folder: string): Promise<void> {
	expect((await call(service, '/local/v1/ingests', {body: {folder}})).status).toBe(202);
	const done = async () =>
		ingestListResponse
			.parse((await call(service, '/local/v1/ingests')).json())
			.items.every(({status}) => status.phase === 'finalized');
	await expect.poll(done, {timeout: 20_000, interval: 20}).toBe(true);
}

const files = (query: Record<string, string>) =>
	call(service, `/v1/datasets/files?${new URLSearchParams(query)}`);

beforeAll(async () => {
	service = await home.join(lake);
});

test('4.8 GET /v1/datasets/files lists a dataset and quotes its card', async () => {
	const folder = await smallDataset(path.join(home.root, 'push'), {episodes: 1});
	await writeFile(path.join(folder, 'README.md'), '---\ntags: [x]\n---\n# Pushing');
	await writeProgress(folder, risingProgress);
	await ingested(folder);
	const answer = await files({path: 'local/push'});
	expect(answer.status).toBe(200);
	const shown = ownDatasetFiles.parse(answer.json());
	expect(shown.files.map(file => file.path)).toEqual([
		'README.md',
		'data/chunk-000/file-000.parquet',
		'meta/episodes/chunk-000/file-000.parquet',
		'meta/info.json',
		'meta/stats.json',
		'meta/tasks.parquet',
		'sarm_progress.parquet',
	]);
	expect(shown).toMatchObject({
		path: 'local/push',
		ref: 'main',
		total_size: shown.files.reduce((sum, {size}) => sum + size, 0),
		truncated: false,
		left_out: 0,
		readme: '# Pushing',
		readme_front_matter: 'tags: [x]',
		readme_truncated: false,
	});
	expect((await files({path: 'local/push', ref: 'main'})).json()).toEqual(answer.json());
	const progress = ownDatasetFiles.parse((await files({path: 'local/push.sarm_progress'})).json());
	expect([progress.files, progress.readme]).toEqual([[shown.files.at(-1)], null]);
});

test.each([
	[{path: 'local/nothing'}, /no dataset "local\/nothing"/],
	[{path: 'lab/push'}, /no dataset "lab\/push"/],
	[{path: 'local/../push'}, /no dataset/],
	[{path: '/etc'}, /no dataset/],
	[{path: ''}, /no dataset/],
	[{path: 'local/push', ref: 'v2'}, /has no ref "v2"/],
	[{path: 'local/push', ref: ''}, /has no ref ""/],
])('4.8 answers 404 to %j', async (query, expected) => {
	const answer = await files(query);
	expect([answer.status, answer.json()]).toEqual([404, {detail: expect.stringMatching(expected)}]);
});

test('4.8 answers a validation error where the path is missing', async () => {
	const answer = await call(service, '/v1/datasets/files');
	expect(answer.status).toBe(422);
	expect(answer.json()).toMatchObject({detail: [{loc: ['query', 'path']}]});
});

test('4.8 answers 404 for a folder that is gone, and does not follow a link put in its place', async () => {
	const folder = await smallDataset(path.join(home.root, 'moved'), {episodes: 1});
	await ingested(folder);
	await rename(folder, `${folder}-elsewhere`);
	const gone = await files({path: 'local/moved'});
	expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('The files of moved are gone')]);
	await symlink(`${folder}-elsewhere`, folder);
	expect((await files({path: 'local/moved'})).status).toBe(404);
});
