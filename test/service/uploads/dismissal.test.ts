import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import type {Announcement} from '../../../source/service/host/announce.ts';
import type {Refusal} from '../../../source/service/host/refusal.ts';
import {IngestStore} from '../../../source/service/operations/ingest-store.ts';
import {Transfers} from '../../../source/service/uploads/transfers.ts';
import {FeedService} from '../../../source/service/uploads/upload-feed.ts';
import {UploadStore} from '../../../source/service/uploads/upload-store.ts';

/** Section 3, item 3, on the durable state itself: time is the test's own. */

const start = 1_800_000_000;
const quietMs = 60_000;

let lake: string;
let database: DatabaseSync;
let ingests: IngestStore;
let uploads: UploadStore;
let transfers: Transfers;
let feed: FeedService;
let told: Announcement[];

function open() {
	database = openOperations(lake);
	ingests = new IngestStore(database);
	uploads = new UploadStore(database);
	transfers = new Transfers({quietMs, now: Date.now, hold: () => () => {}});
	const announce = (event: Announcement) => void told.push(event);
	feed = new FeedService({lakeFolder: lake, uploads, ingests, transfers, announce, now: Date.now});
}

beforeEach(() => {
	vi.useFakeTimers({now: start * 1000});
	lake = mkdtempSync(path.join(tmpdir(), 'lakescope-dismissal-'));
	told = [];
	open();
});
afterEach(() => {
	vi.useRealTimers();
	database.close();
	rmSync(lake, {recursive: true});
});

const after = (seconds: number) => void vi.advanceTimersByTime(seconds * 1000);

const stage = (name = 'cups', folder = '/home/me/cups') =>
	uploads.start({dataset_name: name, folder}, Date.now()).upload;

/** An upload whose re-ingest is queued. */
function committed(name = 'cups', folder?: string) {
	const upload = stage(name, folder);
	const manifest = [{path: 'meta/info.json', size: 0, blobs: []}];
	const operation = uploads.commit(upload.uploadId, {manifest, revision: 'r', bytes: 0}, Date.now(), () =>
		ingests.create(name, '/lake/uploads/datasets/cups/r'),
	);
	return {...upload, operationId: operation.operationId};
}

function failed(folder?: string) {
	const upload = committed('cups', folder);
	ingests.prepare(upload.operationId, {pid: 1, started: '1'});
	ingests.fail(upload.operationId, 'meta/info.json is no JSON.', [], 0);
	return upload;
}

const shown = () => feed.list(false).map(({phase, upload_id}) => [phase, upload_id]);

test('a failed upload is suppressed at or before the watermark, and not after it', () => {
	const {repoId, uploadId} = failed();
	const repo_id = repoId;
	expect(feed.dismiss(repoId, start - 1)).toEqual({
		...{repo_id, dismissed: false, phase: 'failed', dismissed_through_unix: start - 1},
	});
	expect(shown()).toEqual([['failed', uploadId]]);
	expect(feed.dismiss(repoId, start)).toEqual({
		...{repo_id, dismissed: true, phase: 'failed', dismissed_through_unix: start},
	});
	expect(shown()).toEqual([]);
});

test('a newer failure of the same repo shows again, and an older watermark takes nothing back', () => {
	const {repoId} = failed();
	feed.dismiss(repoId, start);
	after(10);
	const newer = failed();
	expect(shown()).toEqual([['failed', newer.uploadId]]);
	expect(feed.dismiss(repoId, start - 5)).toMatchObject({dismissed: false, dismissed_through_unix: start});
	expect(feed.dismiss(repoId, start + 10)).toMatchObject({dismissed: true});
	expect(shown()).toEqual([]);
});

test('a watermark is the repo’s own', () => {
	const other = committed('plates');
	ingests.fail(other.operationId, 'broken', [], 0);
	const {repoId} = failed();
	feed.dismiss(repoId, start);
	expect(shown()).toEqual([['failed', other.uploadId]]);
});

test('nobody dismisses what is still to come: a watermark goes no further than now', () => {
	const {repoId} = failed();
	expect(feed.dismiss(repoId, start + 1_000_000).dismissed_through_unix).toBe(start);
	after(1);
	const newer = failed();
	expect(shown()).toEqual([['failed', newer.uploadId]]);
});

