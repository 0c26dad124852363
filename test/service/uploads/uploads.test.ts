import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {dismissResponse, missingBlobs} from '../../../source/contract/local-uploads.ts';
import {call} from '../support/call.ts';
import {processesOver, serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';
import {
	blobOf,
	blobsIn,
	commit,
	ended,
	explore,
	feed,
	parcelOf,
	prepare,
	put,
	send,
	sha256,
	startUpload,
	statusOf,
	upload,
} from '../support/uploading.ts';

process.env.LAKESCOPE_UPLOAD_QUIET_S = '1';
const home = serviceHome();
let dataset: string;

beforeAll(async () => {
	dataset = await smallDataset(path.join(home.root, 'push-block'), {episodes: 3, frames: 60});
});

test('4.4 POST /v1/datasets/upload/prepare-batch gives one signed, expiring target a blob, and needs no key to use it', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const [first, second] = [Buffer.from('first'), Buffer.from('second')];
	const before = Math.floor(Date.now() / 1000);
	const targets = await prepare(service, [first, second, first], {ttl_seconds: 600});
	expect(targets.map(({blob_id, stored, method}) => [blob_id, stored, method])).toEqual([
		[sha256(first), false, 'PUT'],
		[sha256(second), false, 'PUT'],
		[sha256(first), false, 'PUT'],
	]);
	const expires = Date.parse(targets[0]?.expires_at ?? '') / 1000;
	expect(expires).toBeGreaterThanOrEqual(before + 600);
	expect(expires).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 600);
	expect(targets[0]?.url.startsWith(`${service.url}/local/v1/blobs/${sha256(first)}?`)).toBe(true);

	const url = targets[0]?.url ?? '';
	const answer = await put(url, first);
	expect([answer.status, JSON.parse(answer.text)]).toEqual([
		201,
		{blob_id: sha256(first), content_length: first.byteLength},
	]);
	expect((await put(url, first)).status).toBe(200);
	expect((await prepare(service, [first, second])).map(({stored}) => stored)).toEqual([true, false]);
	const {blobs, strays} = await blobsIn(lake);
	expect([[...blobs], strays]).toEqual([[[sha256(first), first]], []]);
});

test('4.4 a blob out of bounds is refused, and one whose envelope is not its content is not', async () => {
	const service = await home.join(home.lake());
	const asked = async (blob: object, more: object = {}) => {
		const body = {blobs: [{...blobOf(Buffer.from('x')), ...blob}], ...more};
		const answer = await call(service, '/v1/datasets/upload/prepare-batch', {body});
		return [answer.status, answer.json<{detail: Array<{loc: unknown}>}>().detail?.[0]?.loc];
	};
	const blobs = ['body', 'blobs', 0];
	expect((await asked({envelope_sha256: sha256('another')}))[0]).toBe(200);
	expect(await asked({envelope_sha256: 'x'})).toEqual([422, [...blobs, 'envelope_sha256']]);
	expect(await asked({content_length: 0})).toEqual([422, [...blobs, 'content_length']]);
	expect(await asked({content_length: 33_554_433})).toEqual([422, [...blobs, 'content_length']]);
	expect(await asked({blob_id: 'A'.repeat(64)})).toEqual([422, [...blobs, 'blob_id']]);
	expect(await asked({}, {ttl_seconds: 59})).toEqual([422, ['body', 'ttl_seconds']]);
	expect((await asked({content_length: 33_554_432}, {ttl_seconds: 3600}))[0]).toBe(200);
});

test('a target does not help a web page, or one who guesses', async () => {
	const service = await home.join(home.lake());
	const bytes = Buffer.from('content');
	const [target] = await prepare(service, [bytes]);
	const url = target?.url ?? '';
	expect((await put(url, bytes, {origin: 'https://elsewhere.example'})).status).toBe(403);
	expect((await put(url, bytes, {host: 'rebound.example'})).status).toBe(403);
	expect((await put(url.split('?')[0] ?? '', bytes)).status).toBe(401);
	expect((await put(url, bytes)).status).toBe(201);
});

test('an upload is ingested from its commit on, and each call may be repeated', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const parcel = await parcelOf(dataset, 1000);
	expect(parcel.manifest.some(({blobs}) => blobs.length > 1)).toBe(true);
	const started = await startUpload(service, 'push-block', dataset);
	expect(started).toMatchObject({
		kind: 'upload',
		phase: 'staging',
		done: false,
		folder: dataset,
		operation_id: null,
	});
	expect((await startUpload(service, 'push-block', dataset)).upload_id).toBe(started.upload_id);

	const early = await commit(service, started.upload_id, parcel.manifest);
	expect(early.status).toBe(409);
	expect(missingBlobs.parse(early.json()).missing).toEqual([...parcel.contents.keys()].sort());
	expect(await send(service, parcel, started.upload_id)).toBe(parcel.contents.size);
	const bytes = [...parcel.contents.values()].reduce((sum, {byteLength}) => sum + byteLength, 0);
	expect((await feed(service))[0]).toMatchObject({phase: 'staging', bytes_stored: bytes});

	const first = await commit(service, started.upload_id, parcel.manifest);
	const again = await commit(service, started.upload_id, parcel.manifest.toReversed());
	expect([first.status, again.status, again.json()]).toEqual([202, 202, first.json()]);
	const other = await commit(service, started.upload_id, parcel.manifest.slice(1));
	expect([other.status, other.json()]).toEqual([
		409,
		{detail: expect.stringContaining('was committed with another manifest')},
	]);
	const {operation_id, repo_id} = first.json<{operation_id: string; repo_id: string}>();
	const status = await ended(service, operation_id);
	expect(status).toMatchObject({phase: 'finalized', generation: 1, episode_count: 3, total_frames: 180});
	expect(await feed(service)).toEqual([
		expect.objectContaining({
			...{kind: 'upload', upload_id: started.upload_id, repo_id, operation_id, phase: 'finalized'},
			...{done: true, status, bytes_stored: bytes, bytes_total: bytes, suppressed: false},
			files_total: parcel.manifest.length,
		}),
	]);
	expect((await explore(service)).total).toBe(3);

	const [revision = ''] = await readdir(path.join(lake, 'uploads', 'datasets', 'push-block'));
	for (const file of parcel.manifest) {
		const stored = await readFile(path.join(lake, 'uploads', 'datasets', 'push-block', revision, file.path));
		expect([file.path, sha256(stored)]).toEqual([file.path, file.sha256]);
	}
});

