import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {mkdirSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import type {Refusal} from '../../source/service/host/refusal.ts';
import {BlobStore} from '../../source/service/uploads/blob-store.ts';
import {call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {
	blobsIn,
	commit,
	ended,
	feed,
	parcelOf,
	prepare,
	put,
	send,
	sha256,
	startUpload,
} from '../service/support/uploading.ts';
import {actions, failingFiles} from '../service/uploads/failing-files.ts';

process.env.LAKESCOPE_UPLOAD_QUIET_S = '1';
const home = serviceHome();

/** Bounds the size of the files that a running process may write, as a full disk does; Infinity takes the bound away. */
async function boundFiles({pid}: JoinedService, bytes: number): Promise<void> {
	const limit = Number.isFinite(bytes) ? String(bytes) : 'unlimited';
	await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${limit}:unlimited`]);
}

const explore = async (service: JoinedService) => {
	const answer = await call(service, '/v1/datasets/explore', {body: {}});
	return [answer.status, answer.json<{total: number}>().total];
};

const ingestFolder = async (service: JoinedService, folder: string) => {
	const answer = await call(service, '/local/v1/ingests', {body: {folder}});
	return {status: answer.status, ...answer.json<{operation_id: string; detail: string}>()};
};

test('a disk without room for a blob refuses it with a message, keeps its data, and continues once there is room', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const dataset = await smallDataset(path.join(home.root, 'before'));
	await ended(service, (await ingestFolder(service, dataset)).operation_id);
	const [small, large] = [randomBytes(1000), randomBytes(6_000_000)];
	const targets = await prepare(service, [small, large]);
	const urls = new Map(targets.map(({blob_id, url}) => [blob_id, url]));
	const sendBlob = (bytes: Buffer) => put(urls.get(sha256(bytes)) ?? '', bytes);

	await boundFiles(service, 5_000_000);
	const full = await sendBlob(large);
	expect([full.status, JSON.parse(full.text)]).toEqual([
		507,
		{detail: expect.stringMatching(/There is no room left for Blob [0-9a-f]{64} on the disk of .*free some/)},
	]);
	expect(await blobsIn(lake)).toEqual({blobs: new Map(), strays: []});
	expect(await explore(service)).toEqual([200, 2]);
	expect((await sendBlob(small)).status).toBe(201);

	await boundFiles(service, Number.POSITIVE_INFINITY);
	expect((await sendBlob(large)).status).toBe(201);
	expect([...(await blobsIn(lake)).blobs.keys()].sort()).toEqual([sha256(small), sha256(large)].sort());
});

test('on a disk that accepts no writes, writes are refused with a message and reads still work', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const dataset = await smallDataset(path.join(home.root, 'first'));
	const another = await smallDataset(path.join(home.root, 'second'));
	await ended(service, (await ingestFolder(service, dataset)).operation_id);
	const parcel = await parcelOf(another);
	const {upload_id} = await startUpload(service, 'uploaded', another);
	const [target] = await prepare(service, [Buffer.from('content')]);

	await boundFiles(service, 0);
	const refused = [
		await put(target?.url ?? '', Buffer.from('content')),
		await call(service, '/local/v1/uploads', {body: {dataset_name: 'new'}}),
		await call(service, `/local/v1/uploads/${upload_id}/cancel`, {method: 'POST'}),
	];
	for (const {status, text} of refused) {
		expect([status, text]).toEqual([expect.toBeOneOf([500, 507]), expect.stringMatching(/no room|the disk/)]);
	}
	expect(await explore(service)).toEqual([200, 2]);
	expect((await feed(service)).map(({phase}) => phase).sort()).toEqual(['finalized', 'staging']);
	expect((await ingestFolder(service, another)).status).toBe(500);

	await boundFiles(service, Number.POSITIVE_INFINITY);
	await send(service, parcel, upload_id);
	const committed = await commit(service, upload_id, parcel.manifest);
	const status = await ended(service, committed.json<{operation_id: string}>().operation_id);
	expect(status).toMatchObject({phase: 'finalized', episode_count: 2});
	expect(await explore(service)).toEqual([200, 4]);
});

test('an ingest without disk space fails with a reason, and succeeds once there is room', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const dataset = await smallDataset(path.join(home.root, 'kept'));
	await ended(service, (await ingestFolder(service, dataset)).operation_id);
	const larger = await smallDataset(path.join(home.root, 'larger'), {episodes: 400});
	const parcel = await parcelOf(larger, 2_000_000);
	const {upload_id} = await startUpload(service, 'larger', larger);
	await send(service, parcel, upload_id);
	// Enough for the record of operations, and too little for 400 episodes in the lake.
	await boundFiles(service, statSync(path.join(lake, 'operations.db-wal')).size + 150_000);
	const first = await commit(service, upload_id, parcel.manifest);
	const status = await ended(service, first.json<{operation_id: string}>().operation_id);
	expect(status).toMatchObject({phase: 'failed', message: expect.stringMatching(/There is no room left/)});
	expect(await explore(service)).toEqual([200, 2]);

	await boundFiles(service, Number.POSITIVE_INFINITY);
	const again = await startUpload(service, 'larger', larger);
	expect(await send(service, parcel, again.upload_id)).toBe(0);
	const second = await commit(service, again.upload_id, parcel.manifest);
	const done = await ended(service, second.json<{operation_id: string}>().operation_id);
	expect(done).toMatchObject({phase: 'finalized', episode_count: 400});
	expect(await explore(service)).toEqual([200, 402]);
});

const content = Buffer.from('the content of a blob');
const said = {blobId: sha256(content), length: content.byteLength};

async function* body(): AsyncGenerator<Uint8Array> {
	for (const byte of content) yield Buffer.of(byte);
}

async function refusal(stored: Promise<unknown>): Promise<unknown> {
	return await stored.then(
		outcome => outcome,
		(error: Refusal) => [error.kind, error.detail],
	);
}

const failures = [
	['EIO', 'failed', 'the disk failed'],
	['ENOSPC', 'no-room', 'no room left'],
	['EFBIG', 'no-room', 'no room left'],
	['EDQUOT', 'no-room', 'no room left'],
	['EROFS', 'failed', 'the file system is read-only'],
	['EACCES', 'failed', 'permission denied'],
] as const;

test.each(failures)(
	'%s at any disk call is reported, stores no false blob, and the next attempt succeeds',
	async (code, status, words) => {
		const lake = home.lake();
		mkdirSync(lake);
		for (const deed of actions) {
			for (const nth of [0, 1, 2]) {
				let failed = 0;
				let isFailing = true;
				const store = new BlobStore(
					lake,
					failingFiles((each, before) => {
						if (!isFailing || each !== deed || before !== nth) return undefined;
						failed++;
						return code;
					}),
				);
				const outcome = await refusal(store.put(said, body()));
				const refused = [status, expect.stringContaining(words)];
				expect([deed, nth, outcome]).toEqual([deed, nth, failed > 0 ? refused : 'created']);
				const {blobs, strays} = await blobsIn(lake);
				expect([deed, strays]).toEqual([deed, []]);
				// What has its name is whole, even where it could not be told that it has.
				expect([...blobs.values()].every(bytes => bytes.equals(content))).toBe(true);
				isFailing = false;
				expect(await refusal(store.put(said, body()))).toBeOneOf(['created', 'present']);
				rmSync(path.join(lake, 'blobs'), {recursive: true});
			}
		}
	},
);
