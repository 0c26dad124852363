import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Refusal} from '../../../source/service/host/refusal.ts';
import {BlobStore} from '../../../source/service/uploads/blob-store.ts';
import {blobsIn, sha256} from '../support/uploading.ts';
import {failingFiles} from './failing-files.ts';

let lake: string;
beforeEach(() => {
	lake = mkdtempSync(path.join(tmpdir(), 'lakescope-blobs-'));
});
afterEach(() => rmSync(lake, {recursive: true}));

const content = Buffer.from('the content of a blob');
const said = {blobId: sha256(content), length: content.byteLength};

async function* body(bytes: Buffer, pieceBytes = 5): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function* broken(bytes: Buffer): AsyncGenerator<Uint8Array> {
	yield* body(bytes);
	throw new Error('aborted');
}

/** The status and words of a refusal, or what came instead of one. */
async function refusal(put: Promise<unknown>): Promise<unknown> {
	return await put.then(
		outcome => outcome,
		(error: Refusal) => [error.kind, error.detail],
	);
}

test('a blob is stored once, whole, under its name, and may not be written to again', async () => {
	const store = new BlobStore(lake);
	expect(await store.lengthOf(said.blobId)).toBeUndefined();
	expect(await store.put(said, body(content))).toBe('created');
	expect(await store.put(said, body(content))).toBe('present');
	expect(await store.lengthOf(said.blobId)).toBe(content.byteLength);
	expect(await blobsIn(lake)).toEqual({blobs: new Map([[said.blobId, content]]), strays: []});
	expect((await stat(store.pathOf(said.blobId))).mode & 0o777).toBe(0o400);
});

test.each([
	['cut short', () => body(content.subarray(1)), ['malformed', 'cut short: 20 of 21 bytes came']],
	['broken off', () => broken(content.subarray(0, 10)), ['malformed', 'cut short: 10 of 21 bytes came']],
	['broken off at its very end', () => broken(content), ['malformed', 'cut short: 21 of 21 bytes came']],
	['too long', () => body(Buffer.concat([content, content])), ['too-large', 'longer than the 21 bytes']],
	['another content', () => body(Buffer.from('THE content of a blob')), ['invalid', 'has the sha256']],
	['nothing', () => body(Buffer.alloc(0)), ['malformed', 'cut short: 0 of 21 bytes came']],
] as const)(
	'a body that is %s is refused and leaves nothing, whether or not the blob is there',
	async (_, sent, [status, words]) => {
		const store = new BlobStore(lake);
		expect(await refusal(store.put(said, sent()))).toEqual([status, expect.stringContaining(words)]);
		expect(await blobsIn(lake)).toEqual({blobs: new Map(), strays: []});
		await store.put(said, body(content));
		expect(await refusal(store.put(said, sent()))).toEqual([status, expect.stringContaining(words)]);
		expect(await blobsIn(lake)).toEqual({blobs: new Map([[said.blobId, content]]), strays: []});
	},
);

test('many who send one blob at once all succeed, and it is stored once', async () => {
	const store = new BlobStore(lake);
	const outcomes = await Promise.all(Array.from({length: 20}, () => store.put(said, body(content, 1))));
	expect(outcomes.filter(outcome => outcome === 'created').length).toBeGreaterThan(0);
	expect(await blobsIn(lake)).toEqual({blobs: new Map([[said.blobId, content]]), strays: []});
});

test('what an earlier service was receiving is forgotten', async () => {
	const store = new BlobStore(lake);
	await store.put(said, body(content));
	mkdirSync(path.join(lake, 'blobs', 'incoming'), {recursive: true});
	writeFileSync(path.join(lake, 'blobs', 'incoming', 'half'), 'half a blob');
	await store.sweep();
	await store.sweep();
	expect(await blobsIn(lake)).toEqual({blobs: new Map([[said.blobId, content]]), strays: []});
});

test('a blob whose name is not yet on the disk is not called stored, however often it is sent', async () => {
	let isFailing = true;
	const store = new BlobStore(
		lake,
		failingFiles(deed => (isFailing && deed === 'syncFolder' ? 'EIO' : undefined)),
	);
	expect(await refusal(store.put(said, body(content)))).toEqual(['failed', expect.any(String)]);
	expect(await refusal(store.put(said, body(content)))).toEqual(['failed', expect.any(String)]);
	isFailing = false;
	expect(await store.put(said, body(content))).toBe('present');
});
