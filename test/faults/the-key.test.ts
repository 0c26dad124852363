import {readdirSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {type Ended, programHome} from '../commands/support/program.ts';
import type {JsonAnswer} from '../hosted-service/answers.ts';
import {changed, type Fault} from '../hosted-service/faults.ts';
import {explore, isFresh} from '../pty/support.ts';
import {call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {hosted} from '../support/hosted.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {openStream, serving} from './support/event-server.ts';
import {isSoak} from './support/soak.ts';

const home = programHome();
const lakes = serviceHome();
const key = 'sk-Live/Zm9v+YmFy_0123456789=';
const id = '00000000-0000-4000-8000-000000000001';

/** The key as it stands, as JSON may have it, and as a host name or an address has it. */
const forms = [key, key.replaceAll('/', '\\/'), key.toLowerCase(), encodeURIComponent(key)];

function expectNoKey(what: string, text: string): void {
	expect([what, forms.filter(form => text.includes(form))]).toEqual([what, []]);
}

/** Every file below a folder, as text. */
function filesBelow(folder: string): readonly (readonly [string, string])[] {
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => path.join(entry.parentPath, entry.name))
		.map(file => [file, readFileSync(file, 'latin1')]);
}

const order = {project_id: id, vla_type: 'act', dataset_id: 'a/b', hours: 1, camera_mappings: {}} as const;
const blob = {blob_id: 'a'.repeat(64), envelope_sha256: 'a'.repeat(64), content_length: 1};

/** Calls of every kind: read, harmless and not, with a body and without, checked and as they are given. */
const calls: ReadonlyArray<readonly [string, (client: Client) => Promise<unknown>]> = [
	['explore', client => client.explore({})],
	['a list', client => client.listJobs()],
	['a status', client => client.syncStatus(id)],
	['a fine-tune', client => client.createFinetune(order)],
	['a cancellation', client => client.cancelAugmentation(id)],
	['a dismissal', client => client.dismissUpload(id, {dismissed_through_unix: 1})],
	['upload targets', client => client.prepareBatch({blobs: [blob]})],
	['any call', client => client.raw({method: 'POST', path: '/v1/projects', body: Buffer.from('{}')})],
];

test.each([301, 302, 303, 307, 308])('%i to another origin is followed by no call', async status => {
	const elsewhere = await serving(response => openStream(response));
	const service = await serving((response, {url}) => {
		response.writeHead(status, {location: `${elsewhere.url}${url}`}).end();
	});
	const client = createClient({baseUrl: service.url, key});
	onTestFinished(() => client.close());
	for (const [, made] of calls) await made(client).catch(() => undefined);
	expect(service.heard).toHaveLength(calls.length);
	expect(service.heard.every(({headers}) => headers['x-api-key'] === key)).toBe(true);
	expect(elsewhere.heard).toEqual([]);
});

test('upload targets of another origin get the content and not the key, whatever they request', async () => {
	const folder = home.at('cups');
	await writeLerobotDataset(folder, {episodes: [{frames: 20}]});
	const store = await serving((response, _, nth) => {
		if (nth % 2 === 0) response.writeHead(200).end();
		else response.writeHead(500, {'content-type': 'text/plain'}).end(`who sent the key ${key}?`);
	});
	const service = await hosted({episodes: 5, key});
	service.setFault(
		'POST /v1/datasets/upload/prepare-batch',
		changed(body => ({
			targets: (body as {targets: Record<string, unknown>[]}).targets.map((target, nth) => ({
				...target,
				url: `${store.url}/blob/${nth}?key=${encodeURIComponent(key)}&plain=${key}`,
				headers: {'x-api-key': key, authorization: `Bearer ${key}`, 'x-kept': 'yes'},
			})),
		})),
	);
	const run = await home.run(['upload', folder], {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: key});
	expect(store.heard.length).toBeGreaterThan(0);
	for (const {url, headers, body} of store.heard) {
		expect(headers['x-kept']).toBe('yes');
		expect(headers).not.toHaveProperty('x-api-key');
		expect([JSON.stringify(headers).includes(key), url.includes(key), body.includes(key)]).toEqual([
			false,
			false,
			false,
		]);
	}
	expectNoKey('upload', run.stdout + run.stderr);
});

/** Puts the key everywhere a service could: status line, headers, every field of its answers, and fields beside them. */
function echoed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(echoed);
	if (typeof value !== 'object' || value === null) return value;
	const named = new Set([
		'task',
		'path',
		'message',
		'progress_json',
		'current_phase',
		'name',
		'phase',
		'value',
	]);
	const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [
		name,
		named.has(name) && typeof inner === 'string' ? `the key ${key}` : echoed(inner),
	]);
	return {...Object.fromEntries(fields), echo: key};
}

