import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {changed, empty, html, refused} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {type Environment, programHome} from './support/program.ts';

type Finding = {state: string; subject: string; words: string; ms?: number; breaches?: unknown[]};
type Report = {exit_code: number; sections: {title: string; findings: Finding[]}[]};

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: 30});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return () => service.close();
});

afterEach(() => service.setFault('*'));

async function report(env: Environment, args: readonly string[] = []) {
	const {code, stdout, stderr} = await home.run(['doctor', '--json', ...args], env);
	const {exit_code, sections} = JSON.parse(stdout) as Report;
	expect({exit_code, stderr}).toEqual({exit_code: code, stderr: ''});
	const findings = sections.flatMap(section => section.findings);
	return {code, findings, find: (subject: string) => findings.find(each => each.subject === subject)};
}

test('a sound service is found sound, nothing is changed, and the key is not shown', async () => {
	const before = service.requests.length;
	const {code, stdout} = await home.run(['doctor'], {...hosted, LAKESCOPE_ACCOUNT_ID: service.account});
	expect(code).toBe(0);
	expect(stdout).toContain(`service    ${service.url} (LAKESCOPE_URL)`);
	expect(stdout).toMatch(/key {8}from LAKESCOPE_API_KEY, \d+ characters/);
	expect(stdout).toContain(`${service.account} (LAKESCOPE_ACCOUNT_ID)`);
	expect(stdout).toMatch(/ok {2}POST \/v1\/datasets\/explore .*\d+ ms/);
	expect(stdout).toContain('not called');
	expect(stdout).not.toContain(service.key);
	const called = service.requests.slice(before).map(({method, path}) => `${method} ${path}`);
	expect(called.filter(call => call.startsWith('POST')).toSorted()).toEqual([
		'POST /v1/datasets/explore',
		'POST /v1/finetune/hyperparams/validate',
	]);
	expect(called).toContain('GET /v1/events');
});

test('where an answer breaks the interface it is said: endpoint, path, expected and found', async () => {
	service.setFault(
		'GET /v1/jobs/list',
		changed(body => ({...(body as object), items: [{job_id: 7, project_id: null}]})),
	);
	service.setFault(
		'POST /v1/datasets/explore',
		changed(body => ({...(body as object), total: 'many'})),
	);
	service.setFault('GET /v1/models/list', html(200));
	service.setFault('GET /v1/projects/list', empty(500));
	try {
		const {code, find} = await report(hosted);
		expect(code).toBe(5);
		expect(find('POST /v1/datasets/explore')).toMatchObject({
			state: 'breach',
			breaches: [{path: 'total', expected: expect.stringContaining('integer'), found: 'string many'}],
		});
		expect(find('GET /v1/jobs/list')).toMatchObject({
			state: 'breach',
			breaches: [{path: 'items[0]', expected: expect.stringContaining('job_id'), found: expect.any(String)}],
		});
		expect(find('GET /v1/models/list')).toMatchObject({state: 'breach', breaches: [{found: 'HTML'}]});
		expect(find('GET /v1/projects/list')).toMatchObject({state: 'breach'});
		expect(find('GET /v1/datasets/list')).toMatchObject({state: 'ok'});
		const {stdout} = await home.run(['doctor'], hosted);
		expect(stdout).toMatch(
			/!! {2}POST \/v1\/datasets\/explore .*\n {8}total: expected .*, found string many\n/,
		);
	} finally {
		for (const route of [
			'GET /v1/jobs/list',
			'POST /v1/datasets/explore',
			'GET /v1/models/list',
			'GET /v1/projects/list',
		] as const)
			service.setFault(route);
	}
});

test('a refused key ends with 4, a failing service with 1, nobody there with 3', async () => {
	const key = await report({...hosted, LAKESCOPE_API_KEY: 'wrong-key'});
	expect(key.code).toBe(4);
	expect(key.find('GET /v1/jobs/list')).toMatchObject({state: 'refused'});
	service.setFault('*', refused(500, 'out of order'));
	expect((await report(hosted)).code).toBe(1);
	const nobody = await report({...hosted, LAKESCOPE_URL: 'http://127.0.0.1:9'});
	expect(nobody.code).toBe(3);
	expect(nobody.findings.filter(({state}) => state === 'unreachable')).toHaveLength(1);
	const notKept = await report({...hosted, LAKESCOPE_URL: 'http://192.0.2.1'});
	expect([notKept.code, notKept.find('POST /v1/datasets/explore')?.words]).toEqual([
		4,
		expect.stringContaining('is not sent over plain http'),
	]);
});

test('an address where the interface is not is no sound service', async () => {
	service.setFault('*', refused(404, 'Not Found'));
	const {code, find} = await report(hosted);
	expect(code).toBe(1);
	for (const lost of ['POST /v1/datasets/explore', 'GET /v1/jobs/list', 'GET /v1/events']) {
		expect(find(lost)).toMatchObject({
			state: 'problem',
			words: expect.stringContaining("Is this the service's address?"),
		});
	}
	expect(find('GET /v1/finetune/{job_id}')).toMatchObject({state: 'ok'});
});

test('a key file that others may read is named', async () => {
	const file = home.at('config', 'lakescope', 'key');
	await mkdir(home.at('config', 'lakescope'), {recursive: true});
	await writeFile(file, service.key);
	await chmod(file, 0o644);
	const {LAKESCOPE_URL} = hosted;
	const {code, find} = await report({LAKESCOPE_URL});
	expect([code, find('key')]).toMatchObject([4, {state: 'refused', words: expect.stringContaining(file)}]);
	await chmod(file, 0o600);
	const kept = await report({LAKESCOPE_URL});
	expect([kept.code, kept.find('key')?.words]).toMatchObject([
		0,
		expect.stringContaining('~/config/lakescope/key'),
	]);
});

test('the embedded service keeps its own shapes too, and an empty lake is looked at without a sample', async () => {
	const lake = home.at('lake');
	const empty = await report({}, ['--lake', lake]);
	expect(empty.code).toBe(0);
	const folder = await smallDataset(home.at('cups'));
	expect((await home.run(['ingest', '--lake', lake, folder])).code).toBe(0);
	const {code, findings, find} = await report({}, ['--lake', lake]);
	expect(findings.filter(({state}) => !['ok', 'note'].includes(state))).toEqual([]);
	expect(code).toBe(0);
	expect(find('GET /v1/datasets/sync-status/{operation_id}')?.words).toBe('answers');
	expect(find('service')?.words).toBe('embedded, the lake in ~/lake (--lake)');
});

test('a lake that cannot be opened is unreachable, with the reason', async () => {
	const lake = home.at('lake-broken');
	await mkdir(lake, {recursive: true});
	await writeFile(`${lake}/lake.duckdb`, 'no database');
	const {code, find} = await report({}, ['--lake', lake]);
	expect([code, find('embedded service')]).toMatchObject([
		3,
		{state: 'unreachable', words: expect.stringContaining(lake)},
	]);
});
