import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {refused} from '../hosted-service/faults.ts';
import {jobAt} from '../hosted-service/jobs.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {type Environment, ended, programHome} from './support/program.ts';

const home = programHome();
const id = '00000000-0000-4000-8000-000000000001';
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: 10});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return () => service.close();
});

afterEach(() => service.setFault('*'));

const lines = (text: string) => text.trimEnd().split('\n');

/** Starts a command and gathers what it prints. */
function follow(args: readonly string[], env: Environment = hosted) {
	const child = home.start(args, env);
	let printed = '';
	child.stdout?.setEncoding('utf8').on('data', chunk => {
		printed += chunk;
	});
	const end = ended(child);
	const says = (text: string | RegExp) =>
		expect.poll(() => printed, {timeout: 15_000, interval: 20}).toMatch(text);
	return {child, end, says, printed: () => printed};
}

test('finetune prints phases, durations, retries and events; --json the service’s answer', async () => {
	const job_id = [...service.state.jobs.keys()][1] ?? '';
	const {code, stdout, stderr} = await home.run(['finetune', job_id], {...hosted, TZ: 'UTC'});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toMatch(/^job +\S+\nstatus +completed · uploading\nran for +2 h 0 m\n/);
	expect(stdout).toMatch(/^provisioning +completed +1 h 0 m/m);
	expect(stdout).toMatch(/^training +completed +1 h 0 m +1 +1$/m);
	expect(stdout).toContain('events, in UTC');
	expect(stdout).toMatch(/^2025-03-17 10:00:00 +training +retry 1$/m);
	const json = await home.run(['finetune', job_id, '--json'], hosted);
	expect(JSON.parse(json.stdout)).toEqual(service.state.jobs.get(job_id));
});

test('augmentation shows the result under whatever name it has', async () => {
	const job_id = [...service.state.augmentations.keys()][1] ?? '';
	service.setFault('GET /v1/augmentation/{job_id}', ({send}) =>
		send({status: 200, json: {...service.state.augmentations.get(job_id), resulting_set: 'acme/more'}}),
	);
	const {stdout} = await home.run(['augmentation', job_id], hosted);
	service.setFault('GET /v1/augmentation/{job_id}');
	expect(stdout).toMatch(/^resulting_set acme\/more$/m);
});

test('a fine-tune is watched through a retry to completed, which the exit code tells', async () => {
	service.state.jobs.set(id, jobAt(id, 'queued', 0));
	const onEnd =
		'printf %s "$LAKESCOPE_KIND $LAKESCOPE_ID $LAKESCOPE_STATE $LAKESCOPE_OUTCOME" > ended; echo noise';
	const watched = follow(['finetune', id, '--watch', '--on-end', onEnd]);
	await watched.says(/status +queued · provisioning/);
	await expect.poll(() => service.state.events.subscribers).toBe(1);
	service.state.jobs.set(id, jobAt(id, 'running', 1));
	service.state.events.publish({data: {job_id: id}});
	await watched.says(/training: retry 1\n/);
	await watched.says(/running · training\n/);
	service.state.events.drop();
	service.state.jobs.set(id, jobAt(id, 'completed', 2));
	const {code, stderr} = await watched.end;
	expect(code).toBe(0);
	expect(lines(watched.printed()).at(-1)).toMatch(/ {2}completed · uploading after 2 h 0 m$/);
	expect(watched.printed()).not.toContain('noise');
	expect(stderr).toBe('noise\n');
	expect(await readFile(home.at('ended'), 'utf8')).toBe(`finetune ${id} completed good`);
});

test.each(['failed', 'cancelled'] as const)(
	'a job that ends as %s ends its watching with 1',
	async status => {
		service.state.augmentations.set(id, jobAt(id, status, 1));
		const {code, stdout} = await home.run(['augmentation', id, '--watch', '--json'], hosted);
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({job_id: id, status});
	},
);

test('sync-status --watch --json prints one line a change, phases that nobody knows as they come', async () => {
	const states = [
		{phase: 'preparing', done: false, progress_json: '{"episodes_done": 1, "total_episodes": 4}'},
		{phase: 'polishing', done: false},
		{phase: 'finalized', done: true, generation: 3, episode_count: 4, total_frames: 2n ** 60n},
	];
	const [first, ...others] = states;
	if (first) service.state.syncs.set(id, first);
	const watched = follow(['sync-status', id, '--watch', '--json']);
	await watched.says(/preparing/);
	for (const state of others) {
		service.state.syncs.set(id, state);
		await watched.says(state.phase);
	}
	expect((await watched.end).code).toBe(0);
	const printed = lines(watched.printed());
	expect(printed.map(line => JSON.parse(line).phase)).toEqual(['preparing', 'polishing', 'finalized']);
	expect(printed.at(-1)).toContain(`"total_frames":${2n ** 60n}`);
});

