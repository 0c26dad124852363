import {linkSync, mkdtempSync, rmSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {ManifestFile} from '../../../source/contract/local-uploads.ts';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import {IngestStore} from '../../../source/service/operations/ingest-store.ts';
import {BlobCollector} from '../../../source/service/uploads/blob-collector.ts';
import {BlobStore} from '../../../source/service/uploads/blob-store.ts';
import {type FileLayer, machineFiles} from '../../../source/service/uploads/file-layer.ts';
import {bytesOf, revisionOf} from '../../../source/service/uploads/manifest.ts';
import {Transfers} from '../../../source/service/uploads/transfers.ts';
import {UploadStore} from '../../../source/service/uploads/upload-store.ts';
import {UploadedDatasets} from '../../../source/service/uploads/uploaded-datasets.ts';
import {Uploads} from '../../../source/service/uploads/uploads.ts';
import {sha256} from '../support/uploading.ts';

const now = Date.UTC(2026, 10, 20);
const days = (count: number) => now - count * 86_400_000;
const log = () => undefined;

let lake: string;
let database: DatabaseSync;
let uploads: UploadStore;
let ingests: IngestStore;

beforeEach(() => {
	lake = mkdtempSync(path.join(tmpdir(), 'lakescope-collector-'));
	database = openOperations(lake);
	uploads = new UploadStore(database);
	ingests = new IngestStore(database);
});
afterEach(() => {
	database.close();
	rmSync(lake, {recursive: true});
});

type Blob = {readonly id: string; readonly length: number};

/** Stores a content that was last asked for so many days ago. */
async function stored(blobs: BlobStore, content: string, age: number): Promise<Blob> {
	const bytes = Buffer.from(content);
	const blob = {id: sha256(bytes), length: bytes.byteLength};
	await blobs.put(
		{blobId: blob.id, length: blob.length},
		(async function* () {
			yield bytes;
		})(),
	);
	aged(blobs, blob, age);
	return blob;
}

function aged(blobs: BlobStore, {id}: Blob, age: number): void {
	utimesSync(blobs.pathOf(id), days(age) / 1000, days(age) / 1000);
}

const manifestOf = (...blobs: readonly Blob[]): ManifestFile[] =>
	blobs.map(({id, length}, at) => ({
		path: `data/${at}.parquet`,
		size: length,
		blobs: [{blob_id: id, content_length: length}],
	}));

/** An upload of a dataset, committed with these blobs; how its re-ingest ended. */
function committed(
	name: string,
	age: number,
	end: 'finalized' | 'failed' | undefined,
	...blobs: readonly Blob[]
) {
	const manifest = manifestOf(...blobs);
	const {upload} = uploads.start({dataset_name: name}, days(age));
	const made = {manifest, revision: revisionOf(manifest), bytes: bytesOf(manifest)};
	const {operationId} = uploads.commit(upload.uploadId, made, days(age), () =>
		ingests.create(name, `/${name}`),
	);
	const counts = {
		generation: 1,
		episode_count: 1,
		total_frames: 1,
		changed_episodes: null,
		other_changes: null,
	};
	if (end === 'finalized') ingests.finalize(operationId, {dataset_version_id: 'v', ...counts});
	else if (end === 'failed') ingests.fail(operationId, 'it broke', [], 0);
}

const collector = (blobs: BlobStore) => new BlobCollector({blobs, uploads, log, now: () => now});

test('a blob goes once nothing refers to it and nobody has asked for it for a month', async () => {
	const blobs = new BlobStore(lake);
	const old = (content: string) => stored(blobs, content, 31);
	const kept = {
		young: await stored(blobs, 'young', 29),
		staging: await old('of an upload that is staging'),
		queued: await old('of a re-ingest to come'),
		last: await old('of what is in the lake'),
		failed: await old('of what failed since'),
		linked: await old('in the folder of a dataset'),
	};
	const gone = [
		await old('of nothing'),
		await old('of a revision before'),
		await old('of an upload that was cancelled'),
	];
	const {upload} = uploads.start({dataset_name: 'sending'}, days(40));
	uploads.stored(
		upload.uploadId,
		[{blob_id: kept.staging.id, content_length: kept.staging.length}],
		days(40),
	);
	const cancelled = uploads.start({dataset_name: 'cancelled'}, days(40)).upload;
	uploads.stored(cancelled.uploadId, [{blob_id: gone[2]?.id ?? '', content_length: 1}], days(40));
	uploads.cancel(cancelled.uploadId, days(39));
	committed('queued', 40, undefined, kept.queued);
	committed('cups', 50, 'finalized', gone[1] as Blob, kept.last);
	committed('cups', 45, 'finalized', kept.last);
	committed('cups', 40, 'failed', kept.failed);
	linkSync(blobs.pathOf(kept.linked.id), path.join(lake, 'linked.parquet'));

	expect(await collector(blobs).collect()).toBe(3);
	for (const [name, {id, length}] of Object.entries(kept)) {
		expect([name, await blobs.lengthOf(id)]).toEqual([name, length]);
	}
	for (const {id} of gone) expect(await blobs.lengthOf(id)).toBeUndefined();
	// Sent once more it is there again, and somebody who asks for one makes it new.
	await old('of nothing');
	await blobs.renew(gone[0]?.id ?? '');
	expect(await collector(blobs).collect()).toBe(0);
});

/** Holds one call of the disk for a blob until it is let go. */
function heldFiles(deed: 'namesOf' | 'remove') {
	const reached = Promise.withResolvers<void>();
	const gate = Promise.withResolvers<void>();
	let of: string | undefined;
	const files: FileLayer = {
		...machineFiles,
		[deed]: async (file: string) => {
			if (of !== undefined && file.endsWith(of)) {
				reached.resolve();
				await gate.promise;
			}
			return machineFiles[deed](file);
		},
	};
	return {
		files,
		hold({id}: Blob) {
			of = id.slice(2);
		},
		reached: reached.promise,
		letGo: gate.resolve,
	};
}

function committing(blobs: BlobStore) {
	const lakeOf = {dataset: async () => undefined};
	const datasets = new UploadedDatasets({
		lakeFolder: lake,
		lake: lakeOf,
		uploads,
		ingests,
		blobs,
		log,
		inUse: () => [],
	});
	const transfers = new Transfers({quietMs: 1000, now: () => now, hold: () => () => undefined});
	const supervisor = {
		holderOf: async () => undefined,
		dispatch: async ({accept}: {accept: () => unknown}) => {
			accept();
			return {kind: 'accepted'} as const;
		},
	};
	return new Uploads({
		...{lakeFolder: lake, uploads, ingests, blobs, datasets, transfers, supervisor, now: () => now},
		onPhase: () => undefined,
	});
}

test('a commit that comes while blobs are looked through keeps those it counts on', async () => {
	const held = heldFiles('namesOf');
	const blobs = new BlobStore(lake, held.files);
	const blob = await stored(blobs, 'of a commit to come', 40);
	const {upload} = uploads.start({dataset_name: 'cups'}, days(0));
	held.hold(blob);
	const collecting = collector(blobs).collect();
	await held.reached;
	const commit = await committing(blobs).commit(upload.uploadId, manifestOf(blob));
	held.letGo();
	expect(commit.kind).toBe('committed');
	expect(await collecting).toBe(0);
	expect(await blobs.lengthOf(blob.id)).toBe(blob.length);
});

test('a commit that comes while a blob is being removed is told that it is missing', async () => {
	const held = heldFiles('remove');
	const blobs = new BlobStore(lake, held.files);
	const blob = await stored(blobs, 'of a commit that is late', 40);
	const {upload} = uploads.start({dataset_name: 'cups'}, days(0));
	held.hold(blob);
	const collecting = collector(blobs).collect();
	await held.reached;
	const commit = committing(blobs).commit(upload.uploadId, manifestOf(blob));
	held.letGo();
	expect(await collecting).toBe(1);
	expect(await commit).toEqual({kind: 'missing', missing: [blob.id], closed: []});
	expect(uploads.get(upload.uploadId)?.state).toBe('staging');
});

test('an envelope that could not be opened goes a month after it was last sent', async () => {
	const blobs = new BlobStore(lake);
	const kept = async (envelope: string, age: number) => {
		const bytes = Buffer.from(envelope);
		const said = {
			blobId: sha256(`content of ${envelope}`),
			envelope: sha256(envelope),
			length: bytes.byteLength,
		};
		const outcome = await blobs.putEnvelope(
			said,
			(async function* () {
				yield bytes;
			})(),
		);
		expect(outcome.kind).toBe('closed');
		const file = path.join(lake, 'blobs', 'envelopes', said.blobId, said.envelope);
		utimesSync(file, days(age) / 1000, days(age) / 1000);
		return said;
	};
	const [old, young, claimed] = [
		await kept('sealed', 31),
		await kept('sealed too', 29),
		await kept('wanted', 31),
	];
	const release = await blobs.claims.claim([claimed.blobId]);
	const collector = new BlobCollector({blobs, uploads, log, now: () => now});
	expect(await collector.collect()).toBe(1);
	release();
	expect(await Promise.all([old, young, claimed].map(each => blobs.holdsEnvelope(each)))).toEqual([
		false,
		true,
		true,
	]);
});
