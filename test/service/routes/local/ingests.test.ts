import {cp, mkdir, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {ingestListResponse, ingestRecord} from '../../../../source/contract/local.ts';
import {syncStatus} from '../../../../source/contract/sync-status.ts';
import type {JoinedService} from '../../../../source/service/front-door.ts';
import {type Address, call} from '../../support/call.ts';
import {processesOver, serviceHome} from '../../support/service-home.ts';
import {smallDataset} from '../../support/small-dataset.ts';

const home = serviceHome();
let dataset: string;

beforeAll(async () => {
	dataset = await smallDataset(path.join(home.root, 'push-block'), {episodes: 3, frames: 60});
});

async function submit(service: Address, folder: string, name?: string) {
	const answer = await call(service, '/local/v1/ingests', {body: {folder, ...(name && {name})}});
	return {status: answer.status, body: answer.json()};
}

async function accepted(service: Address, folder: string, name?: string): Promise<string> {
	const {status, body} = await submit(service, folder, name);
	expect([status, body]).toEqual([202, expect.anything()]);
	return ingestRecord.parse(body).operation_id;
}

const statusOf = async (service: Address, id: string) =>
	syncStatus.parse((await call(service, `/v1/datasets/sync-status/${id}`)).json());

async function ended(service: Address, id: string) {
	await expect
		.poll(async () => (await statusOf(service, id)).done, {timeout: 20_000, interval: 20})
		.toBe(true);
	return await statusOf(service, id);
}

const explore = async (service: Address) =>
	(await call(service, '/v1/datasets/explore', {body: {}})).json<{
		total: number;
		total_frames: number;
		episodes: Array<{dataset_name: string; episode_index: number; episode_id: string}>;
	}>();

test('4.1 POST /v1/datasets/explore shows a dataset that was ingested, as 4.6 lists it and 4.2 tells of it', async () => {
	const service = await home.join(home.lake());
	const id = await accepted(service, dataset);
	const status = await ended(service, id);
	expect(status).toEqual({
		phase: 'finalized',
		done: true,
		progress_json: '',
		dataset_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		generation: 1,
		episode_count: 3,
		total_frames: 180,
	});
	const lake = await explore(service);
	expect([lake.total, lake.total_frames]).toEqual([3, 180]);
	expect(lake.episodes.map(({dataset_name, episode_index}) => `${dataset_name} ${episode_index}`)).toEqual([
		'push-block 0',
		'push-block 1',
		'push-block 2',
	]);
	const listed = (await call(service, '/v1/datasets/list')).json();
	expect(listed).toMatchObject({items: [{path: 'local/push-block'}], page_info: {total_count: 1}});
	const {items} = ingestListResponse.parse((await call(service, '/local/v1/ingests')).json());
	expect(items).toHaveLength(1);
	expect(items[0]).toMatchObject({operation_id: id, dataset_name: 'push-block', folder: dataset, status});
	expect((await call(service, `/local/v1/ingests/${id}`)).json()).toEqual(items[0]);
	const upper = await call(service, `/v1/datasets/sync-status/${id.toUpperCase()}`);
	expect(upper.json()).toEqual(status);
});

test('4.2 GET /v1/datasets/sync-status/{operation_id} answers the same after the service was killed', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const id = await accepted(first, dataset);
	const status = await ended(first, id);
	process.kill(first.pid, 'SIGKILL');
	await first.lost;
	const second = await home.join(lake);
	expect(await statusOf(second, id)).toEqual(status);
	expect((await explore(second)).total).toBe(3);
});

test('an ingest whose service is killed at any moment is finished by the next, and published once', async () => {
	const folder = await smallDataset(path.join(home.root, 'push-many'), {episodes: 60, frames: 300});
	for (const phase of ['queued', 'preparing', 'publishing', 'finalized']) {
		const lake = home.lake();
		const first = await home.join(lake);
		const id = await accepted(first, folder);
		// Not every phase lasts long enough to be seen; a later one will do as well.
		const order = ['queued', 'preparing', 'publishing', 'finalized'];
		await expect
			.poll(async () => order.indexOf((await statusOf(first, id)).phase) >= order.indexOf(phase), {
				interval: 2,
				timeout: 20_000,
			})
			.toBe(true);
		process.kill(first.pid, 'SIGKILL');
		await first.lost;
		const second = await home.join(lake);
		expect(await ended(second, id)).toMatchObject({phase: 'finalized', generation: 1, episode_count: 60});
		expect((await explore(second)).total).toBe(60);
	}
}, 180_000);

