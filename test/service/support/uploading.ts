import {createHash} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {request} from 'node:http';
import path from 'node:path';
import {expect} from 'vitest';
import {
	commitResponse,
	type ManifestFile,
	prepareBatchResponse,
	type UploadRecord,
	type UploadTarget,
	uploadListResponse,
	uploadRecord,
} from '../../../source/contract/local-uploads.ts';
import {type SyncStatus, syncStatus} from '../../../source/contract/sync-status.ts';
import {type Address, type Answer, call} from './call.ts';

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** What 4.4 is asked for a content. */
export const blobOf = (bytes: Uint8Array) => ({
	blob_id: sha256(bytes),
	envelope_sha256: sha256(bytes),
	content_length: bytes.byteLength,
});

/** A dataset as an upload sends it: its manifest, and every blob's content. */
export type Parcel = {readonly manifest: ManifestFile[]; readonly contents: ReadonlyMap<string, Buffer>};

/** Packs the files of a folder, in pieces of at most `pieceBytes`. */
export async function parcelOf(folder: string, pieceBytes = 4096): Promise<Parcel> {
	const contents = new Map<string, Buffer>();
	const manifest: ManifestFile[] = [];
	for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
		if (!entry.isFile()) continue;
		const file = path.join(entry.parentPath, entry.name);
		const bytes = await readFile(file);
		const blobs: ManifestFile['blobs'] = [];
		for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
			const piece = bytes.subarray(at, at + pieceBytes);
			contents.set(sha256(piece), piece);
			blobs.push({blob_id: sha256(piece), content_length: piece.byteLength});
		}
		const name = path.relative(folder, file);
		manifest.push({path: name, size: bytes.byteLength, sha256: sha256(bytes), blobs});
	}
	return {manifest, contents};
}

/** Starts an upload, or goes on with it. */
export async function startUpload(
	service: Address,
	dataset_name: string,
	folder?: string,
): Promise<UploadRecord & {upload_id: string}> {
	const answer = await call(service, '/local/v1/uploads', {body: {dataset_name, folder}});
	expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
	const record = uploadRecord.parse(answer.json());
	return {...record, upload_id: record.upload_id ?? ''};
}

/** 4.4 for these contents. */
export async function prepare(
	service: Address,
	contents: Iterable<Uint8Array>,
	options: {uploadId?: string; ttl_seconds?: number} = {},
): Promise<UploadTarget[]> {
	const {uploadId, ...more} = options;
	const query = uploadId === undefined ? '' : `?upload_id=${uploadId}`;
	const body = {blobs: [...contents].map(blobOf), ...more};
	const answer = await call(service, `/v1/datasets/upload/prepare-batch${query}`, {body});
	expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
	return prepareBatchResponse.parse(answer.json()).targets;
}

/** Sends bytes to an address, with the headers given and no others that matter: no key among them. */
export function put(
	url: string,
	bytes: Uint8Array,
	headers: Record<string, string> = {},
): Promise<Pick<Answer, 'status' | 'text'>> {
	return new Promise((resolve, reject) => {
		const outgoing = request(
			url,
			{method: 'PUT', agent: false, headers: {'content-length': bytes.byteLength, ...headers}},
			response => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk: string) => {
					text += chunk;
				});
				response.on('end', () => resolve({status: response.statusCode ?? 0, text}));
				response.on('error', reject);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(bytes);
	});
}

/** Sends every content of a parcel that the service does not hold; tells how many those were. */
export async function send(service: Address, {contents}: Parcel, uploadId?: string): Promise<number> {
	const all = [...contents.values()];
	let sent = 0;
	for (let at = 0; at < all.length; at += 128) {
		const targets = await prepare(service, all.slice(at, at + 128), {...(uploadId && {uploadId})});
		for (const {blob_id, stored, url, headers} of targets) {
			if (stored) continue;
			const answer = await put(url, contents.get(blob_id) ?? Buffer.alloc(0), headers);
			expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
			sent++;
		}
	}
	return sent;
}

export const commit = (service: Address, uploadId: string, manifest: unknown): Promise<Answer> =>
	call(service, `/local/v1/uploads/${uploadId}/commit`, {body: {manifest}});

/** Uploads a folder from the start to the commit. */
export async function upload(service: Address, name: string, folder: string) {
	const {upload_id} = await startUpload(service, name, folder);
	const parcel = await parcelOf(folder);
	const sent = await send(service, parcel, upload_id);
	const answer = await commit(service, upload_id, parcel.manifest);
	expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
	return {...commitResponse.parse(answer.json()), sent, parcel};
}

export const statusOf = async (service: Address, operationId: string): Promise<SyncStatus> =>
	syncStatus.parse((await call(service, `/v1/datasets/sync-status/${operationId}`)).json());

/** Waits until a re-ingest has ended, and gives its status. */
export async function ended(service: Address, operationId: string): Promise<SyncStatus> {
	await expect
		.poll(async () => (await statusOf(service, operationId)).done, {timeout: 20_000, interval: 20})
		.toBe(true);
	return await statusOf(service, operationId);
}

export async function feed(service: Address, all = false): Promise<UploadRecord[]> {
	const answer = await call(service, `/local/v1/uploads${all ? '?all=true' : ''}`);
	expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
	return uploadListResponse.parse(answer.json()).items;
}

/** Every blob that a lake holds, by the name it has; and what else lies among them. */
export async function blobsIn(lake: string): Promise<{blobs: Map<string, Buffer>; strays: string[]}> {
	const blobs = new Map<string, Buffer>();
	const strays: string[] = [];
	const folder = path.join(lake, 'blobs');
	const found = await readdir(folder, {recursive: true, withFileTypes: true}).catch(() => []);
	for (const entry of found.filter(each => each.isFile())) {
		const file = path.join(entry.parentPath, entry.name);
		const name = path.relative(folder, file).replace('/', '');
		if (/^[0-9a-f]{64}$/.test(name)) blobs.set(name, await readFile(file));
		else strays.push(file);
	}
	return {blobs, strays};
}

/** Everything that the lake holds. */
export const explore = async (service: Address) =>
	(await call(service, '/v1/datasets/explore', {body: {}})).json<{
		total: number;
		episodes: Array<{episode_index: number; episode_id: string; episode_revision_id: string}>;
	}>();
