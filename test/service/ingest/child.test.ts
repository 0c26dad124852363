import {type ChildProcess, spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {editInfo} from '../../support/dataset-damage.ts';
import {dataFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {readStaging, requestFor, workFolder} from './ingest-run.ts';

const childProgram = path.resolve(import.meta.dirname, '../../../source/service/ingest/child.ts');

let folder: Awaited<ReturnType<typeof workFolder>>;
let staging: string;
beforeEach(async () => {
	folder = await workFolder();
	staging = path.join(folder.root, 'staging');
	await mkdir(staging);
});
afterEach(() => folder.remove());

type Report = Record<string, unknown> & {type: string};

async function runChild(input: string): Promise<{reports: Report[]; code: number | null; errors: string}> {
	const child = spawn(process.execPath, [childProgram], {stdio: ['pipe', 'pipe', 'pipe']});
	child.stdin.end(input);
	const [said, errors, code] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>(resolve => child.once('close', resolve)),
	]);
	const reports = said
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line) as Report);
	return {reports, code, errors};
}

const ask = (dataset = folder.dataset) => `${JSON.stringify(requestFor(dataset, staging))}\n`;

/** The sentence with which a child gives up. */
async function failure(input: string): Promise<unknown> {
	const {reports, code} = await runChild(input);
	expect(code).toBe(0);
	expect(reports.at(-1)?.type).toBe('failed');
	return reports.at(-1)?.message;
}

describe('the ingest child', () => {
	test('reports its progress, its problems and its end, and leaves nothing but what it hands over', async () => {
		await writeLerobotDataset(folder.dataset, {episodes: [{}, {}, {}, {}], episodesPerFile: 2});
		await rm(path.join(folder.dataset, dataFile(1)));
		const {reports, code, errors} = await runChild(ask());
		expect([code, errors]).toEqual([0, '']);
		expect(reports[0]).toEqual({
			type: 'progress',
			done: 0,
			total: 0,
			unit: 'episodes',
			step: 'reading metadata',
			detail: 'meta/info.json',
		});
		expect(reports.filter(({type}) => type === 'problem')).toEqual([
			{
				type: 'problem',
				file: dataFile(1),
				message: `${dataFile(1)} is missing, so that episodes 2–3 are left out.`,
			},
		]);
		expect(reports.at(-2)).toMatchObject({type: 'progress', step: 'writing', total: 4});
		expect(reports.at(-1)).toEqual({type: 'done', episode_count: 2, total_frames: 120});
		expect((await readdir(staging)).sort()).toEqual(['channels.parquet', 'dataset.json', 'episodes.parquet']);
		expect((await readStaging(staging)).episodes).toHaveLength(2);
	});

	test('says of a dataset in a version before v2.0 how to go on', async () => {
		await writeLerobotDataset(folder.dataset);
		await editInfo(folder.dataset, info => Object.assign(info, {codebase_version: 'v1.6'}));
		expect(await failure(ask())).toMatch(
			/cubes is a LeRobot v1\.6 dataset; lakescope reads v3\.0, v2\.1 and v2\.0\. Convert it with the scripts/,
		);
	});

	test('says of a folder that is none, of a file, and of any other folder that it is no dataset', async () => {
		expect(await failure(ask(path.join(folder.root, 'nowhere')))).toMatch(/^There is no folder .*nowhere\.$/);
		const file = path.join(folder.root, 'file');
		await writeFile(file, '');
		expect(await failure(ask(file))).toMatch(/is a file, not a dataset\. Give the folder/);
		expect(await failure(ask(folder.root))).toMatch(/is not a LeRobot dataset: it has no meta\/info\.json/);
	});

	test.each(['v3.0', 'v2.1'])('refuses a dataset of %s without an episode', async version => {
		await mkdir(path.join(folder.dataset, 'meta'), {recursive: true});
		const info = {codebase_version: version, fps: 30, features: {}};
		await writeFile(path.join(folder.dataset, 'meta/info.json'), JSON.stringify(info));
		const {reports, code} = await runChild(ask());
		expect([code, reports.at(-1)]).toEqual([
			0,
			{type: 'failed', message: expect.stringContaining(`${folder.dataset} holds no episode`)},
		]);
	});

	test('gives up where none of the counted episodes is there', async () => {
		await writeLerobotDataset(folder.dataset);
		await rm(path.join(folder.dataset, 'data'), {recursive: true});
		expect(await failure(ask())).toBe(
			`Nothing of ${folder.dataset} can be read. None of its 2 episodes is there. ${dataFile()} is missing, so that episodes 0–1 are left out.`,
		);
	});

	test('says that the hand-over cannot be written', async () => {
		await writeLerobotDataset(folder.dataset);
		await mkdir(path.join(staging, 'channels.parquet', 'in the way'), {recursive: true});
		expect(await failure(ask())).toMatch(/could not be ingested: .*channels\.parquet/);
	});

	test('refuses a request that is none', async () => {
		expect(await failure('{"folder": "/tmp"}\n')).toMatch(/wrong operation_id/);
		expect(await failure('')).toMatch(/no request/);
	});
});

test('an ingest child ends when the service that started it is killed', async () => {
	const service = spawn(
		process.execPath,
		[
			'-e',
			// The child inherits a stdin that stays open, as if its request were still to come.
			`const child = require('node:child_process').spawn(process.execPath, [process.argv[1]], {detached: true, stdio: ['inherit', 'ignore', 'ignore']});
			console.log(child.pid);`,
			childProgram,
		],
		{stdio: ['pipe', 'pipe', 'inherit']},
	);
	try {
		const pid = Number(await firstLine(service));
		expect(isRunning(pid)).toBe(true);
		service.kill('SIGKILL');
		await vi.waitFor(() => expect(isRunning(pid)).toBe(false), {timeout: 20_000, interval: 50});
	} finally {
		service.kill('SIGKILL');
		service.stdin.destroy();
	}
});

async function firstLine(program: ChildProcess): Promise<string> {
	return new Promise(resolve => program.stdout?.once('data', data => resolve(String(data).trim())));
}

/** A process that ended but whose parent has not asked yet still has its number; it does not run. */
function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}