const inAnswers: Fault = async ({settle, send, response}) => {
	const answer = await settle();
	if (!('stream' in answer)) {
		const {status, json, headers} = answer as JsonAnswer;
		return send({status, json: echoed(json), headers: {...headers, 'x-echo': key}});
	}
	openStream(response);
	response.write(`event: ${key}\nid: ${key}\ndata: ${JSON.stringify(echoed({message: '', job_id: id}))}\n\n`);
};

const refusing =
	(status: number, body: string, type: string): Fault =>
	({response}) => {
		response.writeHead(status, `No ${key.replaceAll('/', '.')} ${key}`, {'content-type': type});
		response.end(body);
	};

const escaped = [...key].map(c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** What a service can answer that holds the key. */
const echoes: readonly (readonly [string, Fault])[] = [
	['in the fields of its answers', inAnswers],
	['in a detail', refusing(400, JSON.stringify({detail: `The key ${key} may not`}), 'application/json')],
	['in a refusal of the key', refusing(401, `{"detail": "no such key: ${escaped}"}`, 'application/json')],
	[
		'in validation issues',
		refusing(
			422,
			JSON.stringify({detail: [{loc: ['header', key], msg: `${key} is no key`, type: 'x'}]}),
			'application/json',
		),
	],
	['in a page', refusing(500, `<html>${key}</html>`, 'text/html')],
	['in a media type', refusing(200, key, `text/x-${key.replaceAll('/', '')}; a="${key}"`)],
	['in JSON that is broken', refusing(200, `${key} {"items": [`, 'application/json')],
	[
		'in a redirect',
		({response}) => {
			const location = `https://${key.replace(/[/+=_]/g, '')}.example/${key}`;
			response.writeHead(307, {location}).end();
		},
	],
];

/** Some of the commands for each, all of them for all in the soak. */
function linesFor(where: string, input: string): readonly (readonly string[])[] {
	const all = [
		['doctor'],
		['episodes', '--json'],
		['api', 'POST', '/v1/projects', '--input', input],
		['doctor', '--json'],
		['jobs'],
		['api', 'GET', '/v1/jobs/list'],
		['sync-status', id, '--json'],
	] as const;
	const first = echoes.findIndex(([name]) => name === where);
	return isSoak ? all : [first, first + 3].map(nth => all[nth % all.length] ?? all[0]);
}

test.each(echoes)('a key echoed by the service %s is printed by no command', async (where, fault) => {
	const service = await hosted({episodes: 5, key});
	const env = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: key};
	const input = home.at('input.json');
	await writeFile(input, '{"name": "cups"}');
	service.setFault('*', fault);
	const lines = linesFor(where, input);
	const runs: Ended[] = await Promise.all(lines.map(line => home.run(line, env)));
	for (const [nth, {stdout, stderr}] of runs.entries()) {
		expect(stdout + stderr).toMatch(/\S/);
		expectNoKey(lines[nth]?.join(' ') ?? '', stdout + stderr);
	}
});

test('a key echoed by the service in every answer is neither on the screen nor in a file', async () => {
	const service = await hosted({episodes: 30, key, faults: {'*': inAnswers}});
	const explorer = explore(home, [], {cols: 160, rows: 40, service});
	await explorer.until(
		screen => isFresh(screen) && screen.text.includes('[the key]'),
		'the lake, the key struck out',
	);
	explorer.press('3');
	await explorer.until(({text}) => !text.includes('▢'), 'the jobs');
	explorer.press('enter', '7', 'v');
	await explorer.until(({text}) => text.includes('[the key]') && !text.includes('▢'), 'the events');
	service.setFault(
		'*',
		refusing(400, JSON.stringify({detail: `The key ${key} may not`}), 'application/json'),
	);
	explorer.press('1', 'r');
	await explorer.until(({text}) => text.includes('The key [the key] may not'), 'the refusal');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	expectNoKey('the screen', explorer.output());
	expect(filesBelow(home.root).length).toBeGreaterThan(0);
	for (const [file, text] of filesBelow(home.root)) expectNoKey(file, text);
});

test('the embedded service keeps its key out of its log, its lake and its answers', async () => {
	const lake = lakes.lake();
	const service = await lakes.join(lake);
	const own = service.key;
	const attempts = [
		call(service, `/v1/nowhere?key=${own}`),
		call(service, '/v1/datasets/explore', {body: {search: 1, key: own}}),
		call(service, '/v1/datasets/explore', {body: `{"x": "${own}`}),
		call(service, `/v1/finetune/${own}`),
		call(service, '/local/v1/ingests', {body: {folder: `/nowhere/${own.slice(0, 8)}`}}),
		call({...service, key: `${own}x`}, '/v1/jobs/list'),
	];
	for (const {status, headers} of await Promise.all(attempts)) {
		expect(status).toBeGreaterThanOrEqual(400);
		expect(JSON.stringify(headers)).not.toContain(own);
	}
	for (const [file, text] of filesBelow(lake)) expect([file, text.includes(own)]).toEqual([file, false]);
	expect(readFileSync(path.join(lake, 'service.log'), 'utf8')).toMatch(/serves/);
});
