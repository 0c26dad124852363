import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ConcurrencyLimit} from '../../../source/concurrency.ts';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import {IngestSupervisor} from '../../../source/service/ingest/ingest-supervisor.ts';
import type {HeldDataset} from '../../../source/service/lake/engine.ts';
import {IngestStore} from '../../../source/service/operations/ingest-store.ts';
import {smallDataset} from '../support/small-dataset.ts';

let root: string;
let database: DatabaseSync;
beforeEach(() => {
	root = mkdtempSync(path.join(tmpdir(), 'lakescope-full-'));
	database = openOperations(root);
});
afterEach(() => {
	database.close();
	rmSync(root, {recursive: true});
});

/** A store whose disk takes nothing for the first calls of one kind. */
class FullStore extends IngestStore {
	refusals = 0;
	readonly #what: 'finalize' | 'fail';
	readonly #until: number;

	constructor(what: 'finalize' | 'fail', until: number) {
		super(database);
		this.#what = what;
		this.#until = until;
	}

	#meet(what: 'finalize' | 'fail'): void {
		if (what !== this.#what || this.refusals >= this.#until) return;
		this.refusals++;
		throw Object.assign(new Error('database or disk is full'), {errcode: 13});
	}

	override finalize(...args: Parameters<IngestStore['finalize']>): void {
		this.#meet('finalize');
		super.finalize(...args);
	}

	override fail(...args: Parameters<IngestStore['fail']>): void {
		this.#meet('fail');
		super.fail(...args);
	}
}

const published = {
	dataset_version_id: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
	generation: 1,
	episode_count: 2,
	total_frames: 120n,
	changed_episodes: null,
	other_changes: null,
};

function supervise(store: IngestStore, publish: () => Promise<typeof published>) {
	let held: HeldDataset | undefined;
	const lake = {
		dataset: async () => held,
		publish: async ({dataset_id, dataset_name, folder}: Omit<HeldDataset, keyof typeof published>) => {
			const made = await publish();
			held = {...made, dataset_id, dataset_name, folder};
			return made;
		},
	};
	return new IngestSupervisor({
		...{store, lake, slots: new ConcurrencyLimit(1), stagingFolder: path.join(root, 'staging')},
		...{bounds: {memoryBytes: 2 ** 30, stallMs: 60_000}, activity: {begin: () => () => {}}, log: () => {}},
	});
}

async function outcome(store: FullStore, publish: () => Promise<typeof published>) {
	const folder = await smallDataset(path.join(root, 'push'));
	const supervisor = supervise(store, publish);
	const submission = await supervisor.submit({folder, name: 'push'});
	if (submission.kind === 'conflict') throw new Error('conflict');
	await supervisor.ended(submission.operation.operationId);
	return store.get(submission.operation.operationId);
}

test('what was published is finalized, though the disk took no word of it at first', async () => {
	const store = new FullStore('finalize', 2);
	expect(await outcome(store, async () => published)).toMatchObject({
		phase: 'finalized',
		published: {generation: 1, episode_count: 2},
	});
	expect(store.refusals).toBe(2);
});

test('a failure is written down once the disk takes it', async () => {
	const store = new FullStore('fail', 2);
	const full = async () => {
		throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
	};
	expect(await outcome(store, full)).toMatchObject({
		phase: 'failed',
		message: 'Cannot ingest push: the disk is full.',
	});
	expect(store.refusals).toBe(2);
});
