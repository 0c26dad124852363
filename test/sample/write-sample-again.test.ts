import {createHash} from 'node:crypto';
import {cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {writeSample} from '../../source/sample/write-sample.ts';
import {freshFolder} from '../lerobot/write-support.ts';

const two = ['aloha-insert-battery-1', 'g1-open-drawer-1'];

/** Those two, written once without interruption. */
let sample: string;

beforeAll(async () => {
	sample = await mkdtemp(path.join(tmpdir(), 'lakescope-sample-'));
	await writeSample(sample, {datasets: two});
});

afterAll(() => rm(sample, {recursive: true, force: true}));

/** What every file under a folder holds. */
async function digests(folder: string): Promise<Record<string, string>> {
	const files = await readdir(folder, {recursive: true, withFileTypes: true});
	const found: Record<string, string> = {};
	for (const file of files.filter(entry => entry.isFile())) {
		const full = path.join(file.parentPath, file.name);
		found[path.relative(folder, full)] = createHash('sha256')
			.update(await readFile(full))
			.digest('hex');
	}
	return found;
}

test('gives the same bytes', async () => {
	const folder = await freshFolder();
	await writeSample(folder, {datasets: two});
	expect(await digests(folder)).toEqual(await digests(sample));
});

test('leaves what is wholly there as it is, and counts it as done', async () => {
	const folder = await freshFolder();
	await cp(sample, folder, {recursive: true});
	const before = await stat(path.join(folder, 'g1-open-drawer-1/meta/info.json'));
	const done: number[] = [];
	const folders = await writeSample(folder, {datasets: two, onProgress: count => done.push(count)});
	expect((await stat(path.join(folder, 'g1-open-drawer-1/meta/info.json'))).mtimeMs).toBe(before.mtimeMs);
	expect(done).toEqual([70, 160]);
	expect(folders.map(each => path.basename(each))).toEqual(['aloha-insert-battery-1', 'g1-open-drawer-1']);
});

test('after an interruption leaves no half dataset, and goes on where it was', async () => {
	const folder = await freshFolder();
	const controller = new AbortController();
	const writing = writeSample(folder, {
		datasets: two,
		signal: controller.signal,
		onProgress: done => done === 100 && controller.abort(),
	});
	await expect(writing).rejects.toThrow(/abort/i);
	expect(await readdir(folder)).toEqual(['aloha-insert-battery-1']);
	const first = await stat(path.join(folder, 'aloha-insert-battery-1/README.md'));
	await writeSample(folder, {datasets: two});
	expect((await readdir(folder)).sort()).toEqual([...two].sort());
	expect((await stat(path.join(folder, 'aloha-insert-battery-1/README.md'))).mtimeMs).toBe(first.mtimeMs);
	expect(await digests(folder)).toEqual(await digests(sample));
});

test('clears away what a killed run left half', async () => {
	const folder = await freshFolder();
	const half = path.join(folder, '.g1-open-drawer-1.partial-4194305-x');
	await mkdir(path.join(half, 'meta'), {recursive: true});
	await writeSample(folder, {datasets: ['g1-open-drawer-1']});
	expect(await readdir(folder)).toEqual(['g1-open-drawer-1']);
});

test('replaces a dataset of another version of the sample', async () => {
	const folder = await freshFolder();
	const target = path.join(folder, 'g1-open-drawer-1');
	await mkdir(target);
	await writeFile(path.join(target, 'README.md'), 'Sample data, simulated by lakescope (seed “older”).');
	await writeFile(path.join(target, 'old.txt'), '');
	await writeSample(folder, {datasets: ['g1-open-drawer-1']});
	expect(await digests(target)).toEqual(await digests(path.join(sample, 'g1-open-drawer-1')));
});

test('never touches a folder that is not the sample’s', async () => {
	const folder = await freshFolder();
	const target = path.join(folder, 'g1-open-drawer-1');
	await mkdir(target);
	await writeFile(path.join(target, 'README.md'), '# my own recording');
	await expect(writeSample(folder, {datasets: ['g1-open-drawer-1']})).rejects.toThrow(
		`${target} is in the sample's way`,
	);
	expect(await readdir(target)).toEqual(['README.md']);
});
