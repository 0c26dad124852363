import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	exitCodeOf,
	isRunning,
	launchTrainer,
	signalTrainer,
} from '../../../source/service/jobs/trainer/trainer-process.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-process-'));
afterAll(() => rmSync(folder, {recursive: true}));
beforeAll(() => {
	process.env.LAKESCOPE_API_KEY = 'secret';
});

let launches = 0;

/** Runs a line of shell as a trainer. */
async function launch(script: string, seconds = 60, onStarted = () => {}) {
	const name = `${++launches}`;
	const files = {logFile: path.join(folder, `${name}.log`), exitFile: path.join(folder, `${name}.exit`)};
	const command = ['/bin/sh', '-c', script];
	const run = await launchTrainer({command, folder, seconds, onStarted, ...files});
	return {run, ...files};
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

test('it leads a session of its own, and does not see the service’s key', async () => {
	const trainer = await launch('cat /proc/$PPID/stat; env');
	await ended(trainer);
	const [stat = '', ...environment] = readFileSync(trainer.logFile, 'utf8').split('\n');
	const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	expect([group, session]).toEqual([`${trainer.run.pid}`, `${trainer.run.pid}`]);
	expect(environment).toContain('PYTHONUNBUFFERED=1');
	expect(environment.join()).not.toContain('secret');
});

test('it is ended at its time though nobody watches, with its exit code kept', async () => {
	expect(await ended(await launch('exec sleep 60', 0.2))).toBe(143);
});

test('one that cannot be run says so by its exit code', async () => {
	expect(await ended(await launch('exec /no/such/trainer'))).toBe(127);
});

test('it does not begin when its process could not be written down', async () => {
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
	await signalTrainer(other, 'SIGKILL');
	expect(await isRunning(trainer.run)).toBe(true);
	await signalTrainer(trainer.run, 'SIGKILL');
	expect(await ended(trainer)).toBeUndefined();
});
