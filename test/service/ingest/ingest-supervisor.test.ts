import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ConcurrencyLimit} from '../../../source/concurrency.ts';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import {Activity} from '../../../source/service/host/activity.ts';
import {IngestSupervisor} from '../../../source/service/ingest/ingest-supervisor.ts';
import {DuckDbLake} from '../../../source/service/lake/duckdb/duckdb-lake.ts';
import {IngestStore} from '../../../source/service/operations/ingest-store.ts';
import type {ChildBounds} from '../../../source/service/workers/bounded-child.ts';
import {smallDataset} from '../support/small-dataset.ts';

let folder: string;
let lake: DuckDbLake;
const closings: Array<() => Promise<void>> = [];

beforeEach(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-supervisor-'));
	lake = await DuckDbLake.open(path.join(folder, 'lake'));
});
afterEach(async () => {
	for (const close of closings.splice(0)) await close();
	await lake.close();
	rmSync(folder, {recursive: true, maxRetries: 10, retryDelay: 50});
});

const wide: ChildBounds = {memoryBytes: 1024 ** 3, stallMs: 60_000};

async function supervise(bounds = wide) {
	const database = openOperations(path.join(folder, 'lake'));
	const store = new IngestStore(database);
	const lines: string[] = [];
	const activity = new Activity({graceMs: Number.POSITIVE_INFINITY, onIdle: () => {}});
	const supervisor = new IngestSupervisor({
		stagingFolder: path.join(folder, 'lake', 'staging'),
		lake,
		store,
		slots: new ConcurrencyLimit(1),
		bounds,
		activity,
		log: line => lines.push(line),
	});
	closings.push(async () => {
		await supervisor.stop();
		if (database.isOpen) database.close();
	});
	await supervisor.resume();
	return {database, store, supervisor, activity, lines};
}

async function submitted(supervisor: IngestSupervisor, dataset: string, name = path.basename(dataset)) {
	const submission = await supervisor.submit({folder: dataset, name});
	if (submission.kind !== 'accepted') throw new Error('a conflict');
	return submission.operation.operationId;
}

test('an ingest that takes more memory than it may fails with the bound and the folder', async () => {
	// Long enough for a look at its memory.
	const dataset = await smallDataset(path.join(folder, 'greedy'), {episodes: 200, frames: 400});
	const {store, supervisor} = await supervise({...wide, memoryBytes: 20 * 1024 * 1024});
	const id = await submitted(supervisor, dataset);
	await supervisor.ended(id);
	const operation = store.get(id);
	expect(operation?.phase).toBe('failed');
	expect(operation?.message).toContain(dataset);
	expect(operation?.message).toMatch(/memory.*LAKESCOPE_INGEST_MEMORY_MIB/);
});

test('an ingest that says nothing for too long fails with the time and the folder', async () => {
	const dataset = await smallDataset(path.join(folder, 'slow'));
	const {store, supervisor} = await supervise({...wide, stallMs: 1});
	const id = await submitted(supervisor, dataset);
	await supervisor.ended(id);
	expect(store.get(id)).toMatchObject({
		phase: 'failed',
		message: expect.stringMatching(
			new RegExp(`${dataset} made no progress for 0.001 s.*LAKESCOPE_INGEST_STALL_S`),
		),
	});
});

test('ingests wait for a core, and stopping leaves all of them to the next service', async () => {
	const dataset = await smallDataset(path.join(folder, 'push'), {episodes: 40, frames: 300});
	const first = await supervise();
	const ids = [
		await submitted(first.supervisor, dataset, 'push-1'),
		await submitted(first.supervisor, dataset, 'push-2'),
	];
	await expect.poll(() => first.store.get(ids[0] ?? '')?.phase, {interval: 2}).toBe('preparing');
	expect(first.store.get(ids[1] ?? '')?.phase).toBe('queued');
	await first.supervisor.stop();
	expect(ids.map(id => first.store.get(id))).toEqual(
		ids.map(() => expect.objectContaining({phase: 'queued', attempts: 0})),
	);
	expect(first.activity.count('operation')).toBe(0);
	first.database.close();

	const second = await supervise();
	await Promise.all(ids.map(id => second.supervisor.ended(id)));
	expect(ids.map(id => second.store.get(id)?.phase)).toEqual(['finalized', 'finalized']);
	expect(await lake.totals()).toMatchObject({datasets: 2, episodes: 80});
});

test('an operations file that can be written no more ends the ingest, not the service', async () => {
	const dataset = await smallDataset(path.join(folder, 'unwritten'), {episodes: 20, frames: 300});
	const {database, supervisor, activity, lines} = await supervise();
	const id = await submitted(supervisor, dataset);
	database.close();
	await supervisor.ended(id);
	expect(activity.count('operation')).toBe(0);
	expect(lines.join('\n')).toContain('could not be recorded');
});

test('an ingest that nobody wants any more fails for that reason, whether it waits or runs', async () => {
	const dataset = await smallDataset(path.join(folder, 'unwanted'), {episodes: 200, frames: 400});
	const waiting = await smallDataset(path.join(folder, 'waiting'));
	const {store, supervisor} = await supervise();
	const running = await submitted(supervisor, dataset);
	const queued = await submitted(supervisor, waiting);
	await expect.poll(() => store.get(running)?.phase, {timeout: 20_000, interval: 5}).toBe('preparing');
	supervisor.abandon(queued, 'Not wanted.');
	supervisor.abandon(running, 'Not wanted.');
	await Promise.all([supervisor.ended(running), supervisor.ended(queued)]);
	for (const id of [running, queued]) {
		expect([store.get(id)?.phase, store.get(id)?.message]).toEqual(['failed', 'Not wanted.']);
	}
	expect((await lake.totals()).datasets).toBe(0);
	supervisor.abandon(running, 'Not wanted, again.');
	expect(store.get(running)?.message).toBe('Not wanted.');
});