test('an outage in the middle is waited out, and is said', async () => {
	service.state.syncs.set(id, {phase: 'preparing', done: false});
	const watched = follow(['sync-status', id, '--watch']);
	await watched.says(/phase +preparing/);
	service.setFault('*', refused(503));
	const asked = service.requests.length;
	await expect.poll(() => service.requests.length, {timeout: 15_000}).toBeGreaterThan(asked + 3);
	service.state.syncs.set(id, {phase: 'failed', done: true, message: 'The data is\u202e broken'});
	service.setFault('*');
	const {code, stdout, stderr} = await watched.end;
	expect(code).toBe(1);
	expect(lines(watched.printed()).at(-1)).toMatch(/ {2}failed: The data is.* broken$/);
	expect(stdout + stderr + watched.printed()).not.toContain('\u202e');
});

test('^C ends the watching with 130, and --on-end is left', async () => {
	service.state.syncs.set(id, {phase: 'preparing', done: false});
	const watched = follow(['sync-status', id, '--watch', '--on-end', 'touch wrong']);
	await watched.says(/preparing/);
	watched.child.kill('SIGINT');
	expect(await watched.end).toMatchObject({code: 130, stderr: ''});
	await expect(readFile(home.at('wrong'))).rejects.toThrow();
});

test('an --on-end that fails is said, and ends with 1', async () => {
	service.state.syncs.set(id, {phase: 'finalized', done: true});
	const {code, stderr} = await home.run(['sync-status', id, '--watch', '--on-end', 'exit 7'], hosted);
	expect({code, stderr}).toEqual({code: 1, stderr: 'The command of --on-end ended with 7.\n'});
});

test.each([
	[['finetune'], 2, 'takes one id'],
	[['finetune', id, id], 2, 'takes one id'],
	[['finetune', 'nope'], 2, '"nope" is not an id: an id is a UUID'],
	[['sync-status', 'nope'], 2, 'lakescope uploads lists them.'],
	[['sync-status', id, '--on-end', 'x'], 2, '--on-end goes with --watch.'],
	[['augmentation', '00000000-0000-4000-8000-00000000000e'], 1, 'with 404: Unknown job'],
	[
		['jobs', '--watch'],
		2,
		'--watch belongs to lakescope finetune, augmentation and sync-status, not to lakescope jobs.',
	],
])('%j ends with %i and says why', async (args, code, words) => {
	const end = await home.run(args, hosted);
	expect(end).toMatchObject({code, stdout: ''});
	expect(end.stderr).toContain(words);
});

test('an ingest of the embedded service is followed to its end; one that failed ends with 1', async () => {
	const lake = home.at('lake');
	const folder = await smallDataset(home.at('many'), {episodes: 150, frames: 200});
	const serve = home.start(['serve', '--lake', lake], {LAKESCOPE_API_KEY: 'own-key'});
	let said = '';
	serve.stdout?.setEncoding('utf8').on('data', chunk => {
		said += chunk;
	});
	try {
		await expect.poll(() => said, {timeout: 15_000}).toMatch(/listening http\S+\n/);
		const url = said.match(/http\S+/)?.[0] ?? '';
		const order = async (body: object) => {
			const answer = await fetch(`${url}/local/v1/ingests`, {
				method: 'POST',
				headers: {'x-api-key': 'own-key', 'content-type': 'application/json'},
				body: JSON.stringify(body),
			});
			return ((await answer.json()) as {operation_id: string}).operation_id;
		};
		const operation = await order({folder});
		const watched = await home.run(['sync-status', operation, '--watch', '--json', '--lake', lake]);
		expect([watched.code, watched.stderr]).toEqual([0, '']);
		expect(JSON.parse(lines(watched.stdout).at(-1) ?? '')).toMatchObject({
			phase: 'finalized',
			done: true,
			episode_count: 150,
			total_frames: 30_000,
		});
		const broken = await smallDataset(home.at('broken'));
		await writeFile(path.join(broken, 'data/chunk-000/file-000.parquet'), 'PAR1 and nothing more PAR1');
		const bad = await order({folder: broken});
		const failed = await home.run(['sync-status', bad, '--watch', '--lake', lake]);
		expect(failed.code).toBe(1);
		expect(failed.stdout).toMatch(/failed/);
	} finally {
		serve.kill('SIGTERM');
		await ended(serve);
	}
});
