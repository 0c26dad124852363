import {chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Refusal} from '../../../source/service/host/refusal.ts';
import {BlobSigner} from '../../../source/service/uploads/blob-signature.ts';

let lake: string;
let key: string;
beforeEach(() => {
	lake = mkdtempSync(path.join(tmpdir(), 'lakescope-signature-'));
	key = path.join(lake, 'upload-signing.key');
});
afterEach(() => rmSync(lake, {recursive: true}));

const grant = {
	blobId: 'ab'.repeat(32),
	length: 12,
	expires: 1000,
	uploadId: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
};

const outcome = (verified: Promise<unknown>) =>
	verified.then(
		value => value,
		(error: Refusal) => [error.kind, error.detail],
	);

test('a signature gives the right to what was signed, until it expires', async () => {
	const signer = new BlobSigner(lake);
	const query = await signer.sign(grant);
	expect(await signer.verify(grant.blobId, query, 999_999)).toEqual(grant);
	expect(await outcome(signer.verify(grant.blobId, query, 1_000_000))).toEqual([
		'forbidden',
		expect.stringContaining('expired at 1970-01-01T00:16:40.000Z'),
	]);
	const unnamed = {...grant, uploadId: undefined};
	expect(await signer.verify(grant.blobId, await signer.sign(unnamed), 0)).toEqual(unnamed);
});

test.each([
	['another length', {length: '13'}],
	['a later end', {expires: '2000'}],
	['another upload', {upload: 'ffffffff-3a4e-4f6b-9c1d-2e8f5a7b9c0d'}],
	['no upload', {upload: undefined}],
	['no signature', {signature: undefined}],
	['an empty signature', {signature: ''}],
	['half a signature', {signature: 'ab'}],
	['a signature of another', {signature: 'ab'.repeat(32)}],
	['no digits', {signature: 'zz'.repeat(32)}],
	['a length that is no number', {length: '12 '}],
] as const)('an address with %s is refused', async (_, change: Record<string, string | undefined>) => {
	const signer = new BlobSigner(lake);
	const query = await signer.sign(grant);
	for (const [name, value] of Object.entries(change)) {
		if (value === undefined) query.delete(name);
		else query.set(name, value);
	}
	expect(await outcome(signer.verify(grant.blobId, query, 0))).toEqual(['forbidden', expect.any(String)]);
});

test.each(['expires', 'length', 'upload', 'signature'])(
	'an address with a second %s is refused',
	async name => {
		const signer = new BlobSigner(lake);
		const query = await signer.sign(grant);
		query.append(name, query.get(name) ?? '');
		expect(await outcome(signer.verify(grant.blobId, query, 0))).toEqual(['forbidden', expect.any(String)]);
	},
);

test.each([
	['more behind it', (signature: string) => `${signature}zz`],
	['capital letters', (signature: string) => signature.toUpperCase()],
])('a signature with %s is another', async (_, change) => {
	const signer = new BlobSigner(lake);
	const query = await signer.sign(grant);
	query.set('signature', `${change(query.get('signature') ?? '')}`);
	expect(await outcome(signer.verify(grant.blobId, query, 0))).toEqual(['forbidden', expect.any(String)]);
});

test('a signature fits no other blob, and a value given twice fits nothing', async () => {
	const signer = new BlobSigner(lake);
	const query = await signer.sign(grant);
	expect(await outcome(signer.verify('cd'.repeat(32), query, 0))).toEqual(['forbidden', expect.any(String)]);
	query.append('length', '12');
	expect(await outcome(signer.verify(grant.blobId, query, 0))).toEqual(['forbidden', expect.any(String)]);
});

test('the key is the lake’s own, this user’s alone, and the same after a restart', async () => {
	const query = await new BlobSigner(lake).sign(grant);
	expect(statSync(key).mode & 0o777).toBe(0o600);
	expect(readFileSync(key)).toHaveLength(32);
	expect(await new BlobSigner(lake).verify(grant.blobId, query, 0)).toEqual(grant);
	const other = mkdtempSync(path.join(tmpdir(), 'lakescope-signature-'));
	expect(await outcome(new BlobSigner(other).verify(grant.blobId, query, 0))).toEqual([
		'forbidden',
		expect.stringContaining('another lake'),
	]);
	rmSync(other, {recursive: true});
});

test.each([
	['that others could read', () => chmodSync(key, 0o644)],
	['that is not whole', () => truncateSync(key, 5)],
])('a key %s is replaced, and what it signed is worth nothing', async (_, spoil) => {
	const query = await new BlobSigner(lake).sign(grant);
	spoil();
	const signer = new BlobSigner(lake);
	expect(await outcome(signer.verify(grant.blobId, query, 0))).toEqual(['forbidden', expect.any(String)]);
	expect(statSync(key).mode & 0o777).toBe(0o600);
	expect(await signer.verify(grant.blobId, await signer.sign(grant), 0)).toEqual(grant);
});
