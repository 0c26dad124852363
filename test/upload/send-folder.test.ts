import {readFile, rename, rm, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, onTestFinished, test} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {manifestOf} from '../../source/upload/send-folder.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {blobsIn, commit, sha256, startUpload} from '../service/support/uploading.ts';
import {type RecordingProxy, sentAgain, startRecordingProxy} from './support/recording-proxy.ts';
import {manyFiles, sendAll, senderTo, writeFiles} from './support/sending.ts';

const home = serviceHome();
process.env.XDG_STATE_HOME = path.join(home.root, 'state');
const lake = home.lake();
let service: JoinedService;
let proxy: RecordingProxy;
let through: {url: string; key: string};

beforeAll(async () => {
	service = await home.join(lake);
});

/** A proxy of the test's own before the one service, and a folder with these files. */
async function setting(name: string, files: Record<string, string | Uint8Array>) {
	proxy = await startRecordingProxy((await home.join(lake)).url);
	onTestFinished(proxy.close);
	through = {url: proxy.url, key: service.key};
	return writeFiles(path.join(home.root, name), files);
}

const file = (folder: string, name: string) => path.join(folder, name);

test('asks in batches of 128, sends every content once and without the key, and the second time nothing', async () => {
	const folder = await setting('many', {...manyFiles(150, 'many'), 'copies/a': 'same', 'copies/b': 'same'});
	const {files, blobs} = await sendAll(folder, await senderTo(through));
	expect(files).toHaveLength(152);
	expect(blobs).toBe(151);
	expect(proxy.batches.map(batch => batch.length)).toEqual([128, 23]);
	expect(proxy.puts).toHaveLength(151);
	expect(proxy.puts.filter(({headers}) => 'x-api-key' in headers)).toEqual([]);
	const stored = (await blobsIn(lake)).blobs;
	expect(files.every(({blobs: [blob]}) => stored.has(blob?.blob_id ?? ''))).toBe(true);
	const again = await sendAll(folder, await senderTo(through));
	expect(again).toMatchObject({files, blobs: 0});
	expect(proxy.puts).toHaveLength(151);
});

test('splits a file above 32 MiB, sends an empty one as no blob at all, and counts every byte', async () => {
	const folder = await setting('large', {empty: '', small: 'small'});
	await writeFile(file(folder, 'large.mp4'), 'head');
	await truncate(file(folder, 'large.mp4'), 33_554_432 + 1000);
	const sender = await senderTo(through);
	const {files, blobs} = await sendAll(folder, sender);
	expect(files.map(({path: name, blobs: own}) => [name, own.map(blob => blob.content_length)])).toEqual([
		['empty', []],
		['large.mp4', [33_554_432, 1000]],
		['small', [5]],
	]);
	expect(blobs).toBe(3);
	const {tally} = sender;
	expect([tally.total, tally.hashed, tally.sent + tally.there]).toEqual(Array(3).fill(33_554_432 + 1005));
	const {upload_id} = await startUpload(through, 'large', folder);
	expect((await commit(through, upload_id, manifestOf(files))).status).toBe(202);
});

