import {readdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {changed, inOrder, redirect, refused, reset} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {type Environment, programHome} from './support/program.ts';

const home = programHome();
const lines = (text: string) => text.trimEnd().split('\n');
let service: HostedService;
let env: Environment;

beforeEach(async () => {
	service = await startHostedService({episodes: 5});
	env = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	onTestFinished(() => service.close());
});

async function dataset(name: string): Promise<string> {
	const folder = home.at('datasets', name);
	await writeLerobotDataset(folder, {episodes: [{frames: 20}, {frames: 20}]});
	return folder;
}

const puts = () => service.requests.filter(({method}) => method === 'PUT');
const received = () => [...service.state.targets.values()].filter(target => target.received).length;
/** The targets that an answer of prepare-batch holds. */
const targetsOf = (body: unknown) => (body as {targets: Record<string, unknown>[]}).targets;

test('says before the first byte that nothing is committed, sends the blobs, and none of them again', async () => {
	const folder = await dataset('hosted');
	const {code, stdout, stderr} = await home.run(['upload', folder], env);
	expect({code, stdout}).toEqual({code: 0, stdout: ''});
	const said = lines(stderr).findIndex(line =>
		line.includes('committing an upload is not part of its interface'),
	);
	const sending = lines(stderr).indexOf('hosted: sending');
	expect(said).toBeGreaterThan(0);
	expect(sending).toBeGreaterThan(said);
	expect(puts()).toHaveLength(4);
	expect(received()).toBe(4);
	expect(puts().filter(({headers}) => 'x-api-key' in headers)).toEqual([]);
	const again = await home.run(['upload', folder], env);
	expect(again.stderr).toContain('hosted: 4 files, 0 B sent in 0 blobs');
	expect(puts()).toHaveLength(4);
	await writeFile(path.join(folder, 'README.md'), '# new');
	await home.run(['upload', folder], env);
	expect(puts()).toHaveLength(5);
});

test('a service that says which blobs it holds is believed, whatever was sent before', async () => {
	const folder = await dataset('believed');
	await home.run(['upload', folder], env);
	const told = (stored: boolean) =>
		changed(body => ({targets: targetsOf(body).map(target => ({...target, stored}))}));
	service.setFault('POST /v1/datasets/upload/prepare-batch', told(false));
	await home.run(['upload', folder], env);
	expect(puts()).toHaveLength(8);
	service.setFault('POST /v1/datasets/upload/prepare-batch', told(true));
	const last = await home.run(['upload', folder], env);
	expect(last.code).toBe(0);
	expect(puts()).toHaveLength(8);
});

test('targets that cannot be read are shown as they came, and nothing is sent', async () => {
	const folder = await dataset('unreadable');
	const answer = {upload_session: 'abc', note: 'see the portal\u001b[2J'};
	service.setFault(
		'POST /v1/datasets/upload/prepare-batch',
		changed(() => answer),
	);
	const {code, stdout, stderr} = await home.run(['upload', folder], env);
	expect(code).toBe(1);
	expect(JSON.parse(stdout)).toEqual(answer);
	expect(stdout).not.toContain('\u001b');
	expect(stderr).toContain('does not say where to send blobs in a known shape');
	expect(puts()).toEqual([]);
});

test.each([
	['plain http elsewhere', {url: 'http://store.example/blob'}, 'an address that is plain http'],
	['a redirect', undefined, 'redirects are not followed'],
])('%s is not sent to', async (what, change, sentence) => {
	const folder = await dataset(`unsafe ${what}`.replaceAll(' ', '-'));
	if (change) {
		const spoil = changed(body => ({targets: targetsOf(body).map(target => ({...target, ...change}))}));
		service.setFault('POST /v1/datasets/upload/prepare-batch', spoil);
	} else service.setFault('PUT /upload-targets/{token}', redirect('http://127.0.0.1:9'));
	const {code, stderr} = await home.run(['upload', folder], env);
	expect(stderr).toContain(sentence);
	expect(code).toBe(1);
	expect(received()).toBe(0);
});

test('a connection that breaks and a service that is busy are tried again', async () => {
	const folder = await dataset('tried-again');
	service.setFault(
		'PUT /upload-targets/{token}',
		inOrder(reset, refused(503), refused(429, 'slow down', 1), refused(408)),
	);
	const {code} = await home.run(['upload', folder], env);
	expect(code).toBe(0);
	expect(received()).toBe(4);
});

test('a wrong key ends with 4, an address where nothing listens with 3', async () => {
	const folder = await dataset('keyless');
	const wrong = await home.run(['upload', folder], {...env, LAKESCOPE_API_KEY: 'wrong'});
	expect(wrong).toMatchObject({code: 4, stdout: ''});
	expect(wrong.stderr).toContain('refused the key');
	const nowhere = await home.run(['upload', folder], {...env, LAKESCOPE_URL: 'http://127.0.0.1:9'});
	expect(nowhere).toMatchObject({code: 3, stdout: ''});
});

test('check says how much is new where the service tells, and that it does not where it does not', async () => {
	const folder = await dataset('checked');
	const silent = await home.run(['check', folder], env);
	expect(silent.code).toBe(0);
	expect(silent.stderr).toContain('does not say which files it holds');
	const told = changed(body => ({targets: targetsOf(body).map(target => ({...target, stored: false}))}));
	service.setFault('POST /v1/datasets/upload/prepare-batch', told);
	const {stdout} = await home.run(['check', '--json', folder], env);
	const [item] = JSON.parse(stdout).items;
	expect(item.new_bytes).toBe(item.bytes);
	expect(puts()).toEqual([]);
	expect(await readdir(home.at('state', 'lakescope', 'uploads'))).not.toEqual([]);
});
