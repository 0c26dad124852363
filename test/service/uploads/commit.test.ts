import {existsSync} from 'node:fs';
import {cp, mkdir, readdir} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {uploadRecord} from '../../../source/contract/local-uploads.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';
import {
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
	upload,
} from '../support/uploading.ts';

process.env.LAKESCOPE_UPLOAD_QUIET_S = '1';
const home = serviceHome();
let dataset: string;

beforeAll(async () => {
	dataset = await smallDataset(path.join(home.root, 'push-block'), {episodes: 3, frames: 60});
});

test('a new version of an uploaded dataset sends what changed, keeps the ids of unchanged episodes, and replaces the old files', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const folder = await smallDataset(path.join(home.root, 'grows'), {episodes: 2});
	const first = await upload(service, 'grows', folder);
	expect((await ended(service, first.operation_id)).generation).toBe(1);
	const before = (await explore(service)).episodes;
	const larger = await smallDataset(path.join(home.root, 'grown'), {episodes: 3});
	const second = await upload(service, 'grows', larger);
	expect(await ended(service, second.operation_id)).toMatchObject({generation: 2, episode_count: 3});
	expect(second.sent).toBeLessThan(second.parcel.contents.size);
	const after = (await explore(service)).episodes;
	expect(after.slice(0, 2).map(({episode_id}) => episode_id)).toEqual(
		before.map(({episode_id}) => episode_id),
	);
	await expect
		.poll(() => readdir(path.join(lake, 'uploads', 'datasets', 'grows')))
		.toEqual([second.revision]);
});

test('versions committed one after the other are published in that order', async () => {
	const service = await home.join(home.lake());
	const operations: string[] = [];
	for (const episodes of [4, 3, 2]) {
		const folder = await smallDataset(path.join(home.root, `turns-${episodes}`), {episodes});
		operations.push((await upload(service, 'turns', folder)).operation_id);
	}
	const generations = await Promise.all(operations.map(async id => (await ended(service, id)).generation));
	expect(generations).toEqual([1, 2, 3]);
	expect((await explore(service)).total).toBe(2);
});

test('a name that another dataset has is refused before anything is sent', async () => {
	const service = await home.join(home.lake());
	const taken = await call(service, '/local/v1/ingests', {body: {folder: dataset}});
	await ended(service, taken.json<{operation_id: string}>().operation_id);
	const refused = await call(service, '/local/v1/uploads', {body: {dataset_name: 'push-block'}});
	expect([refused.status, refused.json()]).toEqual([
		409,
		{
			detail: `The lake has a dataset named push-block already, from ${dataset}. Ingest its changes with lakescope ingest, or give this one another name: --name NAME.`,
		},
	]);
	const folder = await smallDataset(path.join(home.root, 'mine'));
	const {operation_id} = await upload(service, 'uploaded', folder);
	await ended(service, operation_id);
	const other = path.join(home.root, 'elsewhere', 'uploaded');
	await mkdir(path.dirname(other));
	await cp(folder, other, {recursive: true});
	const submit = async (body: {folder: string; name?: string}) => {
		const answer = await call(service, '/local/v1/ingests', {body});
		return [answer.status, answer.json()];
	};
	const upload409 = (from: string, flag: string) => [
		409,
		{
			detail: `The lake has a dataset named uploaded already, which was uploaded. To ingest the one in ${from} as its next generation: lakescope upload DIR${flag}. To have both: lakescope ingest DIR --name NAME.`,
		},
	];
	expect(await submit({folder: other})).toEqual(upload409(other, ''));
	expect(await submit({folder, name: 'uploaded'})).toEqual(upload409(folder, ' --name uploaded'));
});

test('a cancelled upload is over, and its blobs serve the next', async () => {
	const service = await home.join(home.lake());
	const parcel = await parcelOf(dataset);
	const {upload_id} = await startUpload(service, 'cancelled');
	await send(service, parcel, upload_id);
	const cancel = () => call(service, `/local/v1/uploads/${upload_id}/cancel`, {method: 'POST'});
	expect(uploadRecord.parse((await cancel()).json())).toMatchObject({phase: 'cancelled', done: true});
	expect((await cancel()).status).toBe(200);
	expect((await commit(service, upload_id, parcel.manifest)).status).toBe(409);
	expect(await feed(service)).toEqual([]);
	expect((await feed(service, true)).map(({phase}) => phase)).toEqual(['cancelled']);
	const next = await startUpload(service, 'cancelled');
	expect(next.upload_id).not.toBe(upload_id);
	expect(await send(service, parcel, next.upload_id)).toBe(0);
	expect((await feed(service))[0]?.bytes_stored).toBeGreaterThan(0);
	const committed = await commit(service, next.upload_id, parcel.manifest);
	await ended(service, committed.json<{operation_id: string}>().operation_id);
	const late = await call(service, `/local/v1/uploads/${next.upload_id}/cancel`, {method: 'POST'});
	expect(late.status).toBe(409);
});

test('what cannot be told apart by a manifest is refused, file by file', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const {upload_id} = await startUpload(service, 'odd');
	const bytes = Buffer.from('content');
	const [target] = await prepare(service, [bytes]);
	await put(target?.url ?? '', bytes);
	const blobs = [{blob_id: sha256(bytes), content_length: bytes.byteLength}];
	const file = (name: string, more: object = {}) => ({path: name, size: bytes.byteLength, blobs, ...more});
	const cases: ReadonlyArray<[object[], Array<string | number>]> = [
		[
			[file('a'), file('a')],
			[1, 'path'],
		],
		[
			[file('a/b'), file('a')],
			[0, 'path'],
		],
		[[file('a', {size: 3})], [0, 'size']],
		[[file('a', {sha256: sha256('other')})], [0, 'sha256']],
		[[file('a', {size: 0, blobs: [], sha256: sha256('x')})], [0, 'sha256']],
		[[file('../a')], [0, 'path']],
	];
	for (const [manifest, loc] of cases) {
		const answer = await commit(service, upload_id, manifest);
		expect([answer.status, answer.json()]).toEqual([
			422,
			{detail: [expect.objectContaining({loc: ['body', 'manifest', ...loc]})]},
		]);
	}
	const other = await commit(service, upload_id, [
		file('a', {size: 3, blobs: [{...blobs[0], content_length: 3}]}),
	]);
	expect([other.status, other.text]).toEqual([422, expect.stringContaining('has 7 bytes')]);
	expect(existsSync(path.join(lake, 'uploads', 'datasets'))).toBe(false);
	expect((await feed(service))[0]?.phase).toBe('staging');
});

test('a file whose pieces are not what its hash says fails the re-ingest with a sentence that names it', async () => {
	const service = await home.join(home.lake());
	const {upload_id} = await startUpload(service, 'edited', dataset);
	const parcel = await parcelOf(dataset, 1000);
	await send(service, parcel, upload_id);
	const manifest = parcel.manifest.map(file =>
		file.blobs.length > 1 ? {...file, sha256: sha256('edited meanwhile')} : file,
	);
	const committed = await commit(service, upload_id, manifest);
	const status = await ended(service, committed.json<{operation_id: string}>().operation_id);
	expect(status).toMatchObject({
		phase: 'failed',
		message: expect.stringMatching(
			/^Cannot ingest edited: \S+ is said .* changed while it was read\. Upload it again\.$/,
		),
	});
	expect(manifest.some(({path: name}) => status.message?.includes(name))).toBe(true);
});
