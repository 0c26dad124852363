import {randomBytes} from 'node:crypto';
import {existsSync, readdirSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {beforeAll, expect, test} from 'vitest';
import {
	type BlobStored,
	blobStored,
	missingBlobs,
	prepareBatchResponse,
	type UploadTarget,
} from '../../../source/contract/local-uploads.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';
import {commit, ended, parcelOf, put, sha256, startUpload} from '../support/uploading.ts';

const home = serviceHome();
const lake = home.lake();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(lake);
});

const blobFile = (id: string) => path.join(lake, 'blobs', id.slice(0, 2), id.slice(2));

/** 4.4 for the envelope of a content. */
async function prepareEnvelope(blobId: string, envelope: Uint8Array): Promise<UploadTarget> {
	const blob = {blob_id: blobId, envelope_sha256: sha256(envelope), content_length: envelope.byteLength};
	const answer = await call(service, '/v1/datasets/upload/prepare-batch', {body: {blobs: [blob]}});
	expect(answer.status, answer.text).toBe(200);
	const [target] = prepareBatchResponse.parse(answer.json()).targets;
	if (target === undefined) throw new Error('no target');
	return target;
}

type Sent = {readonly status: number; readonly stored: BlobStored | undefined; readonly detail: unknown};

async function sendEnvelope(blobId: string, envelope: Uint8Array, bytes = envelope): Promise<Sent> {
	const {url, headers} = await prepareEnvelope(blobId, envelope);
	const {status, text} = await put(url, bytes, headers);
	const answer = JSON.parse(text);
	return {status, stored: status < 300 ? blobStored.parse(answer) : undefined, detail: answer.detail};
}

test.each([
	['gzip', gzipSync],
	['zstd', zstdCompressSync],
] as const)('4.4 a blob sent as %s is stored as its content, once', async (_, pack) => {
	const content = Buffer.concat([Buffer.from('a compressible content '.repeat(1000)), randomBytes(16)]);
	const envelope = pack(content);
	const id = sha256(content);
	expect(await sendEnvelope(id, envelope)).toMatchObject({
		status: 201,
		stored: {blob_id: id, content_length: envelope.byteLength, verified: true},
	});
	expect(await readFile(blobFile(id))).toEqual(content);
	expect((await prepareEnvelope(id, envelope)).stored).toBe(true);
	expect((await sendEnvelope(id, envelope)).status).toBe(200);
	// It is the same blob however it is sent.
	const plain = {blob_id: id, envelope_sha256: id, content_length: content.byteLength};
	const asked = await call(service, '/v1/datasets/upload/prepare-batch', {body: {blobs: [plain]}});
	expect(prepareBatchResponse.parse(asked.json()).targets[0]?.stored).toBe(true);
});

test('what is sent is verified against the envelope, and what is in it against the blob', async () => {
	const content = Buffer.from('one content'.repeat(50));
	const id = sha256(content);
	const envelope = gzipSync(content);
	const altered = Buffer.from(envelope).fill(0, 20, 24);
	expect(await sendEnvelope(id, envelope, altered)).toMatchObject({
		status: 422,
		detail: expect.stringContaining(`has the sha256 ${sha256(altered)}`),
	});
	const others = Buffer.from('another content');
	expect(await sendEnvelope(id, gzipSync(others))).toMatchObject({
		status: 422,
		detail: expect.stringContaining(`opens to a content with the sha256 ${sha256(others)}`),
	});
	expect(existsSync(blobFile(id))).toBe(false);
	expect(readdirSync(path.join(lake, 'blobs', 'incoming'))).toEqual([]);
});

test('a target for an envelope is a right to send that envelope alone', async () => {
	const content = Buffer.from('signed content');
	const id = sha256(content);
	const {url} = await prepareEnvelope(id, gzipSync(content));
	const without = new URL(url);
	without.searchParams.delete('envelope');
	const another = new URL(url);
	another.searchParams.set('envelope', sha256(content));
	for (const changed of [without, another]) expect((await put(changed.href, content)).status).toBe(403);
});

const closed: ReadonlyArray<readonly [string, () => Buffer]> = [
	['neither gzip nor zstd', () => Buffer.concat([Buffer.from('sealed'), randomBytes(100)])],
	['gzip that breaks off', () => gzipSync(randomBytes(1000)).subarray(0, 500)],
	['gzip that is damaged', () => gzipSync(randomBytes(1000)).fill(0, 300, 900)],
	['shorter than any mark', () => Buffer.from([0x1f, 0x8b])],
	['gzip of more than 32 MiB', () => gzipSync(Buffer.alloc(33 * 1024 * 1024, randomBytes(1)))],
	['zstd of more than 32 MiB', () => zstdCompressSync(Buffer.alloc(33 * 1024 * 1024, randomBytes(1)))],
];
test.each(closed)('an envelope that is %s is kept as it is', async (_, make) => {
	const envelope = make();
	const id = sha256(randomBytes(8));
	expect(await sendEnvelope(id, envelope)).toMatchObject({status: 201, stored: {verified: false}});
	const kept = path.join(lake, 'blobs', 'envelopes', id, sha256(envelope));
	expect(sha256(await readFile(kept))).toBe(sha256(envelope));
	expect((await prepareEnvelope(id, envelope)).stored).toBe(true);
	expect((await sendEnvelope(id, envelope)).status).toBe(200);
	expect(existsSync(blobFile(id))).toBe(false);
});

test('a dataset sent in envelopes is ingested, and a commit says whose content it does not know', async () => {
	const parcel = await parcelOf(await smallDataset(path.join(home.root, 'packed')), 1000);
	const {upload_id} = await startUpload(service, 'packed');
	const [sealed = '', ...others] = parcel.contents.keys();
	for (const [n, id] of others.entries()) {
		const content = parcel.contents.get(id) ?? Buffer.alloc(0);
		const envelope = n % 2 === 0 ? gzipSync(content) : zstdCompressSync(content);
		expect((await sendEnvelope(id, envelope)).stored?.verified).toBe(true);
	}
	await sendEnvelope(sealed, Buffer.from(`sealed ${sealed}`));
	const early = await commit(service, upload_id, parcel.manifest);
	expect(early.status).toBe(409);
	const {missing, detail} = missingBlobs.parse(early.json());
	expect(missing).toEqual([sealed]);
	expect(detail).toContain(`Blob ${sealed} came in an envelope that is neither gzip nor zstd`);
	expect(detail).toContain('send it as it is, with envelope_sha256 equal to blob_id');

	const content = parcel.contents.get(sealed) ?? Buffer.alloc(0);
	const plain = {blob_id: sealed, envelope_sha256: sealed, content_length: content.byteLength};
	const asked = await call(service, '/v1/datasets/upload/prepare-batch', {body: {blobs: [plain]}});
	const [target] = prepareBatchResponse.parse(asked.json()).targets;
	expect(target?.stored).toBe(false);
	expect((await put(target?.url ?? '', content)).status).toBe(201);
	const committed = await commit(service, upload_id, parcel.manifest);
	expect(committed.status).toBe(202);
	const {operation_id} = committed.json<{operation_id: string}>();
	expect(await ended(service, operation_id)).toMatchObject({phase: 'finalized', episode_count: 2});
	const [revision = ''] = await readdir(path.join(lake, 'uploads', 'datasets', 'packed'));
	for (const file of parcel.manifest) {
		const stored = await readFile(path.join(lake, 'uploads', 'datasets', 'packed', revision, file.path));
		expect([file.path, sha256(stored)]).toEqual([file.path, file.sha256]);
	}
});
