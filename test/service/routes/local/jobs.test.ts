import {expect, test} from 'vitest';
import {localJob} from '../../../../source/contract/local-jobs.ts';
import {call} from '../../support/call.ts';
import {ended, started, trainingHome, until} from '../../support/training-home.ts';

const home = trainingHome();

test('a rehearsal is stopped, read with its log, and restarted; a job that has ended is not stopped again', async () => {
	process.env.LAKESCOPE_REHEARSAL_MS = '600000';
	const service = await home.serve({trainer: undefined});
	const id = await started(service);
	await until(service, id, ({current_phase}) => current_phase === 'rehearsal: provisioning');
	const post = async (action: string) => {
		const {status, json} = await call(service, `/local/v1/jobs/${id}/${action}`, {method: 'POST'});
		return {status, body: json<Record<string, unknown>>()};
	};
	const stopping = await post('stop');
	expect(stopping.status).toBe(202);
	localJob.parse(stopping.body);
	const stopped = await until(service, id, ended);
	expect(stopped).toMatchObject({status: 'cancelled', message: 'The rehearsal was stopped.'});
	const log = (await call(service, `/local/v1/jobs/${id}/log?offset=0&limit=4096`)).json();
	expect(log).toMatchObject({job_id: id, text: expect.stringContaining('begins a rehearsal')});
	expect(await post('stop')).toEqual({
		status: 409,
		body: {detail: 'The job has ended already: it is cancelled.'},
	});
	expect(await post('restart')).toMatchObject({status: 202, body: {job_id: id}});
	await until(service, id, ({status}) => status === 'running');
	await post('stop');
	await until(service, id, ended);
}, 180_000);

test('a job that is not there is absent; the machine and the trainer are described', async () => {
	const service = await home.serve({trainer: undefined});
	const unknown = crypto.randomUUID();
	const detail = `There is no job ${unknown} in this lake.`;
	for (const [method, tail] of [
		['GET', ''],
		['GET', '/log'],
		['POST', '/stop'],
		['POST', '/restart'],
	] as const) {
		const {status, json} = await call(service, `/local/v1/jobs/${unknown}${tail}`, {method});
		expect([status, json()]).toEqual([404, {detail}]);
	}
	expect((await call(service, '/local/v1/machine')).json()).toMatchObject({
		disk: {free_bytes: expect.any(Number)},
	});
	expect((await call(service, '/local/v1/trainer')).json()).toMatchObject({command: null});
	expect((await call(service, '/local/v1/trainer/options')).json()).toMatchObject({is_asking: false});
}, 180_000);
