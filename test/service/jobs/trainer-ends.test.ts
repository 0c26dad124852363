import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {ended, started, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();
const lake = home.lake();
let service: JoinedService;

beforeEach(async () => {
	service = await home.serve({lake});
});

const post = (path: string) => call(service, path, {method: 'POST'});
const stop = (jobId: string) => post(`/local/v1/jobs/${jobId}/stop`);
const restart = (jobId: string) => post(`/local/v1/jobs/${jobId}/restart`);

/** The processes of the session that a trainer led; those that have ended and are not yet buried are none. */
function sessionOf(pid: number | null): string[] {
	const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name));
	return numbers.filter(name => {
		try {
			const text = readFileSync(`/proc/${name}/stat`, 'utf8');
			const [state, , , session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
			return session === `${pid}` && state !== 'Z';
		} catch {
			return false;
		}
	});
}
const checkpoints = (jobId: string) =>
	readdirSync(path.join(lake, 'jobs', jobId, 'output/checkpoints')).sort();

test('a trainer that dies goes on from its last checkpoint, and the retry is an event', async () => {
	const job = await until(service, await started(service, {name: 'dies at 30'}), ended);
	expect(job).toMatchObject({status: 'completed', retries: 1, step: 40, checkpoint: {step: 40}});
	expect(job.command).toContain('--resume=true');
	expect(job.command.find(word => word.startsWith('--config_path='))).toContain('checkpoints/000020/');
	const events = job.phases.find(({name}) => name === 'training')?.events ?? [];
	expect(events).toContainEqual({
		timestamp: expect.any(String),
		retry_attempt: 1,
		note: expect.stringMatching(/exit code 1: torch\.OutOfMemoryError.*checkpoint at step 20/),
	});
	expect(job.phases.find(({name}) => name === 'dataset')?.events).toEqual([
		{timestamp: expect.any(String)},
		{timestamp: expect.any(String), retry_attempt: 1},
	]);
});

test('one that is killed before any checkpoint begins anew', async () => {
	const job = await until(
		service,
		await started(service, {name: 'is killed at 10, once'}),
		({retries}) => retries > 0,
	);
	await stop(job.job_id);
	const after = await until(service, job.job_id, ended);
	expect(job.message).toContain('Begun again from its beginning, retry 1 of 3');
	expect(after.command).not.toContain('--resume=true');
});

test('one that dies each time fails after a bounded number of tries, with its last words', async () => {
	const job = await until(service, await started(service, {name: 'dies each time'}), ended);
	expect(job).toMatchObject({
		status: 'failed',
		current_phase: 'training',
		retries: 3,
		pid: null,
		model: null,
	});
	expect(job.message).toMatch(/exit code 1: torch\.OutOfMemoryError: CUDA out of memory.*last of 4 tries/);
	expect(job.phases.find(({name}) => name === 'training')?.status).toBe('failed');
});

test('one that leaves no checkpoint yields no model, and says so', async () => {
	const job = await until(service, await started(service, {name: 'forgets'}), ended);
	expect(job).toMatchObject({
		status: 'failed',
		model: null,
		message: expect.stringContaining('no checkpoint'),
	});
});

test('a training ends at its hours, and its model is the last checkpoint', async () => {
	const jobId = await started(service, {hours: 4 / 3600, vla_hyper_spec: {log_freq: 5, save_freq: 60}});
	const job = await until(service, jobId, ended);
	expect(job).toMatchObject({status: 'completed', steps: 100_000});
	expect(job.message).toMatch(/hours that it was given are over; the model is its checkpoint at step \d+/);
	// Its hours are four seconds, and its steps would take minutes.
	const spent = Date.parse(job.ended_at ?? '') - Date.parse(job.started_at ?? '');
	expect(spent).toBeLessThan(20_000);
	expect(job.model?.path).toContain(`checkpoints/${String(job.checkpoint?.step).padStart(6, '0')}/`);
});

test('a trial of seconds that nobody tuned reaches its first checkpoint, and yields a model', async () => {
	const job = await until(service, await started(service, {hours: 3 / 3600, vla_hyper_spec: {}}), ended);
	expect(job).toMatchObject({status: 'completed', model: {path: expect.stringContaining('checkpoints/')}});
});

test('hours that have room for no checkpoint yield no model, and say what to change', async () => {
	const vla_hyper_spec = {save_freq: 100_000};
	const job = await until(service, await started(service, {hours: 1 / 3600, vla_hyper_spec}), ended);
	expect(job).toMatchObject({status: 'failed', model: null});
	expect(job.message).toMatch(/hours that it was given are over.*Give it more hours, or a smaller save_freq/);
});