test('names of any kind arrive exactly', async () => {
	const names = [
		'ü/日本語',
		'a b',
		'quo\'te"s',
		'per%2e%2e/cent%00',
		'line\nend',
		'-rf',
		'x'.repeat(255),
		'#?&=+;',
		'…',
	];
	const folder = await setting('names', Object.fromEntries(names.map(name => [name, `of ${name}`])));
	const {files} = await sendAll(folder, await senderTo(through));
	expect(files.map(({path: name}) => name)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
	const {upload_id} = await startUpload(through, 'names', folder);
	expect((await commit(through, upload_id, manifestOf(files))).status).toBe(202);
});

test('what is edited, added or removed meanwhile is sent as it is in the end', async () => {
	const folder = await setting('edited', manyFiles(20, 'edited'));
	const changed: (readonly string[])[] = [];
	proxy.onPut = async exchange => {
		if (exchange.nth === 1) {
			await writeFile(file(folder, 'data/file-0003'), 'edited, and of another size');
			const old = await readFile(file(folder, 'data/file-0019'), 'utf8');
			await writeFile(file(folder, 'data/file-0019'), old.replace('.', ','));
			await rm(file(folder, 'data/file-0010'));
			await writeFile(file(folder, 'data/new'), 'added');
		}
		await exchange.forward();
	};
	const {files} = await sendAll(folder, await senderTo(through), {onChanged: paths => changed.push(paths)});
	expect(changed).toEqual([expect.arrayContaining(['data/file-0003', 'data/file-0010', 'data/new'])]);
	expect(files.map(({path: name}) => name)).toContain('data/new');
	expect(files.map(({path: name}) => name)).not.toContain('data/file-0010');
	const {blobs} = await blobsIn(lake);
	for (const {path: name, blobs: own} of files) {
		const content = await readFile(file(folder, name));
		expect(own.map(({blob_id}) => blob_id)).toEqual([sha256(content)]);
		expect(blobs.get(sha256(content))).toEqual(content);
	}
});

test('content that changes behind an unchanged size and time is found out by what is sent', async () => {
	const folder = await setting('sly', {data: 'one content'});
	const sender = await senderTo(through);
	const {files} = await sendAll(folder, sender);
	// What the journal holds of this file is another content's hash, as if the disk had changed it by itself.
	const [known] = files;
	if (!known) throw new Error('nothing was sent');
	const other = {blob_id: sha256('two content'), content_length: 11};
	sender.journal.noteHash(known, [other]);
	const again = await sendAll(folder, sender);
	expect(again.files[0]?.blobs).toEqual(known.blobs);
	expect((await blobsIn(lake)).blobs.has(other.blob_id)).toBe(false);
});

test('a folder that never comes to rest is given up in a sentence', async () => {
	const folder = await setting('restless', {data: 'x', other: 'y'});
	let edits = 0;
	proxy.onPut = async exchange => {
		await exchange.forward();
		await writeFile(file(folder, 'data'), `edit ${edits++}`);
	};
	await expect(sendAll(folder, await senderTo(through))).rejects.toThrow(
		`data changed while it was sent, 4 times in a row. Wait until nothing writes to ${folder}; the same command then resumes from here`,
	);
});

test('an upload that was broken off goes on without sending a confirmed blob again', async () => {
	const folder = await setting('broken-off', manyFiles(60, 'broken off', 4000));
	const stop = new AbortController();
	proxy.onPut = async exchange => {
		await exchange.forward();
		if (exchange.nth === 20) stop.abort(new Error('broken off'));
	};
	await expect(sendAll(folder, await senderTo(through, {signal: stop.signal}))).rejects.toThrow('broken off');
	proxy.onPut = undefined;
	await proxy.quiet();
	const {files} = await sendAll(folder, await senderTo(through));
	expect(files).toHaveLength(60);
	expect(sentAgain(proxy.puts)).toEqual([]);
});

test('the rate is kept by all that is sent at once', async () => {
	const folder = await setting('slow', manyFiles(8, 'slow', 20_000));
	const began = performance.now();
	await sendAll(folder, await senderTo(through, {bytesPerSecond: 200_000}));
	expect(performance.now() - began).toBeGreaterThan(750);
});

test('a file that is moved away while it is sent is sent from where it is found then', async () => {
	const folder = await setting('moved', {'a/one': 'to be moved', two: 'stays'});
	proxy.onPut = async exchange => {
		await exchange.forward();
		if (exchange.nth === 1) await rename(file(folder, 'a'), file(folder, 'b'));
	};
	const {files} = await sendAll(folder, await senderTo(through));
	expect(files.map(({path: name}) => name)).toEqual(['b/one', 'two']);
});
