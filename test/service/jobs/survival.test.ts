import {fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test, vi} from 'vitest';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {processesOver} from '../support/service-home.ts';
import {ended, jobOf, letGo, started, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();

const servicesOver = (lake: string) => processesOver(`--lake\0${lake}\0`);

const isAlive = (pid: number | null) => pid !== null && existsSync(`/proc/${pid}`);

/** Ends a service, and waits until it has gone. */
async function end(service: JoinedService, lake: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	process.kill(service.pid, signal);
	await expect.poll(() => servicesOver(lake), {timeout: 10_000}).toEqual([]);
}

/** A training that stays at step 10 until it is let go. */
async function waiting(service: JoinedService) {
	const jobId = await started(service, {name: 'waits at 10'});
	return until(service, jobId, ({step}) => step === 10);
}

test('a service that nobody holds stays while a job runs, and ends after it', async () => {
	const lake = home.lake();
	const service = await home.serve({lake});
	const {job_id} = await waiting(service);
	service.leave();
	// Longer than the grace of these tests' services, and nothing to wait for: that it ends is what must not happen.
	await expect(vi.waitUntil(() => servicesOver(lake).length === 0, {timeout: 1500})).rejects.toThrow();
	await letGo(lake, job_id);
	await expect.poll(() => servicesOver(lake), {timeout: 20_000}).toEqual([]);
	const next = await home.serve({lake});
	expect((await jobOf(next, job_id)).status).toBe('completed');
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
	'a trainer outlives its service ended by %s, and the next one goes on with it',
	async signal => {
		const lake = home.lake();
		const first = await home.serve({lake});
		const before = await waiting(first);
		await end(first, lake, signal);
		expect(isAlive(before.pid)).toBe(true);
		const second = await home.serve({lake});
		const adopted = await jobOf(second, before.job_id);
		expect(adopted).toMatchObject({status: 'running', pid: before.pid, retries: 0, step: 10});
		await letGo(lake, before.job_id);
		const after = await until(second, before.job_id, ended);
		expect(after).toMatchObject({status: 'completed', step: 40, checkpoint: {step: 40}, retries: 0});
		const begun = after.phases.map(({events}) => events.filter(({note}) => note === undefined).length);
		expect(begun).toEqual([1, 1, 1, 1, 1]);
	},
);

test('a trainer that ended while there was no service has ended, with what it left', async () => {
	const lake = home.lake();
	const first = await home.serve({lake});
	const done = await waiting(first);
	await end(first, lake, 'SIGKILL');
	await letGo(lake, done.job_id);
	await expect.poll(() => isAlive(done.pid), {timeout: 20_000}).toBe(false);
	const second = await home.serve({lake});
	const after = await until(second, done.job_id, ended);
	expect(after).toMatchObject({status: 'completed', step: 40, retries: 0, model: {path: expect.any(String)}});
});

test('one that was killed while there was no service is begun again by the next', async () => {
	const lake = home.lake();
	const first = await home.serve({lake});
	const jobId = await started(first, {name: 'waits at 25'});
	const before = await until(first, jobId, ({step}) => step === 25);
	await end(first, lake, 'SIGKILL');
	process.kill(-(before.pid ?? 0), 'SIGKILL');
	await expect.poll(() => isAlive(before.pid), {timeout: 20_000}).toBe(false);
	const second = await home.serve({lake});
	await letGo(lake, before.job_id);
	const after = await until(second, before.job_id, ended);
	expect(after).toMatchObject({status: 'completed', step: 40, retries: 1});
	expect(after.command).toContain('--resume=true');
});

test('a trainer that its service was killed before starting is begun once, and not as a retry', async () => {
	const lake = home.lake();
	const first = await home.serve({lake});
	const before = await waiting(first);
	const jobId = await started(first);
	await end(first, lake, 'SIGKILL');
	await letGo(lake, before.job_id);
	const dying = fork(path.join(import.meta.dirname, '../support/dies-at-launch.ts'), [lake, jobId], {
		execArgv: [],
	});
	expect(await once(dying, 'exit')).toEqual([null, 'SIGKILL']);
	const second = await home.serve({lake});
	const after = await until(second, jobId, ended);
	expect(after).toMatchObject({status: 'completed', step: 40, retries: 0});
	const begun = after.phases.map(({events}) => events.filter(({note}) => note === undefined).length);
	expect(begun).toEqual([1, 1, 1, 1, 1]);
	expect(readFileSync(after.log.path, 'utf8').match(/End of training/g)).toHaveLength(1);
});

test('a job in the queue waits on for the next service', async () => {
	const lake = home.lake();
	const first = await home.serve({lake});
	const running = await waiting(first);
	const queued = await started(first);
	await end(first, lake, 'SIGKILL');
	const second = await home.serve({lake});
	expect((await jobOf(second, queued)).status).toBe('queued');
	await letGo(lake, running.job_id);
	expect((await until(second, queued, ended)).status).toBe('completed');
});

test('a job whose folder cannot be written fails and says so, and the next one runs', async () => {
	const lake = home.lake();
	const service = await home.serve({lake});
	const first = await waiting(service);
	const blocked = await started(service, {name: 'blocked'});
	const free = await started(service, {name: 'free'});
	await writeFile(path.join(lake, 'jobs', blocked), 'in the way');
	await letGo(lake, first.job_id);
	const after = await until(service, blocked, ended);
	expect(after).toMatchObject({status: 'failed', message: expect.stringContaining('could not be started')});
	expect((await until(service, free, ended)).status).toBe('completed');
	await rm(path.join(lake, 'jobs', blocked));
});
