import {afterEach, beforeAll, expect, test} from 'vitest';
import {refused} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {type Environment, programHome} from './support/program.ts';

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: 10});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return () => service.close();
});

afterEach(() => service.setFault('*'));

/** What the service itself answers. */
async function ask(path: string): Promise<{items: Record<string, unknown>[]}> {
	const answer = await fetch(service.url + path, {headers: {'x-api-key': service.key}});
	return (await answer.json()) as {items: Record<string, unknown>[]};
}

const lines = (text: string) => text.trimEnd().split('\n');

test.each(['jobs', 'models', 'projects'])('%s --json is the service’s own answer', async name => {
	const {code, stdout, stderr} = await home.run([name, '--json'], hosted);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(JSON.parse(stdout)).toEqual(await ask(`/v1/${name}/list`));
});

test('jobs shows the status of each, which is asked for, and the options that are on, in words', async () => {
	const {code, stdout} = await home.run(['jobs'], hosted);
	expect(code).toBe(0);
	const [titles, ...rows] = lines(stdout);
	expect(titles).toMatch(/^job +status +phase +project +options$/);
	const {items} = await ask('/v1/jobs/list');
	expect(rows).toHaveLength(items.length);
	for (const [index, {job_id, use_rabc}] of items.entries()) {
		const job = service.state.jobs.get(String(job_id));
		expect(rows[index]).toMatch(new RegExp(`^${job_id} +${job?.status} +${job?.current_phase} `));
		expect(rows[index]?.endsWith(' reward-aware')).toBe(use_rabc === true);
		expect(rows[index]).not.toMatch(/=|_/);
	}
});

test('jobs tells what a job was launched with in words, and not when each of it changed', async () => {
	const job = {
		job_id: '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10',
		project_id: '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a11',
		status: 'running',
		hours: 2,
		batch_size: 32,
		step: 40,
		steps: 100,
		steps_per_second: 2.512,
		use_rabc: false,
		rehearsal: true,
		step_at: '2026-11-01T10:00:00Z',
		gpus: 8,
		is_preemptible: true,
	};
	service.setFault('GET /v1/jobs/list', ({send}) => send({status: 200, json: {items: [job]}}));
	const {stdout} = await home.run(['jobs'], hosted);
	service.setFault('GET /v1/jobs/list');
	expect(lines(stdout)[1]).toMatch(
		/ 2 h, batch 32, step 40 of 100, 2\.51 steps\/s, rehearsal, gpus=8, is_preemptible$/,
	);
});

test('a status that cannot be had costs the listing nothing else', async () => {
	service.setFault('GET /v1/finetune/{job_id}', refused(404, 'Unknown job'));
	const {code, stdout} = await home.run(['jobs'], hosted);
	service.setFault('GET /v1/finetune/{job_id}');
	expect(code).toBe(0);
	expect(lines(stdout)[1]).toMatch(/^\S+ +\? /);
});

test('a limit is kept to, and that there may be more is said', async () => {
	const {code, stdout, stderr} = await home.run(['models', '--limit', '2'], hosted);
	expect(code).toBe(0);
	expect(lines(stdout)).toHaveLength(3);
	expect(stderr).toContain('These are the first 2; there may be more: --limit N.');
	// More than a page of this service holds.
	expect(lines((await home.run(['models', '--limit', '500'], hosted)).stdout)).toHaveLength(4);
	const zero = await home.run(['jobs', '--limit', '0'], hosted);
	expect(zero).toMatchObject({code: 2, stdout: ''});
});

test('a service that takes no limit is asked without one', async () => {
	service.setFault('GET /v1/models/list', async ({request, settle, send}) => {
		if (!('limit' in request.query)) return send(await settle());
		send({status: 422, json: {detail: [{loc: ['query', 'limit'], msg: 'unknown', type: 'extra'}]}});
	});
	const {code, stdout} = await home.run(['models', '--json', '--limit', '2'], hosted);
	service.setFault('GET /v1/models/list');
	expect(code).toBe(0);
	expect(JSON.parse(stdout).items).toHaveLength(2);
});

test('pages are followed by their cursor, and one that goes round is left', async () => {
	const {items} = await ask('/v1/models/list');
	const page = (endless: boolean) => {
		service.setFault('GET /v1/models/list', ({request, send}) => {
			const at = Number(request.query.cursor ?? 0);
			const has_next = endless || at + 1 < items.length;
			const end_cursor = String(endless ? 0 : at + 1);
			send({status: 200, json: {items: [items[at]], page_info: {has_next, end_cursor}}});
		});
	};
	page(false);
	const {stdout} = await home.run(['models', '--json'], hosted);
	expect(JSON.parse(stdout)).toEqual({items, page_info: {has_next: false, end_cursor: String(items.length)}});
	page(true);
	const endless = await home.run(['models', '--json'], hosted);
	service.setFault('GET /v1/models/list');
	expect(endless.code).toBe(1);
	expect(endless.stderr).toContain('the same page of its listing again and again');
});

test('what a listing does not take is a usage error', async () => {
	expect(await home.run(['jobs', 'mine'], hosted)).toMatchObject({
		code: 2,
		stderr: 'lakescope: lakescope jobs takes no "mine".\n',
	});
});

test('uploads of a hosted service: that it has no list of them is said', async () => {
	const {code, stdout, stderr} = await home.run(['uploads'], hosted);
	expect({code, stdout}).toEqual({code: 1, stdout: ''});
	expect(stderr).toContain(`${service.url} does not list uploads: the interface has no such call.`);
	expect(stderr).toContain('lakescope sync-status ID --watch');
});

test('the embedded service lists its uploads and ingests; what it has none of is said', async () => {
	const lake = home.at('lake');
	const none = await home.run(['jobs', '--lake', lake]);
	expect(none).toMatchObject({code: 0, stdout: '', stderr: 'There are no jobs.\n'});
	const folder = await smallDataset(home.at('push'), {episodes: 2});
	await home.run(['ingest', '--lake', lake, folder]);
	const table = await home.run(['uploads', '--lake', lake]);
	expect(table.stderr).toBe('');
	expect(lines(table.stdout)[1]).toMatch(
		/^push +ingest +finalized +2 episodes, 120 frames +\d{4}-\d\d-\d\d /,
	);
	const json = await home.run(['uploads', '--json', '--lake', lake]);
	const {items} = JSON.parse(json.stdout);
	expect(items).toMatchObject([{dataset_name: 'push', kind: 'ingest', phase: 'finalized', folder}]);
});
