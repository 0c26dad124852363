import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Augmentation, pendingPhases} from '../../../source/service/augmentation/augmentation.ts';
import {AugmentationStore} from '../../../source/service/augmentation/augmentation-store.ts';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';

let folder: string;
let database: DatabaseSync;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-augmentations-'));
	database = openOperations(folder);
});
afterEach(() => {
	if (database.isOpen) database.close();
	rmSync(folder, {recursive: true});
});

const now = new Date(0).toISOString();
const job = (jobId: string): Augmentation => ({
	jobId,
	datasetId: '11111111-2222-5333-8444-555555555555',
	datasetName: 'cubes',
	datasetFolder: '/cubes',
	name: `${jobId}-trimmed`,
	target: '/elsewhere',
	ordinal: 0,
	status: 'queued',
	phases: pendingPhases(),
	message: null,
	attempts: 0,
	progress: null,
	summary: null,
	operationId: null,
	augmentedDatasetId: null,
	problems: [],
	problemCount: 0,
	createdAt: now,
	updatedAt: now,
	endedAt: null,
});

const at = (frames: number) => ({done: 0, total: 1, frames});

test('credits add up whatever happens in whatever order, and go back once', () => {
	let number = 0;
	const step = fc.oneof(
		fc.record({kind: fc.constant('progress' as const), frames: fc.nat(150)}),
		fc.record({kind: fc.constantFrom('cancel' as const, 'fail' as const, 'complete' as const)}),
		fc.record({kind: fc.constant('reopen' as const)}),
	);
	fc.assert(
		fc.property(fc.array(step, {maxLength: 12}), steps => {
			const jobId = `job-${number++}`;
			let store = new AugmentationStore(database, () => {});
			store.create(job(jobId), 100);
			let used = 0;
			let over = false;
			for (const each of steps) {
				if (each.kind === 'reopen') {
					database.close();
					database = openOperations(folder);
					store = new AugmentationStore(database, () => {});
				} else if (each.kind === 'progress') {
					store.progress(jobId, at(each.frames), [], 0);
					if (!over) used = Math.max(used, Math.min(100, each.frames));
				} else {
					const ended = store.end(
						jobId,
						each.kind === 'complete'
							? {status: 'completed', augmentedDatasetId: 'x'}
							: {status: each.kind === 'cancel' ? 'cancelled' : 'failed', message: 'why'},
					);
					expect(ended === undefined).toBe(over);
					over = true;
				}
				const credits = store.creditsOf(jobId);
				expect(credits).toEqual({
					reserved: 100,
					used,
					returned: over ? 100 - used : 0,
					finalized_at: over ? expect.any(String) : null,
				});
			}
		}),
		{numRuns: 30},
	);
});

test('a job that has ended changes no more, and is told of once', () => {
	const told: string[] = [];
	const store = new AugmentationStore(database, ({status}) => told.push(status));
	store.create(job('one'), 10);
	expect(store.change('one', {status: 'running'})?.status).toBe('running');
	expect(store.end('one', {status: 'cancelled', message: 'why'})?.status).toBe('cancelled');
	expect(store.end('one', {status: 'failed', message: 'other'})).toBeUndefined();
	expect(store.change('one', {attempts: 9})).toBeUndefined();
	expect(store.get('one')).toMatchObject({status: 'cancelled', message: 'why', attempts: 0});
	expect(told).toEqual(['queued', 'running', 'cancelled']);
	expect(store.unfinished()).toEqual([]);
	expect(store.end('nobody', {status: 'failed', message: 'x'})).toBeUndefined();
});
