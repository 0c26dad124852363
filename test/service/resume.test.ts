import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {beforeAll, expect, test} from 'vitest';
import {syncStatus} from '../../source/contract/sync-status.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {type Address, call} from './support/call.ts';
import {processesOver, serviceHome} from './support/service-home.ts';
import {smallDataset} from './support/small-dataset.ts';

const home = serviceHome();
let dataset: string;

beforeAll(async () => {
	dataset = await smallDataset(path.join(home.root, 'push-block'), {episodes: 2});
});

const statusOf = async (service: Address, id: string) =>
	syncStatus.parse((await call(service, `/v1/datasets/sync-status/${id}`)).json());

async function ended(service: Address, id: string) {
	await expect
		.poll(async () => (await statusOf(service, id)).done, {timeout: 20_000, interval: 20})
		.toBe(true);
	return await statusOf(service, id);
}

async function takenIn(service: Address): Promise<string> {
	const answer = await call(service, '/local/v1/ingests', {body: {folder: dataset}});
	const {operation_id} = answer.json<{operation_id: string}>();
	expect((await ended(service, operation_id)).phase).toBe('finalized');
	return operation_id;
}

/** Ends a lake's service and changes what it had written of an operation, as if it had ended at that moment. */
async function rewind(service: JoinedService, lake: string, id: string, change: string): Promise<void> {
	process.kill(service.pid, 'SIGTERM');
	await expect.poll(() => processesOver(`--lake\0${lake}\0`), {timeout: 10_000}).toEqual([]);
	const database = new DatabaseSync(path.join(lake, 'operations.db'));
	expect(database.prepare(`UPDATE ingests SET ${change} WHERE operation_id = ?`).run(id).changes).toBe(1);
	database.close();
}

test('what was published just before the service ended is finalized, and not ingested again', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const id = await takenIn(first);
	const before = await statusOf(first, id);
	const unsaid = 'dataset_version_id = NULL, generation = NULL, episode_count = NULL, total_frames = NULL';
	await rewind(first, lake, id, `phase = 'publishing', expected_generation = 1, ${unsaid}`);
	expect(await statusOf(await home.join(lake), id)).toEqual(before);
});

test('what was about to be published when the service ended is ingested anew', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	await takenIn(first);
	const id = await takenIn(first);
	await rewind(first, lake, id, "phase = 'publishing', expected_generation = 3");
	expect(await ended(await home.join(lake), id)).toMatchObject({phase: 'finalized', generation: 3});
});

test('an ingest during which the service ended again and again is given up with a reason', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const id = await takenIn(first);
	await rewind(first, lake, id, "phase = 'preparing', attempts = 3");
	expect(await statusOf(await home.join(lake), id)).toMatchObject({
		phase: 'failed',
		done: true,
		message: expect.stringMatching(/ended 3 times while ingesting push-block.*service\.log/),
	});
});
