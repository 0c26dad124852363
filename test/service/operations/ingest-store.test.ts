import {mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ingestRecord} from '../../../source/contract/local.ts';
import {changesOf, syncStatus} from '../../../source/contract/sync-status.ts';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import {ingestRecordOf, syncStatusOf} from '../../../source/service/operations/ingest-operation.ts';
import {IngestStore} from '../../../source/service/operations/ingest-store.ts';

let folder: string;
let database: DatabaseSync;
let store: IngestStore;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-operations-'));
	database = openOperations(folder);
	store = new IngestStore(database);
});
afterEach(() => {
	database.close();
	rmSync(folder, {recursive: true});
});

const problem = {file: 'data/chunk-000/file-000.parquet', episode_index: 2, message: 'has no footer'};
const published = {
	dataset_version_id: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
	generation: 1,
	episode_count: 4,
	total_frames: 1492,
	changed_episodes: null,
	other_changes: null,
};

function status(operationId: string) {
	const operation = store.get(operationId);
	if (!operation) throw new Error('lost');
	ingestRecord.parse(ingestRecordOf(operation));
	return syncStatus.parse(syncStatusOf(operation));
}

test('an ingest goes through the phases of section 2.8, each with its own fields and no others', () => {
	const {operationId} = store.create('cups', '/data/cups');
	expect(status(operationId)).toEqual({phase: 'queued', done: false, progress_json: ''});
	store.prepare(operationId, {pid: 7, started: '99'});
	expect(status(operationId)).toEqual({phase: 'preparing', done: false, progress_json: ''});
	store.progress(operationId, '{"done":1}', [problem], 1);
	expect(status(operationId)).toEqual({phase: 'preparing', done: false, progress_json: '{"done":1}'});
	store.publishing(operationId, 1, [problem], 1);
	expect(status(operationId)).toEqual({phase: 'publishing', done: false, progress_json: ''});
	store.finalize(operationId, published);
	const {changed_episodes: _, other_changes: __, ...told} = published;
	expect(status(operationId)).toEqual({phase: 'finalized', done: true, progress_json: '', ...told});
	expect(store.get(operationId)).toMatchObject({problems: [problem], problemCount: 1, child: null});
});

test('a listing counts problems, and an ingest’s own record has them in words', () => {
	const {operationId} = store.create('cups', '/data/cups');
	store.fail(operationId, 'its file is broken', [problem], 12);
	const {problems, ...rest} = store.get(operationId) ?? {};
	expect(problems).toEqual([problem]);
	expect(store.list()).toEqual([{...rest, problems: []}]);
});

test('a failed ingest says why, and nothing of a publication', () => {
	const {operationId} = store.create('cups', '/data/cups');
	store.prepare(operationId, {pid: 7, started: '99'});
	store.fail(operationId, 'its file is broken', [problem], 12);
	expect(status(operationId)).toEqual({
		phase: 'failed',
		done: true,
		message: 'its file is broken',
		progress_json: '',
	});
	expect(store.get(operationId)?.problemCount).toBe(12);
});

test('progress that comes late changes nothing', () => {
	const {operationId} = store.create('cups', '/data/cups');
	store.finalize(operationId, published);
	store.progress(operationId, '{"done":1}', [], 0);
	expect(status(operationId)).toMatchObject({phase: 'finalized', progress_json: ''});
});

test('what was acknowledged is there when the file is opened again, newest first', () => {
	const ids = ['a', 'b', 'c'].map(name => store.create(name, `/data/${name}`).operationId);
	store.finalize(ids[1] ?? '', published);
	const before = store.list();
	database.close();
	database = openOperations(folder);
	store = new IngestStore(database);
	expect(store.list()).toEqual(before);
	expect(before.map(operation => operation.datasetName)).toEqual(['c', 'b', 'a']);
	expect(store.unfinished().map(operation => operation.datasetName)).toEqual(['a', 'c']);
	expect(store.unfinishedOf('c').map(({operationId}) => operationId)).toEqual([ids[2]]);
	expect(store.unfinishedOf('b')).toEqual([]);
});

test('one name has one id, whatever the folder', () => {
	const first = store.create('cups', '/data/cups');
	const second = store.create('cups', '/elsewhere/cups');
	expect(second.repoId).toBe(first.repoId);
	expect(second.operationId).not.toBe(first.operationId);
	expect(store.create('bowls', '/data/cups').repoId).not.toBe(first.repoId);
});

test('a file of operations that was cut off is named, with what moving it away costs', () => {
	database.close();
	const file = path.join(folder, 'operations.db');
	truncateSync(file, 4196);
	expect(() => openOperations(folder)).toThrow(
		`${file} is damaged, or is not a file of lakescope's. Move it away to start without what it held: reviews, jobs, and`,
	);
	rmSync(file);
	database = openOperations(folder);
});

test('a file that is no operations file is named, with the way out', () => {
	const other = path.join(folder, 'other');
	rmSync(other, {recursive: true, force: true});
	database.close();
	writeFileSync(
		path.join(folder, 'operations.db'),
		'not a database, but long enough to be looked at. '.repeat(40),
	);
	expect(() => openOperations(folder)).toThrow(
		/operations\.db is damaged, or is not a file of lakescope's\. Move it away/,
	);
	rmSync(path.join(folder, 'operations.db'));
	database = openOperations(folder);
});

test('a finalized ingest says how many episodes changed where that is known, also in a file of an earlier version', () => {
	const {operationId} = store.create('cups', '/data/cups');
	store.finalize(operationId, published);
	database.exec(
		`ALTER TABLE ingests DROP COLUMN changed_episodes; ALTER TABLE ingests DROP COLUMN other_changes_json;
		PRAGMA user_version = 1`,
	);
	database.close();
	database = openOperations(folder);
	store = new IngestStore(database);
	expect(status(operationId)).not.toHaveProperty('changed_episodes');
	const again = store.create('cups', '/data/cups');
	const other_changes = {videos_found: 2, videos_lost: 0, judged_anew: 1};
	store.finalize(again.operationId, {...published, generation: 2, changed_episodes: 0, other_changes});
	expect(changesOf(status(again.operationId))).toEqual({episodes: 0, others: other_changes});
});