test('the failure record is kept, and all of it listed where all is asked for', () => {
	const {repoId, operationId} = failed();
	feed.dismiss(repoId, start);
	expect(feed.list(true)).toEqual([
		expect.objectContaining({phase: 'failed', suppressed: true, message: 'meta/info.json is no JSON.'}),
	]);
	expect(ingests.get(operationId)?.message).toBe('meta/info.json is no JSON.');
	expect(uploads.manifestOf(operationId)).toHaveLength(1);
});

test.each(['queued', 'preparing', 'publishing'] as const)(
	'a re-ingest that is %s is never suppressed: the answer is its phase, and how it ends is shown',
	phase => {
		failed('/first');
		const {repoId, operationId, uploadId} = committed('cups', '/second');
		if (phase !== 'queued') ingests.prepare(operationId, {pid: 1, started: '1'});
		if (phase === 'publishing') ingests.publishing(operationId, 1, [], 0);
		expect(feed.dismiss(repoId, start)).toEqual({
			...{repo_id: repoId, dismissed: false, phase, dismissed_through_unix: 0},
		});
		expect(shown()).toEqual([[phase, uploadId]]);
		// Even where it fails within the same second.
		ingests.fail(operationId, 'broken', [], 0);
		expect(shown()).toEqual([['failed', uploadId]]);
	},
);

test('a staging upload is suppressed only once its transfer has stopped taking anything new', () => {
	const {repoId, uploadId} = stage();
	expect(feed.dismiss(repoId, start)).toMatchObject({dismissed: false, phase: 'staging'});
	expect(shown()).toEqual([['staging', uploadId]]);
	after(59);
	expect(shown()).toEqual([['staging', uploadId]]);
	after(1);
	expect(shown()).toEqual([]);
	expect(feed.dismiss(repoId, start)).toMatchObject({dismissed: true, phase: 'staging'});
});

test('a staging upload that goes on after the watermark shows again', () => {
	const {repoId, uploadId} = stage();
	after(100);
	expect(feed.dismiss(repoId, start)).toMatchObject({dismissed: true});
	uploads.stored(uploadId, [{blob_id: 'ab'.repeat(32), content_length: 5}], Date.now());
	expect(shown()).toEqual([['staging', uploadId]]);
	after(1000);
	expect(shown()).toEqual([['staging', uploadId]]);
});

test('dismissing a failed upload takes the quiet staging rows behind it along, and leaves the newer ones', () => {
	stage('cups', '/abandoned');
	after(100);
	const {repoId} = failed('/tried');
	after(5);
	const newer = stage('cups', '/again');
	after(100);
	expect(feed.dismiss(repoId, start + 100)).toMatchObject({dismissed: false, phase: 'staging'});
	expect(shown()).toEqual([['staging', newer.uploadId]]);
	expect(feed.dismiss(repoId, start + 105)).toMatchObject({dismissed: true});
	expect(shown()).toEqual([]);
});

test('of each repo the feed shows what is under way, or else the newest that ended', () => {
	failed('/first');
	after(1);
	const second = committed('cups', '/second');
	ingests.finalize(second.operationId, {
		dataset_version_id: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
		generation: 1,
		episode_count: 1,
		total_frames: 1,
		changed_episodes: null,
		other_changes: null,
	});
	expect(shown()).toEqual([['finalized', second.uploadId]]);
	after(1);
	const third = committed('cups', '/third');
	expect(shown()).toEqual([['queued', third.uploadId]]);
	expect(feed.list(true)).toHaveLength(3);
});

test('watermarks are on the disk', () => {
	const {repoId} = failed();
	feed.dismiss(repoId, start);
	database.close();
	open();
	expect(shown()).toEqual([]);
	expect(feed.dismiss(repoId, 0)).toMatchObject({dismissed: true, dismissed_through_unix: start});
});

test('a dismissal is told to those who listen', () => {
	const {repoId, uploadId, operationId} = failed();
	told = [];
	feed.dismiss(repoId.toUpperCase(), start);
	expect(told).toEqual([
		{
			name: 'upload.phase',
			data: expect.objectContaining({
				...{upload_id: uploadId, repo_id: repoId, phase: 'failed', operation_id: operationId},
			}),
		},
	]);
});

test('a repo without any entry is unknown', () => {
	const id = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
	expect(() => feed.dismiss(id, 0)).toThrow(
		expect.objectContaining({kind: 'absent'} satisfies Partial<Refusal>),
	);
});
