import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {jobStatus} from '../../../source/contract/job-status.ts';
import {ownModelList} from '../../../source/contract/own-lists.ts';
import {standIn} from '../../support/trainer/stand-in.ts';
import {call} from '../support/call.ts';
import {processesOver} from '../support/service-home.ts';
import {ended, order, started, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();
const phases = ['provisioning', 'dataset', 'model', 'training', 'saving'].map(name => `rehearsal: ${name}`);

test('without a trainer a fine-tune is a rehearsal, which says so everywhere and yields no model', async () => {
	const service = await home.serve({trainer: undefined});
	expect((await call(service, '/local/v1/trainer')).json()).toEqual({
		command: null,
		message: expect.stringContaining('There is no trainer on this machine'),
	});
	const answer = await order(service);
	const created = answer.json<{job_id: string; message: string}>();
	expect([answer.status, created.message]).toEqual([
		200,
		expect.stringMatching(/rehearsal.*no model.*LAKESCOPE_TRAINER/),
	]);
	const early = jobStatus.parse((await call(service, `/v1/finetune/${created.job_id}`)).json());
	expect(early).toMatchObject({rehearsal: true, current_phase: expect.stringMatching(/^rehearsal: /)});

	const job = await until(service, created.job_id, ended);
	expect(job).toMatchObject({
		status: 'completed',
		rehearsal: true,
		current_phase: 'rehearsal: saving',
		message: expect.stringContaining('rehearsal'),
		model: null,
		command: [],
		pid: null,
		step: null,
		steps: null,
	});
	expect(job.phases.map(({name}) => name)).toEqual(phases);
	const notes = job.phases.flatMap(({events}) => events.map(({note}) => note));
	expect([...new Set(notes)]).toEqual(['rehearsal']);
	expect(readFileSync(job.log.path, 'utf8')).toContain('[lakescope] rehearsal: training');
	const listed = (await call(service, '/v1/jobs/list')).json<{items: unknown[]}>().items;
	expect(listed).toMatchObject([{rehearsal: true, current_phase: 'rehearsal: saving'}]);
	expect(ownModelList.parse((await call(service, '/v1/models/list')).json()).items).toEqual([]);
});

test('a service that runs sees a trainer that its caller’s PATH has, and trains with it', async () => {
	const service = await home.serve({trainer: undefined});
	const notify = (body: object) => call(service, '/local/v1/trainer/environment', {body});
	const found = await notify({PATH: `relative:${path.dirname(standIn)}:/usr/bin`, VIRTUAL_ENV: '/venv'});
	expect(found.json()).toEqual({command: [standIn], message: expect.stringContaining('found on the PATH')});
	const job = await until(service, await started(service), ended);
	expect(job).toMatchObject({
		rehearsal: false,
		status: 'completed',
		command: expect.arrayContaining([standIn]),
	});
	// What the service itself started with is not lost by a caller who has less.
	expect((await notify({PATH: '/nowhere'})).json()).toMatchObject({command: null});
	const ran = await until(service, await started(service), ended);
	expect(ran.rehearsal).toBe(true);
	for (const body of [{}, {PATH: 3}, {PATH: '/a', LD_PRELOAD: '/b'}]) {
		expect((await notify(body)).status).toBe(422);
	}
});

test('a rehearsal goes on after its service was killed, and can be stopped', async () => {
	const lake = home.lake();
	const first = await home.serve({lake, trainer: undefined});
	const jobId = await started(first);
	process.kill(first.pid, 'SIGKILL');
	await expect.poll(() => processesOver(`--lake\0${lake}\0`)).toEqual([]);
	const second = await home.serve({lake, trainer: undefined});
	const job = await until(second, jobId, ended);
	expect(job.status).toBe('completed');
	expect(job.phases.map(({events}) => events.length)).toEqual([1, 1, 1, 1, 2]);

	const other = await started(second);
	await call(second, `/local/v1/jobs/${other}/stop`, {method: 'POST'});
	expect(await until(second, other, ended)).toMatchObject({
		status: 'cancelled',
		rehearsal: true,
		message: 'The rehearsal was stopped.',
	});
	await call(second, `/local/v1/jobs/${other}/restart`, {method: 'POST'});
	expect((await until(second, other, ended)).status).toBe('completed');
});

test('a trainer that is configured and cannot be run is told of, and not rehearsed', async () => {
	const missing = path.join(home.root, 'no such trainer');
	const service = await home.serve({trainer: missing});
	const answer = await order(service);
	expect(answer.status).toBe(503);
	expect(answer.json()).toEqual({detail: expect.stringMatching(/LAKESCOPE_TRAINER.*no such file/)});
	expect((await call(service, '/v1/jobs/list')).json()).toMatchObject({items: []});
});
