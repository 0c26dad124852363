import {afterEach, expect, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {ContractError, NetworkError, RefusedError} from '../../source/client/errors.ts';
import type {ServerEvent} from '../../source/client/event-stream.ts';
import {type Behaviour, json, startWireServer, type WireServer} from './wire-server.ts';

const open: {close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(behaviour: Behaviour): Promise<{client: Client; server: WireServer}> {
	const server = await startWireServer(behaviour);
	const client = createClient({baseUrl: server.url, key: 'key-0123456789'});
	open.push(server, client);
	return {client, server};
}

const stream =
	(text: string | Buffer, {cut = false} = {}): Behaviour =>
	response => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write(text, () => (cut ? response.destroy() : response.end()));
	};

async function all(events: AsyncIterable<ServerEvent>): Promise<ServerEvent[]> {
	const found: ServerEvent[] = [];
	for await (const event of events) found.push(event);
	return found;
}

async function failure(events: AsyncIterable<ServerEvent>): Promise<Error> {
	try {
		await all(events);
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('the stream did not fail');
}

test('4.18 GET /v1/events: events come with the last id there was, and the wait asked for is bounded', async () => {
	const text = 'retry: 99999999999\n\n: hello\n\nid: 7\nevent: a\ndata: 1\n\ndata: é\ndata: 2\n\nid: 8\n\n';
	const {client, server} = await serve(stream(text));
	const waits: number[] = [];
	const lastIds: string[] = [];
	const events = await all(
		client.events({
			lastEventId: '6',
			onRetry: ms => waits.push(ms),
			onLastId: id => lastIds.push(id),
		}),
	);
	expect(events).toEqual([
		{id: '7', lastId: '7', name: 'a', data: '1'},
		{id: undefined, lastId: '7', name: 'message', data: 'é\n2'},
	]);
	expect(waits).toEqual([60_000]);
	expect(lastIds).toEqual(['8']);
	expect(server.heard[0]).toMatchObject({
		url: '/v1/events',
		headers: {'last-event-id': '6', accept: 'text/event-stream', 'x-api-key': 'key-0123456789'},
	});
});

test('a connection that breaks is a network failure, after the events that came', async () => {
	const {client} = await serve(stream('id: 1\ndata: x\n\n', {cut: true}));
	const seen: string[] = [];
	await expect(async () => {
		for await (const {data} of client.events()) seen.push(data);
	}).rejects.toBeInstanceOf(NetworkError);
	expect(seen).toEqual(['x']);
});

test('a refused key, another content type and an endless event are told apart', async () => {
	const refused = await serve(json({detail: 'No such key'}, {status: 401}));
	const refusal = await failure(refused.client.events());
	expect([refusal instanceof RefusedError, refusal.message]).toEqual([
		true,
		expect.stringContaining('No such key'),
	]);
	const page = await serve((response, ...rest) =>
		json('<html>', {headers: {'content-type': 'text/html'}})(response, ...rest),
	);
	expect(await failure(page.client.events())).toMatchObject({
		expected: 'text/event-stream',
		found: 'text/html',
	});
	const endless = await serve(stream(`data: ${'x'.repeat(3 * 1024 * 1024)}`));
	expect(await failure(endless.client.events())).toBeInstanceOf(ContractError);
});

test('a reader that stops reading leaves the connection', async () => {
	let gone = () => {};
	const left = new Promise<void>(resolve => {
		gone = resolve;
	});
	const {client} = await serve(response => {
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.write('data: 1\n\n');
		response.on('close', gone);
	});
	for await (const _ of client.events()) break;
	await left;
	const aborting = new AbortController();
	const waiting = all(
		client.events({signal: aborting.signal, onOpen: () => aborting.abort(new Error('enough'))}),
	);
	await expect(waiting).rejects.toThrow('enough');
});
