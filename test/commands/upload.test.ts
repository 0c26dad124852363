import {createHash} from 'node:crypto';
import {createReadStream, readFileSync} from 'node:fs';
import {mkdir, readdir, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {processesOver} from '../service/support/service-home.ts';
import {cutFooter} from '../support/dataset-damage.ts';
import {dataFile, writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();
const lines = (text: string) => text.trimEnd().split('\n');
const camera = 'observation.images.front';
const video = `videos/${camera}/chunk-000/file-000.mp4`;

/** A dataset with a camera, whose video is empty unless it is given a size. */
async function dataset(name: string, {videoBytes = 0, episodes = 3} = {}): Promise<string> {
	const folder = home.at('datasets', name);
	await writeLerobotDataset(folder, {
		episodes: Array.from({length: episodes}, () => ({frames: 45})),
		cameras: [camera],
		episodesPerFile: 1,
	});
	if (videoBytes > 0) {
		await writeFile(path.join(folder, video), `video of ${name}`);
		await truncate(path.join(folder, video), videoBytes);
	}
	return folder;
}

async function hashOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
	return hash.digest('hex');
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
	return Object.fromEntries(
		await Promise.all(files.map(async file => [path.relative(folder, file), await hashOf(file)])),
	);
}

/** The embedded services over a lake; the commands that use it name it as well. */
function servicesOver(lake: string): number[] {
	return processesOver(lake).filter(pid =>
		readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('embedded-service'),
	);
}

/** The folder that the embedded service made of a dataset. */
async function folderInLake(lake: string, name: string): Promise<string> {
	const {stdout} = await home.run(['datasets', '--lake', lake, '--json']);
	const {items} = JSON.parse(stdout) as {items: {path: string; metadata?: {folder?: string}}[]};
	return items.find(item => item.path === `local/${name}`)?.metadata?.folder ?? '';
}

test('a dataset is uploaded and ingested, and its episodes are there', async () => {
	const folder = await dataset('pushes', {videoBytes: 33_554_432 + 77});
	const lake = home.at('lake');
	const first = await home.run(['upload', '--lake', lake, folder]);
	expect(first).toMatchObject({code: 0, stdout: 'pushes: 3 episodes, 135 frames\n'});
	expect(lines(first.stderr)).toEqual(
		expect.arrayContaining([
			'pushes: checking',
			'pushes: committing',
			expect.stringMatching(/^pushes: 7 files, 32 MiB sent in 8 blobs, 0 B needed no sending$/),
		]),
	);
	const episodes = await home.run(['episodes', '--lake', lake, '--jsonl', 'dataset:pushes']);
	expect(lines(episodes.stdout).map(line => JSON.parse(line).episode_index)).toEqual([0, 1, 2]);
	const made = await folderInLake(lake, 'pushes');
	expect(made.startsWith(lake)).toBe(true);
	expect(await contentsOf(made)).toEqual(await contentsOf(folder));
	const again = await home.run(['upload', '--lake', lake, folder]);
	expect(again).toMatchObject({
		code: 0,
		stdout: 'pushes: 3 episodes, 135 frames, as generation 2, unchanged\n',
	});
	expect(again.stderr).toContain('pushes: 7 files, 0 B sent in 0 blobs, 32 MiB needed no sending');
	const ids = (text: string) => lines(text).map(line => JSON.parse(line).episode_id);
	const after = await home.run(['episodes', '--lake', lake, '--jsonl', 'dataset:pushes']);
	expect(ids(after.stdout)).toEqual(ids(episodes.stdout));
	// Nothing of a whole upload needs to be remembered.
	expect(await readdir(home.at('state', 'lakescope', 'uploads'))).toEqual([]);
	expect(await readdir(home.at('cache', 'lakescope', 'trials'))).toEqual([]);
});

test('--name names the dataset, and a name that a folder of this machine has is refused', async () => {
	const folder = await dataset('named');
	const lake = home.at('lake-named');
	expect(await home.run(['upload', '--lake', lake, '--name', 'other', folder])).toMatchObject({
		code: 0,
		stdout: 'other: 3 episodes, 135 frames\n',
	});
	// A service that is about to end is no matter of this test.
	const ingest = await home.run(['ingest', '--lake', lake, folder], {LAKESCOPE_SERVICE_GRACE_MS: '3000'});
	expect([ingest.code, ingest.stderr]).toEqual([0, expect.any(String)]);
	const taken = await home.run(['upload', '--lake', lake, folder]);
	expect(taken).toMatchObject({code: 1, stdout: ''});
	expect(taken.stderr).toContain('named: The lake has a dataset named named already');
	expect(taken.stderr).toContain('--name NAME');
	const checked = await home.run(['check', '--lake', lake, folder]);
	expect(checked.code).toBe(1);
	expect(checked.stdout).toContain(`The lake has a dataset named named already, from ${folder}`);
	// The explorer says the same, where no flag can be given.
	expect(checked.stdout).toContain('needs another name: lakescope upload DIR --name NAME.');
	// The name of an upload is the upload's own: another one goes on from it.
	const other = await home.run(['check', '--lake', lake, '--name', 'other', folder]);
	expect(other.stdout).toMatch(/^other: /);
	expect(other.stdout).not.toContain('already');
	const again = await home.run(['ingest', '--lake', lake, folder]);
	expect(again.stdout).toBe('named: 3 episodes, 135 frames, as generation 2, unchanged\n');
});

test('a dataset that would lose something is not sent, but with --force the rest of it is', async () => {
	const folder = await dataset('hurt');
	await cutFooter(folder, dataFile(1));
	await symlink('/etc/hostname', path.join(folder, 'outside'));
	const lake = home.at('lake-hurt');
	const refusal = await home.run(['upload', '--lake', lake, folder]);
	expect(refusal).toMatchObject({code: 1, stdout: ''});
	for (const sentence of [
		'hurt: 1 file cannot be sent',
		'hurt: 1 of its 3 episodes would be left out',
		'outside is a link that leaves the dataset',
		'has no parquet footer',
		'hurt: nothing was sent. --force sends the rest.',
	])
		expect(refusal.stderr).toContain(sentence);
	expect((await home.run(['datasets', '--lake', lake, '--json'])).stdout).toContain('"items":[]');
	const forced = await home.run(['upload', '--lake', lake, '--force', folder]);
	expect(forced).toMatchObject({code: 0, stdout: 'hurt: 2 episodes, 90 frames\n'});
});

test('what is no dataset cannot be forced', async () => {
	const folder = await dataset('hollow');
	await rm(path.join(folder, 'data'), {recursive: true});
	const {code, stdout, stderr} = await home.run(['upload', '--lake', home.at('lake-x'), '--force', folder]);
	expect({code, stdout}).toEqual({code: 1, stdout: ''});
	expect(stderr).toContain('hollow: Nothing of ');
	await mkdir(home.at('empty'));
	const none = await home.run(['upload', '--lake', home.at('lake-x'), 'empty']);
	expect(none).toMatchObject({code: 1, stdout: ''});
	expect(none.stderr).toContain('empty holds no LeRobot dataset');
});

test('^C stops the sending and says how to go on; the same command does, with what is missing', async () => {
	const folder = await dataset('stopped', {videoBytes: 3_000_000});
	const lake = home.at('lake-stopped');
	const child = home.start(['upload', '--lake', lake, '--limit-rate', '200K', folder]);
	const end = ended(child);
	child.stderr?.on('data', chunk => {
		if (String(chunk).includes('sending')) child.kill('SIGINT');
	});
	const {code, stdout, stderr} = await end;
	expect({code, stdout}).toEqual({code: 130, stdout: ''});
	expect(lines(stderr).at(-1)).toBe('stopped: stopped. What was sent is kept; the same command continues.');
	expect(await home.run(['upload', '--lake', lake, folder])).toMatchObject({
		code: 0,
		stdout: 'stopped: 3 episodes, 135 frames\n',
	});
});

test('an embedded service that is killed meanwhile is started again, and the upload goes on', async () => {
	const folder = await dataset('survives', {videoBytes: 1_500_000});
	const lake = home.at('lake-survives');
	const child = home.start(['upload', '--lake', lake, '--limit-rate', '1M', folder]);
	const end = ended(child);
	let killed = false;
	child.stderr?.on('data', chunk => {
		if (killed || !String(chunk).includes('sending')) return;
		killed = true;
		for (const pid of servicesOver(lake)) process.kill(pid, 'SIGKILL');
	});
	const {code, stdout, stderr} = await end;
	expect(stderr).toContain('survives: the embedded service stopped; another one continues.');
	expect({code, stdout}).toEqual({code: 0, stdout: 'survives: 3 episodes, 135 frames\n'});
});

test.each([
	[['upload'], 'Name a folder: lakescope upload DIR…'],
	[['upload', 'nowhere'], 'There is no folder nowhere.'],
	[['upload', '--sample', '.'], 'datasets cannot be uploaded to it'],
	[['upload', '--read-only', '.'], 'read-only'],
	[['upload', '--limit-rate', '10MB', '.'], '--limit-rate takes bytes a second, such as 500K, 10M or 1G'],
	[['check', '--force', '.'], '--force belongs to lakescope upload'],
])('%j is a usage error that says what is wrong', async (args, sentence) => {
	const {code, stdout, stderr} = await home.run(args);
	expect(stderr).toContain(sentence);
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
});