test('4.7 POST /v1/datasets/uploads/{repo_id}/dismiss hides a failed upload, keeps its record and its storage, and a newer failure shows again', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const folder = await smallDataset(path.join(home.root, 'broken'));
	await writeFile(path.join(folder, 'meta', 'info.json'), '{"codebase_version": ');
	const {operation_id, repo_id} = await upload(service, 'broken', folder);
	const status = await ended(service, operation_id);
	expect(status).toMatchObject({phase: 'failed', message: expect.stringContaining('info.json')});
	const [shown] = await feed(service);
	expect(shown).toMatchObject({phase: 'failed', message: status.message, suppressed: false});
	const through = shown?.updated_unix ?? 0;
	const dismiss = async (body: object) => {
		const answer = await call(service, `/v1/datasets/uploads/${repo_id}/dismiss`, {body});
		return dismissResponse.parse(answer.json());
	};
	expect(await dismiss({})).toEqual({repo_id, dismissed: false, phase: 'failed', dismissed_through_unix: 0});
	expect((await dismiss({dismissed_through_unix: through - 1})).dismissed).toBe(false);
	expect(await feed(service)).toHaveLength(1);
	expect(await dismiss({dismissed_through_unix: through})).toEqual({
		...{repo_id, dismissed: true, phase: 'failed', dismissed_through_unix: through},
	});
	expect(await feed(service)).toEqual([]);
	expect((await feed(service, true))[0]).toMatchObject({operation_id, suppressed: true});
	expect(await statusOf(service, operation_id)).toEqual(status);
	expect((await blobsIn(lake)).blobs.size).toBeGreaterThan(0);

	await expect.poll(() => Math.floor(Date.now() / 1000), {timeout: 3000}).toBeGreaterThan(through);
	const again = await upload(service, 'broken', folder);
	expect((await ended(service, again.operation_id)).phase).toBe('failed');
	expect((await feed(service)).map(each => each.operation_id)).toEqual([again.operation_id]);
});

test('4.7 a repo that never had an upload is unknown', async () => {
	const service = await home.join(home.lake());
	const id = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
	const answer = await call(service, `/v1/datasets/uploads/${id}/dismiss`, {body: {}});
	expect([answer.status, answer.json()]).toEqual([404, {detail: expect.stringContaining(id)}]);
});

test('uploads survive a kill of the service, with what was sent and what was dismissed', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const parcel = await parcelOf(dataset);
	const {upload_id} = await startUpload(first, 'survives', dataset);
	await send(first, parcel, upload_id);
	const before = await feed(first);
	const [late] = await prepare(first, [Buffer.from('late')]);
	process.kill(first.pid, 'SIGKILL');
	await first.lost;
	const second = await home.join(lake);
	expect(
		(await feed(second)).map(({upload_id, phase, bytes_stored}) => [upload_id, phase, bytes_stored]),
	).toEqual(before.map(({upload_id, phase, bytes_stored}) => [upload_id, phase, bytes_stored]));
	expect(await send(second, parcel, upload_id)).toBe(0);
	// A target outlives the service that gave it.
	const url = new URL(late?.url ?? '');
	url.port = new URL(second.url).port;
	expect((await put(url.href, Buffer.from('late'))).status).toBe(201);
	const committed = await commit(second, upload_id, parcel.manifest);
	expect((await ended(second, committed.json<{operation_id: string}>().operation_id)).phase).toBe(
		'finalized',
	);
});

test('a service stays while something is being sent, and its re-ingest runs, though its client is gone', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const folder = await smallDataset(path.join(home.root, 'goes-on'), {episodes: 30, frames: 300});
	const {upload_id} = await startUpload(service, 'goes-on', folder);
	const parcel = await parcelOf(folder, 1 << 20);
	await send(service, parcel, upload_id);
	service.leave();
	await service.lost;
	const committed = await commit(service, upload_id, parcel.manifest);
	const {operation_id} = committed.json<{operation_id: string}>();
	await expect.poll(() => processesOver(`--lake\0${lake}\0`), {timeout: 20_000}).toEqual([]);
	expect(await statusOf(await home.join(lake), operation_id)).toMatchObject({phase: 'finalized'});
});

test('an ingest of a folder stands in the feed beside the uploads', async () => {
	const service = await home.join(home.lake());
	const answer = await call(service, '/local/v1/ingests', {body: {folder: dataset}});
	const {operation_id} = answer.json<{operation_id: string}>();
	await ended(service, operation_id);
	expect(await feed(service)).toEqual([
		expect.objectContaining({
			kind: 'ingest',
			upload_id: null,
			operation_id,
			phase: 'finalized',
			folder: dataset,
		}),
	]);
});
