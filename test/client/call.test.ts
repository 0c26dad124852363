import {gzipSync} from 'node:zlib';
import {afterEach, expect, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {
	ContractError,
	RedirectError,
	RefusedError,
	RequestError,
	ServiceError,
} from '../../source/client/errors.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {emptyExplore, emptyList, ingestRecord, queued, someId} from './answers.ts';
import {type Behaviour, json, startWireServer, type WireServer} from './wire-server.ts';

const key = 'key-0123456789';
const open: {close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(
	behaviour: Behaviour,
	options: Partial<ClientOptions> = {},
): Promise<{client: Client; server: WireServer}> {
	const server = await startWireServer(behaviour);
	const client = createClient({baseUrl: server.url, key, retry: {tries: 1}, ...options});
	open.push(server, client);
	return {client, server};
}

async function failure(call: Promise<unknown>): Promise<Error> {
	try {
		await call;
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('the call did not fail');
}

test('a call goes where the document says, with the key, and its answer is read', async () => {
	const {client, server} = await serve(json(emptyExplore), {accountId: someId});
	const request = {tasks: ['fold'], limit: 5};
	const {data, setAside} = await client.explore(request);
	expect(data).toEqual(emptyExplore);
	expect(setAside).toEqual([]);
	expect(server.heard).toHaveLength(1);
	expect(server.heard[0]).toMatchObject({
		method: 'POST',
		url: `/v1/datasets/explore?account_id=${someId}`,
		headers: {'x-api-key': key, 'content-type': 'application/json', accept: 'application/json'},
	});
	expect(JSON.parse(server.heard[0]?.body ?? '')).toEqual(request);
});

test('path parameters, queries and a base path are put together, and nothing that was not given is sent', async () => {
	const server = await startWireServer((response, heard, nth) =>
		json(heard.url.includes('/list') ? emptyList : queued)(response, heard, nth),
	);
	const client = createClient({baseUrl: `${server.url}/base/`});
	open.push(server, client);
	await client.syncStatus(someId);
	await client.listDatasets({search: 'a b&c', cursor: undefined});
	await client.listDatasets();
	expect(server.heard.map(({url}) => url)).toEqual([
		`/base/v1/datasets/sync-status/${someId}`,
		'/base/v1/datasets/list?search=a+b%26c',
		'/base/v1/datasets/list',
	]);
	expect(server.heard[0]?.headers).not.toHaveProperty('x-api-key');
});

test('a request that breaks a bound is refused before it is sent, with the field and the bound', async () => {
	const {client, server} = await serve(json(emptyExplore));
	const tooLong = await failure(client.explore({limit: 201}));
	expect(tooLong).toBeInstanceOf(RequestError);
	expect(tooLong).toMatchObject({field: 'limit', bound: 'must be at most 200'});
	expect(tooLong.message).toBe('POST /v1/datasets/explore was not sent: limit must be at most 200.');
	const predicates = Array.from({length: 33}, () => ({field: 'sparc', op: 'gt', value: 1}) as const);
	expect(await failure(client.explore({numeric_predicates: predicates}))).toMatchObject({
		field: 'numeric_predicates',
		bound: 'must have at most 32 items',
	});
	expect(await failure(client.syncStatus('seven'))).toMatchObject({
		field: 'operation_id',
		bound: 'must be a UUID',
	});
	expect(await failure(client.listDatasets({limit: 0}))).toMatchObject({
		field: 'limit',
		bound: 'must be at least 1',
	});
	expect(server.heard).toHaveLength(0);
});

test('an account that is no UUID is refused before it is sent', async () => {
	const {client, server} = await serve(json(emptyExplore), {accountId: 'mine'});
	expect(await failure(client.explore({}))).toMatchObject({field: 'account_id', bound: 'must be a UUID'});
	expect(server.heard).toHaveLength(0);
});

test('counts beyond 2^53 arrive with every digit', async () => {
	const text = JSON.stringify({...emptyExplore, total: 0}).replace(
		'"total":0',
		'"total":18446744073709551615',
	);
	const {client} = await serve(json(text));
	expect((await client.explore({})).data.total).toBe(18446744073709551615n);
});

test('unknown fields stay, a broken item is set aside and the rest is there', async () => {
	const item = {
		artifact_id: someId,
		subtype: 'a_new_kind',
		path: 'org/name',
		created_at: '2026-01-01T00:00:00Z',
		updated_at: '2026-01-01T00:00:00Z',
		extra: {deep: 1},
	};
	const {client} = await serve(
		json({...emptyList, items: [item, {...item, artifact_id: 'x'}], new_field: true}),
	);
	const {data, setAside} = await client.listDatasets();
	expect(data).toMatchObject({items: [item], new_field: true});
	expect(setAside.map(({path}) => path)).toEqual(['items[1]']);
});

test('a broken envelope is a contract failure that names the endpoint, the place and what was there', async () => {
	const {client} = await serve(json({...emptyExplore, total: 'many'}));
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(ContractError);
	expect(error).toMatchObject({endpoint: 'POST /v1/datasets/explore', path: 'total', found: 'string many'});
	expect(error.message).toContain('answered POST /v1/datasets/explore against the interface: total: ');
});

test.each([
	[
		'a page for people',
		{'content-type': 'text/html'},
		'<!doctype html><p>Sign in',
		'with HTML where JSON was expected',
	],
	['a page that claims to be JSON', {'content-type': 'application/json'}, '<html></html>', 'with HTML where'],
	['nothing', {}, '', 'with nothing where JSON was expected'],
	['half a body', {'content-type': 'application/json'}, '{"episodes": [', 'with text that is no JSON where'],
	['a picture', {'content-type': 'image/png'}, 'PNG', 'with image/png where JSON was expected'],
	[
		'JSON without end',
		{'content-type': 'application/json'},
		'['.repeat(5000),
		'nests deeper than 256 levels',
	],
])('%s is a contract failure in a sentence', async (_, headers, body, sentence) => {
	const {client} = await serve(response => {
		response.writeHead(200, headers);
		response.end(body);
	});
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(ContractError);
	expect(error.message).toContain(sentence);
});

test('a body is bounded as it is and as it inflates', async () => {
	const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20));
	expect(bomb.length).toBeLessThan(100_000);
	const inflating = await serve(response => {
		response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'});
		response.end(bomb);
	});
	const error = await failure(inflating.client.explore({}));
	expect(error).toBeInstanceOf(ContractError);
	expect(error).toMatchObject({expected: 'at most 16777216 bytes'});
	const plain = await serve(json(' '.repeat(2000)), {maxBodyBytes: 1000});
	expect(await failure(plain.client.explore({}))).toMatchObject({expected: 'at most 1000 bytes'});
	const enough = await serve(json(emptyExplore), {maxBodyBytes: JSON.stringify(emptyExplore).length});
	expect((await enough.client.explore({})).data.total).toBe(0);
});

test('a coded body is decoded; one in a coding that nobody asked for is a contract failure', async () => {
	const coded =
		(encoding: string): Behaviour =>
		response => {
			response.writeHead(200, {'content-type': 'application/json', 'content-encoding': encoding});
			response.end(gzipSync(JSON.stringify(emptyExplore)));
		};
	expect((await (await serve(coded('gzip'))).client.explore({})).data.total).toBe(0);
	const error = await failure((await serve(coded('rot13'))).client.explore({}));
	expect(error).toMatchObject({name: 'ContractError', found: 'the coding rot13'});
});

test('a redirect is not followed, the key goes nowhere, and the target is named', async () => {
	const elsewhere = await startWireServer(json(emptyExplore));
	open.push(elsewhere);
	const {client} = await serve(
		json('', {status: 307, headers: {location: `${elsewhere.url}/v1/datasets/explore?x=1`}}),
	);
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(RedirectError);
	expect(error.message).toContain(`a redirect (307) to ${elsewhere.url}. None is followed`);
	expect(elsewhere.heard).toHaveLength(0);
});

test('an error answer keeps its status and detail', async () => {
	const {client} = await serve(json({detail: 'no such operation'}, {status: 404}));
	const error = await failure(client.syncStatus(someId));
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({
		name: 'ServiceError',
		status: 404,
		detail: 'no such operation',
		issues: undefined,
	});
	expect(error.message).toContain('with 404: no such operation.');
});

test('a validation error keeps its issues', async () => {
	const issue = {loc: ['body', 'limit'], msg: 'too many', type: 'too_big', input: 900};
	const {client} = await serve(json({detail: [issue]}, {status: 422}));
	const error = await failure(client.explore({}));
	expect(error).toMatchObject({name: 'ServiceError', status: 422, detail: undefined, issues: [issue]});
	expect(error.message).toContain('body.limit: too many');
});

test('an error page for people is told by its status', async () => {
	const {client} = await serve(response => {
		response.writeHead(500, {'content-type': 'text/html'});
		response.end('<html>oops</html>');
	});
	expect((await failure(client.explore({}))).message).toContain(
		'with 500: Internal Server Error, with HTML as its body.',
	);
});

test('a page that knows nothing of the path makes the address doubtful', async () => {
	const {client} = await serve(response => {
		response.writeHead(404, {'content-type': 'text/html'});
		response.end('<html>no such page</html>');
	});
	expect((await failure(client.explore({}))).message).toMatch(
		/with 404: Not Found, with HTML as its body\. Is this the service's address\?$/,
	);
});

test('a detail that is a sentence of its own is not given a second full stop', async () => {
	const {client} = await serve(json({detail: 'There is no such lake.'}, {status: 404}));
	expect((await failure(client.explore({}))).message).toMatch(/with 404: There is no such lake\.$/);
});

test.each([401, 403])('%i is a refusal of the key, and says what to do', async status => {
	const {client} = await serve(json({detail: `the key ${key} is not known`}, {status}));
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(RefusedError);
	expect(error.message).toContain('Set another one as LAKESCOPE_API_KEY.');
	expect(JSON.stringify([error.message, (error as RefusedError).detail])).not.toContain(key);
});

test('a missing key is told as such, also where the service calls it a validation error', async () => {
	const issue = {loc: ['header', 'x-api-key'], msg: 'Field required', type: 'missing'};
	const {client} = await serve(json({detail: [issue]}, {status: 422}), {key: undefined});
	const error = await failure(client.listDatasets());
	expect(error).toBeInstanceOf(RefusedError);
	expect(error.message).toContain(
		'asks for a key (422: header.x-api-key: Field required). Set it as LAKESCOPE_API_KEY.',
	);
});

test('the key is never sent over plain http to another machine, unless that is allowed', async () => {
	const error = await failure(createClient({baseUrl: 'http://lake.test', key}).explore({}));
	expect(error).toMatchObject({name: 'RequestError', field: 'x-api-key'});
	expect(error.message).toContain('LAKESCOPE_ALLOW_HTTP=1');
	expect(error.message).not.toContain(key);
});

test.each([
	['not a url', 'must be a URL'],
	['ftp://lake.test', 'must begin with https:// or http://'],
	['https://me:secret@lake.test', 'must not hold a user name or password'],
	['https://lake.test/?a=1', 'must hold neither "?" nor "#"'],
])('an address of %s is refused with a sentence', (baseUrl, bound) => {
	expect(() => createClient({baseUrl})).toThrow(
		expect.objectContaining({name: 'RequestError', field: 'url'}),
	);
	expect(() => createClient({baseUrl})).toThrow(bound);
});

test('a key that no header can hold is refused without being shown', () => {
	expect(() => createClient({baseUrl: 'https://lake.test', key: 'sécret key'})).toThrow(
		/^The key must be printable ASCII/,
	);
});

test('only the embedded service’s own document makes a service the embedded one', async () => {
	const document = {
		service: 'lakescope',
		version: '1',
		lake: {folder: '/l', sample: false, datasets: 0, episodes: 0},
		abilities: ['ingest'],
	};
	expect(await (await serve(json(document))).client.localDocument()).toEqual(document);
	for (const other of [
		json({detail: 'Not Found'}, {status: 404}),
		json({service: 'another'}),
		json('<html>'),
	]) {
		expect(await (await serve(other)).client.localDocument()).toBeUndefined();
	}
});

test('the local functions call what they are named after', async () => {
	const {client, server} = await serve((response, heard, nth) =>
		json(heard.method === 'GET' && heard.url.endsWith('/ingests') ? {items: [ingestRecord]} : ingestRecord)(
			response,
			heard,
			nth,
		),
	);
	expect((await client.ingest({folder: '/d', name: 'd'})).data.dataset_name).toBe('d');
	expect((await client.listIngests()).data.items).toHaveLength(1);
	expect((await client.ingestRecord(someId)).data.status.phase).toBe('queued');
	expect(await failure(client.ingest({folder: 'relative'}))).toMatchObject({field: 'folder'});
	expect(server.heard.map(({method, url}) => `${method} ${url}`)).toEqual([
		'POST /local/v1/ingests',
		'GET /local/v1/ingests',
		`GET /local/v1/ingests/${someId}`,
	]);
});