test('a job that is stopped is cancelled, its trainer gone, and goes on from its checkpoint when restarted', async () => {
	const jobId = await started(service, {name: 'waits at 30'});
	const running = await until(service, jobId, ({checkpoint, step}) => checkpoint?.step === 20 && step === 30);
	expect((await restart(jobId)).status).toBe(409);
	expect((await stop(jobId)).status).toBe(202);
	const stopped = await until(service, jobId, ended);
	expect(stopped).toMatchObject({status: 'cancelled', pid: null, model: null});
	expect(stopped.message).toBe('Stopped at step 30. It can be started again from its checkpoint at step 20.');
	await expect.poll(() => sessionOf(running.pid)).toEqual([]);
	expect((await stop(jobId)).status).toBe(409);

	expect((await restart(jobId)).status).toBe(202);
	const again = await until(service, jobId, ({status, step}) => status === 'running' && step === 30);
	expect(again.command).toContain('--resume=true');
	await stop(jobId);
	const after = await until(service, jobId, ended);
	expect(after.phases.find(({name}) => name === 'training')?.events.map(({note}) => note)).toContain(
		'restarted',
	);
});

test('a trainer that does not hear that it is to end is killed', async () => {
	const jobId = await started(service, {name: 'deaf, waits at 10'});
	const running = await until(service, jobId, ({step}) => step === 10);
	await stop(jobId);
	expect((await until(service, jobId, ended)).status).toBe('cancelled');
	await expect.poll(() => sessionOf(running.pid)).toEqual([]);
});

test('a job that has done all its steps is not started again', async () => {
	const job = await until(service, await started(service), ended);
	const answer = await restart(job.job_id);
	expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('all its 40 steps')]);
});

test('a queued job is stopped without having run', async () => {
	const running = await started(service, {name: 'waits at 10'});
	const queued = await started(service);
	expect((await stop(queued)).json()).toMatchObject({status: 'cancelled', started_at: null});
	await stop(running);
	await until(service, running, ended);
});

test('old checkpoints are removed where their frequency is not the caller’s, and kept where it is', async () => {
	const hyper = {steps: 3500, log_freq: 500};
	const pruned = await started(service, {name: 'hurries', vla_hyper_spec: hyper});
	const kept = await started(service, {name: 'hurries', vla_hyper_spec: {...hyper, save_freq: 900}});
	const last = await until(service, pruned, ended);
	expect([last.step, last.checkpoint?.step]).toEqual([3500, 3500]);
	expect(checkpoints(pruned)).toEqual(['003000', '003500', 'last']);
	await until(service, kept, ended);
	expect(checkpoints(kept)).toEqual(['000900', '001800', '002700', '003500', 'last']);
});

test('GET, stop, restart and log of an unknown job are refused', async () => {
	const path = '/local/v1/jobs/0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
	const answers = await Promise.all([
		call(service, path),
		call(service, `${path}/log`),
		post(`${path}/stop`),
		post(`${path}/restart`),
	]);
	expect(answers.map(({status}) => status)).toEqual([404, 404, 404, 404]);
	expect(answers.map(answer => typeof answer.json<{detail: unknown}>().detail)).toEqual(
		Array(4).fill('string'),
	);
});

/** Whether the worker runs that a trainer has in another session. */
function workerRuns(jobId: string): boolean {
	const pid = readFileSync(path.join(lake, 'jobs', jobId, 'worker'), 'utf8').trim();
	try {
		return !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

test('a stop ends a worker that has left the trainer’s session too', async () => {
	const jobId = await started(service, {name: 'leaves, waits at 10'});
	await until(service, jobId, ({step}) => step === 10);
	expect(workerRuns(jobId)).toBe(true);
	await stop(jobId);
	const job = await until(service, jobId, ended);
	expect(job).toMatchObject({status: 'cancelled', message: expect.stringContaining('Stopped at step 10')});
	await expect.poll(() => workerRuns(jobId)).toBe(false);
});

test('a worker that has left the session of a trainer that hears nothing ends with it at the hours', async () => {
	const fields = {name: 'leaves, deaf', hours: 4 / 3600, vla_hyper_spec: {log_freq: 5, save_freq: 60}};
	const job = await until(service, await started(service, fields), ended);
	expect(job.status).toBe('completed');
	await expect.poll(() => workerRuns(job.job_id)).toBe(false);
});