test('a service does not end while it ingests a dataset, though its client is gone', async () => {
	const folder = await smallDataset(path.join(home.root, 'push-on'), {episodes: 40, frames: 300});
	const lake = home.lake();
	const service = await home.join(lake);
	const id = await accepted(service, folder);
	service.leave();
	await service.lost;
	await expect.poll(() => processesOver(`--lake\0${lake}\0`), {timeout: 20_000}).toEqual([]);
	const next = await home.join(lake);
	expect(await statusOf(next, id)).toMatchObject({phase: 'finalized', episode_count: 40});
});

test('the same dataset asked for twice at once is ingested once', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'push-twice'), {episodes: 20, frames: 300});
	const ids = await Promise.all([accepted(service, folder), accepted(service, folder)]);
	expect(ids[0]).toBe(ids[1]);
	expect(await ended(service, ids[0])).toMatchObject({phase: 'finalized', generation: 1});
	const again = await accepted(service, folder);
	expect(again).not.toBe(ids[0]);
	expect(await ended(service, again)).toMatchObject({phase: 'finalized', generation: 2});
	expect((await explore(service)).total).toBe(20);
});

test('a second folder of one name needs a name of its own', async () => {
	const service = await home.join(home.lake());
	await ended(service, await accepted(service, dataset));
	const other = path.join(home.root, 'other', 'push-block');
	await mkdir(path.dirname(other), {recursive: true});
	await cp(dataset, other, {recursive: true});
	expect(await submit(service, other)).toEqual({
		status: 409,
		body: {
			detail: `The lake has a dataset named push-block already, from ${dataset}. Give the one in ${other} another name: lakescope ingest DIR --name NAME.`,
		},
	});
	expect((await ended(service, await accepted(service, other, 'push-block-2'))).phase).toBe('finalized');
	expect((await explore(service)).total).toBe(6);
});

test('a dataset whose folder was moved keeps its name', async () => {
	const service = await home.join(home.lake());
	const before = await smallDataset(path.join(home.root, 'here', 'moved'), {episodes: 2});
	await ended(service, await accepted(service, before));
	const [first] = (await explore(service)).episodes;
	const after = path.join(home.root, 'there', 'moved');
	await mkdir(path.dirname(after));
	await rename(before, after);
	expect(await ended(service, await accepted(service, after))).toMatchObject({
		generation: 2,
		episode_count: 2,
	});
	expect((await explore(service)).episodes[0]?.episode_id).toBe(first?.episode_id);
});

test('what is no dataset is refused with a sentence that names it', async () => {
	const service: JoinedService = await home.join(home.lake());
	const nothing = path.join(home.root, 'nothing');
	const empty = path.join(home.root, 'empty');
	const file = path.join(home.root, 'file.parquet');
	const oddly = path.join(home.root, 'my dataset');
	await mkdir(empty);
	await writeFile(file, '');
	await cp(dataset, oddly, {recursive: true});
	const cases: ReadonlyArray<[string, string, string]> = [
		['relative/folder', 'folder', 'must be an absolute path'],
		[nothing, 'folder', `Cannot read ${nothing} on the service's machine: no such file or folder.`],
		[empty, 'folder', `${empty} is not a LeRobot dataset: it has no meta/info.json.`],
		[file, 'folder', `${file} is a file. Give the folder of a dataset`],
		[oddly, 'name', 'The folder\'s name, "my dataset", cannot be a dataset\'s'],
	];
	for (const [folder, field, words] of cases) {
		const {status, body} = await submit(service, folder);
		expect([status, body]).toEqual([
			422,
			{detail: [expect.objectContaining({loc: ['body', field], msg: expect.stringContaining(words)})]},
		]);
	}
	expect((await call(service, '/local/v1/ingests')).json()).toEqual({items: []});
	expect((await submit(service, oddly, 'my-dataset')).status).toBe(202);
});

test('a dataset that cannot be read fails with a reason, and the one before it stays', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'breaks'), {episodes: 2});
	await ended(service, await accepted(service, folder));
	await rm(path.join(folder, 'meta', 'info.json'));
	await writeFile(path.join(folder, 'meta', 'info.json'), '{"codebase_version": ');
	const status = await ended(service, await accepted(service, folder));
	expect(status).toMatchObject({phase: 'failed', done: true, message: expect.stringContaining('info.json')});
	expect(status).not.toHaveProperty('generation');
	expect((await explore(service)).total).toBe(2);
});
