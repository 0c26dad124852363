import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {EventHub} from '../../../source/service/events/event-hub.ts';
import {EventStore, eventTables} from '../../../source/service/events/event-store.ts';
import {beginning, eventStream, pour} from '../../../source/service/events/event-stream.ts';
import {type Reader, readEvents} from './reader.ts';

/** Waits for what a loaded machine may take long to do. */
const soon = <T>(read: () => T) => expect.poll(read, {timeout: 20_000});

const kept = 20_000;
let database: DatabaseSync;
let hub: EventHub;
let server: Server;
let pace = {keepAliveMs: 15_000, patienceMs: 20_000};
let ending: AbortController;
let counts = {dropped: 0, left: 0};
const readers = new Set<Reader>();

beforeEach(async () => {
	database = new DatabaseSync(':memory:');
	database.exec(eventTables);
	hub = new EventHub({store: new EventStore(database, kept), log: () => undefined});
	ending = new AbortController();
	counts = {dropped: 0, left: 0};
	const own = counts;
	server = createServer((request, response) => {
		const seen = request.headers['last-event-id'];
		const stream = eventStream({
			hub,
			from: beginning(hub, typeof seen === 'string' ? seen : undefined),
			drop: () => {
				own.dropped++;
				response.destroy();
			},
			signal: ending.signal,
			begin: () => () => own.left++,
			pace,
		});
		response.writeHead(200, {'content-type': 'text/event-stream'}).flushHeaders();
		void pour(stream, response);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
	for (const reader of readers) reader.close();
	readers.clear();
	pace = {keepAliveMs: 15_000, patienceMs: 20_000};
	await new Promise(resolve => server.close(resolve));
	hub.close();
	database.close();
});

async function open(lastEventId?: string): Promise<Reader> {
	const {port} = server.address() as AddressInfo;
	const reader = await readEvents({url: `http://127.0.0.1:${port}`, key: 'x'}, lastEventId);
	readers.add(reader);
	return reader;
}

function announceAll(from: number, to: number, filling = ''): void {
	for (let n = from; n <= to; n++) hub.announce({name: 'job.phase', data: {n, filling}});
	hub.flush();
}

const numbers = (reader: Reader) =>
	reader.events.filter(({event}) => event === 'job.phase').map(({data}) => JSON.parse(data).n as number);
const upTo = (n: number, from = 1) => Array.from({length: n - from + 1}, (_, i) => i + from);

test('a new reader is told that it is ready, with an id to come back with, and then what happens', async () => {
	announceAll(1, 3);
	const reader = await open();
	await soon(() => reader.events.length).toBe(1);
	expect(reader.events[0]).toMatchObject({event: 'ready', id: '3'});
	announceAll(4, 6);
	await soon(() => numbers(reader)).toEqual([4, 5, 6]);
	expect(reader.events.map(({id}) => id)).toEqual(['3', '4', '5', '6']);
});

test('a reader that comes back gets what it missed and what follows, each once', async () => {
	announceAll(1, 2000);
	const reader = await open('700');
	announceAll(2001, 2100);
	await soon(() => numbers(reader).length).toBe(1400);
	expect(numbers(reader)).toEqual(upTo(2100, 701));
});

test.each([
	['an id that the history no longer reaches', '1', '1'],
	['an id that was never given', '999999', '999999'],
	['an id of another service', 'a3f-77', null],
])('%s is answered with a gap, then with what happens from now on', async (_, lastEventId, after) => {
	announceAll(1, 10);
	database.exec('DELETE FROM events WHERE id < 5');
	const reader = await open(lastEventId);
	announceAll(11, 11);
	await soon(() => reader.events.length).toBe(2);
	expect(reader.events[0]).toMatchObject({event: 'gap', id: '10', data: JSON.stringify({after})});
	expect(numbers(reader)).toEqual([11]);
});

test('a quiet stream says that it is alive', async () => {
	pace = {...pace, keepAliveMs: 40};
	const reader = await open();
	await soon(() => reader.comments.length).toBeGreaterThan(2);
	expect(new Set(reader.comments)).toEqual(new Set(['alive']));
});

test('a reader that takes nothing is dropped, costs no other one anything, and loses nothing', async () => {
	pace = {...pace, patienceMs: 150};
	const slow = await open();
	const quick = await open();
	await soon(() => slow.events.length).toBe(1);
	slow.pause();
	for (let n = 1; n <= 10_000; n += 100) announceAll(n, n + 99, 'x'.repeat(2000));
	await soon(() => numbers(quick).length).toBe(10_000);
	await soon(() => counts.dropped).toBeGreaterThan(0);
	expect(numbers(quick)).toEqual(upTo(10_000));
	slow.resume();
	await slow.ended;
	const back = await open(slow.events.at(-1)?.id);
	await soon(() => numbers(slow).length + numbers(back).length).toBe(10_000);
	expect([...numbers(slow), ...numbers(back)]).toEqual(upTo(10_000));
});

test('a stream ends with its service, and its reader is counted out, as is one that leaves', async () => {
	const leaving = await open();
	const staying = await open();
	await soon(() => hub.listeners).toBe(2);
	leaving.close();
	await soon(() => [hub.listeners, counts.left]).toEqual([1, 1]);
	ending.abort();
	await staying.ended;
	expect([hub.listeners, counts.left]).toEqual([0, 2]);
});

test('a reader whose events cannot be read is ended, and counted out', async () => {
	hub.after = () => {
		throw new Error('the disk fails');
	};
	const reader = await open();
	await reader.ended;
	expect([hub.listeners, counts.left]).toEqual([0, 1]);
});
