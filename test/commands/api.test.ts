import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {html, refused, reset} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {type Environment, ended, programHome} from './support/program.ts';

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: 30});
	hosted = {
		LAKESCOPE_URL: service.url,
		LAKESCOPE_API_KEY: service.key,
		LAKESCOPE_ACCOUNT_ID: service.account,
	};
	return () => service.close();
});

afterEach(() => service.setFault('*'));

test('a GET prints what the service answers, byte for byte, and ends with 0', async () => {
	const path = '/v1/datasets/list?limit=2&sort=name';
	const answer = await fetch(service.url + path, {headers: {'x-api-key': service.key}});
	const {code, stdout, stderr} = await home.run(['api', 'get', path], hosted);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toBe(await answer.text());
});

test('a body comes from a file or from standard input, and the account goes where it belongs', async () => {
	const file = home.at('request.json');
	await writeFile(file, '{"limit": 1, "offset": 4}');
	const fromFile = await home.run(['api', 'POST', '/v1/datasets/explore', '--input', file], hosted);
	expect(JSON.parse(fromFile.stdout)).toMatchObject({page_limit: 1, page_offset: 4});
	const explored = service.requests.at(-1);
	expect(explored?.query).toEqual({account_id: service.account});
	expect(explored?.headers['content-type']).toBe('application/json');

	const child = home.start(['api', 'POST', '/v1/datasets/explore', '--input', '-'], hosted, [], 'pipe');
	child.stdin?.end('{"limit": 2}');
	expect(JSON.parse((await ended(child)).stdout)).toMatchObject({page_limit: 2});

	await home.run(['api', 'GET', '/v1/datasets/list'], hosted);
	expect(service.requests.at(-1)?.query).toEqual({});
	const own = '/v1/datasets/defs/0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d?account_id=';
	await home.run(['api', 'GET', `${own}${service.account}`, '--account', 'another'], hosted);
	expect(service.requests.at(-1)?.query).toEqual({account_id: service.account});
});

test('a named pipe that nobody writes to is given up with a sentence, as input and as configuration', async () => {
	const folder = home.at('unwritten/lakescope');
	const [input, config] = [path.join(folder, 'input'), path.join(folder, 'config.json')];
	await mkdir(folder, {recursive: true});
	execFileSync('mkfifo', [input, config]);
	const refused = await home.run(['api', 'POST', '/v1/datasets/explore', '--input', input], hosted);
	expect([refused.code, refused.stderr]).toEqual([
		2,
		`lakescope: The input ${input} cannot be read: it is a named pipe, and nothing was written to it within 5 s.\n`,
	]);
	const unread = {...hosted, XDG_CONFIG_HOME: home.at('unwritten')};
	const listed = await home.run(['api', 'GET', '/v1/datasets/list'], unread);
	expect(listed.stderr).toContain(
		`${config} cannot be read: it is a named pipe, and nothing was written to it within 5 s.`,
	);
	expect([listed.code, JSON.parse(listed.stdout)]).toEqual([
		0,
		expect.objectContaining({items: expect.anything()}),
	]);
});

test('named pipes that are written to are read: input, configuration, and a key as from <(pass show KEY)', async () => {
	const folder = home.at('written/lakescope');
	const [input, config, key] = ['input', 'config.json', 'piped-key'].map(name => path.join(folder, name));
	await mkdir(folder, {recursive: true});
	execFileSync('mkfifo', ['-m', '600', input, config, key] as string[]);
	const env = {LAKESCOPE_URL: service.url, XDG_CONFIG_HOME: home.at('written')};
	const answer = home.run(['api', 'POST', '/v1/datasets/explore', '--input', input ?? ''], env);
	// Each is opened for writing only once somebody reads it, as by a shell.
	await Promise.all([
		writeFile(config ?? '', JSON.stringify({keyFile: key})),
		writeFile(key ?? '', `${service.key}\n`),
		writeFile(input ?? '', '{"limit": 3}'),
	]);
	const {code, stdout} = await answer;
	expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({page_limit: 3})]);
});

test('an error is printed as it came, with its status on stderr and in the exit code', async () => {
	const invalid = await home.run(['api', 'GET', '/v1/datasets/list?limit=0'], hosted);
	expect(invalid.code).toBe(1);
	expect(JSON.parse(invalid.stdout)).toMatchObject({detail: [{loc: ['query', 'limit']}]});
	expect(invalid.stderr).toBe('lakescope: GET /v1/datasets/list?limit=0: 422 Unprocessable Entity\n');
	const key = await home.run(['api', 'GET', '/v1/jobs/list'], {...hosted, LAKESCOPE_API_KEY: 'wrong'});
	expect(key.code).toBe(4);
	expect(JSON.parse(key.stdout)).toEqual({detail: expect.any(String)});
	service.setFault('*', refused(503, 'later'));
	expect((await home.run(['api', 'GET', '/v1/jobs/list'], hosted)).code).toBe(1);
	service.setFault('*', html(200));
	expect(await home.run(['api', 'GET', '/v1/jobs/list'], hosted)).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^<!doctype html>/),
	});
	service.setFault('*', reset);
	expect((await home.run(['api', 'GET', '/v1/jobs/list'], hosted)).code).toBe(3);
	const nobody = await home.run(['api', 'GET', '/v1/jobs/list', '--url', 'http://127.0.0.1:9']);
	expect(nobody).toMatchObject({code: 3, stdout: ''});
});

test('a call that changes something is sent once, and none at all while read-only', async () => {
	const before = service.requests.length;
	service.setFault('*', reset);
	const args = ['api', 'POST', '/v1/projects', '--input', home.at('request.json')];
	expect((await home.run(args, hosted)).code).toBe(3);
	expect(service.requests.length).toBe(before + 1);
	service.setFault('*');
	const refusal = await home.run([...args, '--read-only'], hosted);
	expect(refusal).toMatchObject({code: 2, stdout: ''});
	expect(refusal.stderr).toContain('is not sent while lakescope is read-only');
	expect(service.requests.length).toBe(before + 1);
	const explore = ['api', 'POST', '/v1/datasets/explore', '--input', home.at('request.json'), '--read-only'];
	expect((await home.run(explore, hosted)).code).toBe(0);
});

test.each([
	['no path', ['GET'], 'takes a method and a path'],
	['a method that is none', ['FETCH', '/v1/jobs/list'], 'takes a method and a path'],
	['another service', ['GET', 'https://elsewhere.example/v1/jobs/list'], 'must begin with one "/"'],
	['an address without its scheme', ['GET', '//elsewhere.example/v1'], 'must begin with one "/"'],
	['a GET with a body', ['GET', '/v1/jobs/list', '--input', '-'], 'GET has none'],
	['a body that is not there', ['POST', '/v1/projects', '--input', 'none.json'], 'none.json cannot be read'],
	['a line end in the path', ['GET', '/v1/jobs/list\r\nx-evil: 1'], 'was not sent'],
])('%s does not leave the machine', async (_, args, words) => {
	const before = service.requests.length;
	const {code, stdout, stderr} = await home.run(['api', ...args], hosted);
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toContain(words);
	expect(service.requests.length).toBe(before);
});

test('bytes that are no text pass through', async () => {
	const bytes = Buffer.from([...Array(256).keys()]);
	service.setFault('*', ({response}) => {
		response.writeHead(200, {'content-type': 'application/octet-stream'});
		response.end(bytes);
	});
	const child = home.start(['api', 'GET', '/v1/datasets/files?path=a/b'], hosted);
	const hash = createHash('sha256');
	for await (const chunk of child.stdout ?? []) hash.update(chunk as Buffer);
	expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
});
