import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {ContractError, RedirectError, RequestError} from '../../source/client/errors.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {emptyExplore, emptyList, ingestRecord, queued, someId} from './answers.ts';
import {closing, failure, served} from './served.ts';
import {type Behaviour, json, startWireServer} from './wire-server.ts';

const key = 'key-0123456789';

const serve = (behaviour: Behaviour, options: Partial<ClientOptions> = {}) =>
	served(behaviour, {key, retry: {tries: 1}, ...options});

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
	closing(server, client);
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
	expect(error.message).toContain('answered POST /v1/datasets/explore in breach of the interface: total: ');
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
	['half a body', {'content-type': 'application/json'}, '{"episodes": [', 'with text that is not JSON where'],
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
	closing(elsewhere);
	const {client} = await serve(
		json('', {status: 307, headers: {location: `${elsewhere.url}/v1/datasets/explore?x=1`}}),
	);
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(RedirectError);
	expect(error.message).toContain(`a redirect (307) to ${elsewhere.url}. Redirects are not followed`);
	expect(elsewhere.heard).toHaveLength(0);
});

test.each([
	['not a url', 'must be a URL'],
	['ftp://lake.test', 'must begin with https:// or http://'],
	['https://me:secret@lake.test', 'must not contain a user name or password'],
	['https://lake.test/?a=1', 'must contain neither "?" nor "#"'],
])('an address of %s is refused with a sentence', (baseUrl, bound) => {
	expect(() => createClient({baseUrl})).toThrow(
		expect.objectContaining({name: 'RequestError', field: 'url'}),
	);
	expect(() => createClient({baseUrl})).toThrow(bound);
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
	expect((await client.cancelIngest(someId)).data.dataset_name).toBe('d');
	expect(await failure(client.ingest({folder: 'relative'}))).toMatchObject({field: 'folder'});
	expect(server.heard.map(({method, url}) => `${method} ${url}`)).toEqual([
		'POST /local/v1/ingests',
		'GET /local/v1/ingests',
		`GET /local/v1/ingests/${someId}`,
		`POST /local/v1/ingests/${someId}/cancel`,
	]);
});
