import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import type {Job} from '../../../source/service/jobs/records/job.ts';
import {JobFolder} from '../../../source/service/jobs/records/job-folder.ts';
import {localTrainer} from '../../../source/service/jobs/trainers/local.ts';
import {
	endProcessesOf,
	exitCodeOf,
	isRunning,
	launchTrainer,
	signalTrainer,
} from '../../../source/service/jobs/trainers/trainer-process.ts';
import {settleTraining, type TrainingTools} from '../../../source/service/jobs/training.ts';
import {keepFilesPrivate} from '../../../source/service/workers/child-environment.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-process-'));
const jobs: string[] = [];
afterAll(async () => {
	await Promise.all(jobs.map(jobId => endProcessesOf(jobId)));
	rmSync(folder, {recursive: true});
});
beforeAll(() => {
	process.env.LAKESCOPE_API_KEY = 'secret';
	process.env.LAKESCOPE_CLICKHOUSE_PASSWORD = 'secret';
	process.env.LAKESCOPE_CLICKHOUSE_URL = 'http://lab:secret@clickhouse.lab:8123';
	process.env.WANDB_API_KEY = 'its-own';
});

let launches = 0;

/** Runs a line of shell as a trainer. */
async function launch(script: string, seconds = 60, onStarted = () => {}) {
	const name = `${++launches}`;
	const files = {logFile: path.join(folder, `${name}.log`), exitFile: path.join(folder, `${name}.exit`)};
	const command = ['/bin/sh', '-c', script];
	const jobId = crypto.randomUUID();
	jobs.push(jobId);
	const run = await launchTrainer({jobId, command, folder, seconds, onStarted, ...files});
	return {run, jobId, ...files};
}

async function ended({run, exitFile}: Awaited<ReturnType<typeof launch>>) {
	await expect.poll(() => isRunning(run), {timeout: 10_000}).toBe(false);
	return exitCodeOf(exitFile);
}

test('a trainer’s exit code reaches the disk, and what it prints the log', async () => {
	const trainer = await launch('echo out; echo err >&2; exit 7');
	expect(await ended(trainer)).toBe(7);
	expect(readFileSync(trainer.logFile, 'utf8')).toBe('out\nerr\n');
});

test('it leads a session of its own, and sees no key or password of the service’s, but its own', async () => {
	const trainer = await launch('cat /proc/$PPID/stat; env');
	await ended(trainer);
	const [stat = '', ...environment] = readFileSync(trainer.logFile, 'utf8').split('\n');
	const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	expect([group, session]).toEqual([`${trainer.run.pid}`, `${trainer.run.pid}`]);
	expect(environment).toContain('PYTHONUNBUFFERED=1');
	expect(environment).toContain('WANDB_API_KEY=its-own');
	expect(environment.join()).not.toContain('secret');
});

test('it is ended at its time though nobody watches, with its exit code kept', async () => {
	expect(await ended(await launch('exec sleep 60', 0.2))).toBe(143);
});

test('what it makes follows the person’s umask, while its log and exit code are for them alone', async () => {
	const before = process.umask(0o002);
	const end = keepFilesPrivate();
	try {
		const trainer = await launch('touch made');
		await ended(trainer);
		const files = [path.join(folder, 'made'), trainer.logFile, trainer.exitFile];
		expect(files.map(file => (statSync(file).mode & 0o777).toString(8))).toEqual(['664', '600', '600']);
	} finally {
		end();
		process.umask(before);
	}
});

test('one that cannot be run says so by its exit code', async () => {
	expect(await ended(await launch('exec /no/such/trainer'))).toBe(127);
});

test('it does not begin when its process could not be recorded', async () => {
	const marker = path.join(folder, 'began');
	const fail = () => {
		throw new Error('disk full');
	};
	await expect(launch(`touch ${marker}`, 60, fail)).rejects.toThrow('disk full');
	const after = await launch('true');
	await ended(after);
	expect(existsSync(marker)).toBe(false);
});

test('a process that has its number but started at another time is left alone', async () => {
	const trainer = await launch('sleep 60');
	const other = {...trainer.run, started: `${Number(trainer.run.started) - 1}`};
	expect(await isRunning(other)).toBe(false);
	await signalTrainer(other, trainer.jobId, 'SIGKILL');
	expect(await isRunning(trainer.run)).toBe(true);
	await signalTrainer(trainer.run, trainer.jobId, 'SIGKILL');
	expect(await ended(trainer)).toBeUndefined();
});

/** A trainer whose worker leads a session of its own and hears no SIGTERM, as a stuck worker of torchrun's. */
async function withWorker(then: string, seconds = 60) {
	const file = path.join(folder, `worker-${launches + 1}`);
	const worker = `trap "" TERM; echo $$ >${file}.part && mv ${file}.part ${file}; while :; do sleep 1; done`;
	const script = `setsid sh -c '${worker}' & while [ ! -e ${file} ]; do sleep 0.01; done; ${then}`;
	const trainer = await launch(script, seconds);
	await expect.poll(() => existsSync(file), {timeout: 10_000}).toBe(true);
	const pid = Number(readFileSync(file, 'utf8'));
	return {...trainer, worker: pid, isAlive: () => isAlive(pid)};
}

function isAlive(pid: number): boolean {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		return text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3) !== 'Z';
	} catch {
		return false;
	}
}

test('at its hours a worker in a session of its own is ended too, though nobody watches', async () => {
	const trainer = await withWorker('exec sleep 60', 1);
	expect(await ended(trainer)).toBe(143);
	await expect.poll(trainer.isAlive).toBe(false);
});

test('a trainer that ends by itself leaves no worker in another session', async () => {
	const trainer = await withWorker('exit 3');
	expect(await ended(trainer)).toBe(3);
	await expect.poll(trainer.isAlive).toBe(false);
});

test('a worker whose trainer was killed with all its group is found by the job, and ended', async () => {
	const trainer = await withWorker('exec sleep 60');
	const other = await withWorker('exec sleep 60');
	process.kill(-trainer.run.pid, 'SIGKILL');
	await ended(trainer);
	expect(trainer.isAlive()).toBe(true);
	expect(await endProcessesOf(trainer.jobId)).toEqual([]);
	await expect.poll(trainer.isAlive).toBe(false);
	expect(other.isAlive()).toBe(true);
	await endProcessesOf(other.jobId);
});

test('a job whose worker does not die says which process stays, and ends all the same', async () => {
	const trainer = await withWorker('exec sleep 60');
	process.kill(-trainer.run.pid, 'SIGKILL');
	await ended(trainer);
	let job = {jobId: trainer.jobId, status: 'running', ending: 'stop', phases: []} as unknown as Job;
	const lines: string[] = [];
	const store = {
		require: () => job,
		change: (_: string, changes: Partial<Job>) => {
			job = {...job, ...changes};
			return job;
		},
	};
	// As one that waits for a device that does not answer: it takes no signal.
	const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
	const tools = {
		store,
		folder: new JobFolder(folder, trainer),
		trainer: localTrainer(),
		log: (line: string) => lines.push(line),
	} as unknown as TrainingTools;
	expect(await settleTraining(trainer.jobId, tools).finally(() => kill.mockRestore())).toBe('over');
	expect(job.status).toBe('cancelled');
	// The worker may have a process of its own at that moment, which is then named too.
	const words = new RegExp(`Process(es)? .*\\b${trainer.worker}\\b.* of it did not end when killed`);
	expect(job.message).toMatch(words);
	expect(lines.join()).toMatch(words);
	await endProcessesOf(trainer.jobId);
});
