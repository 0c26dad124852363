import {type AddressInfo, createServer, type Socket} from 'node:net';
import {expect, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {ContractError, NetworkError, OutcomeUnknownError, ServiceError} from '../../source/client/errors.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {emptyExplore, ingestRecord} from './answers.ts';
import {closing, failure, freePort, served} from './served.ts';
import {type Behaviour, inTurn, json} from './wire-server.ts';

const quick = {tries: 3, firstDelayMs: 1, maxDelayMs: 5000};

const serve = (behaviour: Behaviour, options: Partial<ClientOptions> = {}) =>
	served(behaviour, {retry: quick, ...options});

const silence: Behaviour = () => undefined;
const reset: Behaviour = response => void response.socket?.destroy();
const halfway: Behaviour = response => {
	response.writeHead(200, {'content-type': 'application/json', 'content-length': 1000});
	response.write('{"episodes":', () => response.destroy());
};
const stalled: Behaviour = response => {
	response.writeHead(200, {'content-type': 'application/json', 'content-length': 1000});
	response.write('{');
};
const failing = (status: number, headers = {}) => json({detail: 'not now'}, {status, headers});

test('nothing that listens is said with the address', async () => {
	const url = `http://127.0.0.1:${await freePort()}`;
	const error = await failure(createClient({baseUrl: url, retry: quick}).explore({}));
	expect(error).toMatchObject({name: 'NetworkError', code: 'ECONNREFUSED'});
	expect(error.message).toBe(`Nothing listens at ${url}: start the service there, or correct the address.`);
});

test.each([
	['502', failing(502)],
	['503', failing(503)],
	['504', failing(504)],
	['429', failing(429)],
	['a closed connection', reset],
	['half an answer', halfway],
])('after %s a harmless call is tried again and succeeds', async (_, fault) => {
	const {client, server} = await serve(inTurn(fault, fault, json(emptyExplore)));
	expect((await client.explore({})).data.total).toBe(0);
	expect(server.heard).toHaveLength(3);
});

test('three failures are enough, and the last is told', async () => {
	const {client, server} = await serve(failing(503));
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({status: 503, detail: 'not now'});
	expect(server.heard).toHaveLength(3);
});

test.each([400, 401, 404, 422, 500, 501])('a %i is an answer: it is not asked again', async status => {
	const {client, server} = await serve(failing(status));
	await failure(client.explore({}));
	expect(server.heard).toHaveLength(1);
});

test('a Retry-After is waited for', async () => {
	const times: number[] = [];
	const {client} = await serve((response, heard, nth) => {
		times.push(performance.now());
		inTurn(failing(429, {'retry-after': '1'}), json(emptyExplore))(response, heard, nth);
	});
	await client.explore({});
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
});

test('a Retry-After beyond patience ends the call at once and is told', async () => {
	const {client, server} = await serve(failing(429, {'retry-after': '3600'}));
	const error = await failure(client.explore({}));
	expect(error).toMatchObject({status: 429, retryAfterSeconds: 3600});
	expect(error.message).toContain('It asks to wait 3600 s.');
	expect(server.heard).toHaveLength(1);
});

test('a service that never answers is given up on', async () => {
	const {client} = await serve(silence, {timeouts: {headers: 50}, retry: {tries: 1}});
	const error = await failure(client.explore({}));
	expect(error).toMatchObject({name: 'NetworkError', code: 'UND_ERR_HEADERS_TIMEOUT'});
	expect(error.message).toContain('did not begin to answer within 0.1 s.');
});

test('a service that stops in the middle is given up on', async () => {
	const {client} = await serve(stalled, {timeouts: {body: 50}, retry: {tries: 1}});
	expect(await failure(client.explore({}))).toMatchObject({
		name: 'NetworkError',
		code: 'UND_ERR_BODY_TIMEOUT',
	});
});

test('a call with all its repetitions ends within its overall time', async () => {
	const {client} = await serve(silence, {timeouts: {overall: 80}});
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(NetworkError);
	expect(error.message).toContain('gave no complete answer within 0.08 s.');
});

test('an aborted call rejects with the reason, whether it waits for an answer or for its next try', async () => {
	const reason = new Error('the filter changed');
	const waiting = new AbortController();
	const {client: first} = await serve(() => waiting.abort(reason));
	await expect(first.explore({}, {signal: waiting.signal})).rejects.toBe(reason);
	const between = new AbortController();
	const {client: second, server} = await serve((response, heard, nth) => {
		failing(503, {'retry-after': '5'})(response, heard, nth);
		response.once('close', () => between.abort(reason));
	});
	await expect(second.explore({}, {signal: between.signal})).rejects.toBe(reason);
	expect(server.heard).toHaveLength(1);
	await expect(second.explore({}, {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
	expect(server.heard).toHaveLength(1);
});

test.each([
	['a closed connection', reset],
	['half an answer', halfway],
	['a gateway that lost the service', json('<html>', {status: 502, headers: {'content-type': 'text/html'}})],
	['an answer that says nothing', json({})],
])('after %s a call that changes something is not repeated: its outcome is unknown', async (_, fault) => {
	const {client, server} = await serve(fault);
	const error = await failure(client.ingest({folder: '/d'}));
	expect(error).toBeInstanceOf(OutcomeUnknownError);
	expect(error.message).toContain('It is unknown whether POST /local/v1/ingests was carried out: ');
	expect(server.heard).toHaveLength(1);
});

test('a call that changes something and was refused, or never sent, has a known outcome', async () => {
	for (const status of [409, 429, 500, 503]) {
		const {client, server} = await serve(failing(status));
		expect(await failure(client.ingest({folder: '/d'}))).toMatchObject({name: 'ServiceError', status});
		expect(server.heard).toHaveLength(1);
	}
	const nobody = createClient({baseUrl: `http://127.0.0.1:${await freePort()}`});
	expect(await failure(nobody.ingest({folder: '/d'}))).toMatchObject({
		name: 'NetworkError',
		code: 'ECONNREFUSED',
	});
});

test('a call that changes something never goes over a kept connection', async () => {
	const {client, server} = await serve((response, heard, nth) =>
		json(heard.url.startsWith('/local') ? ingestRecord : emptyExplore)(response, heard, nth),
	);
	await client.explore({});
	await client.explore({});
	await client.ingest({folder: '/d'});
	expect(server.heard.map(({headers}) => headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close']);
});

test('what does not speak HTTP is said to', async () => {
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n');
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	closing({
		close: async () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	});
	const {port} = server.address() as AddressInfo;
	const error = await failure(createClient({baseUrl: `http://127.0.0.1:${port}`, retry: quick}).explore({}));
	expect(error.message).toContain('does not speak HTTP');
	const tls = await failure(createClient({baseUrl: `https://127.0.0.1:${port}`, retry: quick}).explore({}));
	expect(tls.message).toContain('does not speak TLS');
});

test('an answer in pieces that is cut off is a broken connection, and asked for again', async () => {
	const {client, server} = await serve(response => {
		response.writeHead(200, {'content-type': 'application/json'});
		// Only a connection that lay idle meanwhile ends as the parser's failure rather than the socket's.
		response.write('{"items": [', () => setTimeout(() => response.socket?.destroySoon(), 30));
	});
	await expect(client.listProjects()).rejects.toThrow('closed the connection before its answer was complete');
	expect(server.heard).toHaveLength(3);
});

test('a cut gzip stream is a broken connection, not an answer', async () => {
	const {client} = await serve(
		response => {
			response.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'});
			response.end(Buffer.from('1f8b0800000000000003', 'hex'));
		},
		{retry: {tries: 1}},
	);
	const error = await failure(client.explore({}));
	expect(error).not.toBeInstanceOf(ContractError);
	expect(error.message).toContain('closed the connection before its answer was complete');
});
