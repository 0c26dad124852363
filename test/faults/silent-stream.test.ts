import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {openStream, serving} from './support/event-server.ts';
import {follow} from './support/following.ts';

const live = {phase: 'live'};

test('a half-open stream is noticed after 45 s and reconnected within 60 s of its last byte', async () => {
	const streams: ServerResponse[] = [];
	const service = await serving(response => {
		streams.push(response);
		openStream(response);
		response.write('retry: 60000\n\nid: 1\ndata: x\n\n');
	});
	// The socket stays open, and nothing comes out of it.
	const proxy = await startFaultProxy(service.url, nth => (nth === 1 ? {silentAfter: 2000} : {}));
	const following = follow(proxy.url, {hasty: false, random: () => 1});
	await expect.poll(() => following.events.length).toBe(1);
	streams[0]?.write(`:${'x'.repeat(4000)}\n`);
	following.clock.advance(44_000);
	expect(following.states.at(-1)).toMatchObject(live);
	following.clock.advance(1000);
	await expect.poll(() => following.states.at(-1)?.phase).toBe('waiting');
	expect(following.reason).toMatch(/^http:\/\/127\.0\.0\.1:\d+ sent nothing for 45 s/);
	expect(following.pauses[0]).toBeLessThanOrEqual(15_000);
	following.clock.advance(15_000);
	await expect.poll(() => proxy.connections).toBe(2);
	await expect.poll(() => following.states.at(-1)).toMatchObject(live);
	expect(service.heard[1]?.headers['last-event-id']).toBe('1');
	following.stop();
	await following.ended;
	await proxy.close();
});

test('a comment is a sign of life', async () => {
	let stream: ServerResponse | undefined;
	const service = await serving(response => {
		stream = response;
		openStream(response);
	});
	const following = follow(service.url, {hasty: false});
	await expect.poll(() => following.states.at(-1)).toMatchObject(live);
	for (let nth = 1; nth <= 5; nth++) {
		following.clock.advance(40_000);
		// The event behind the comment shows that both arrived.
		stream?.write(`: alive\n\ndata: ${nth}\n\n`);
		await expect.poll(() => following.events.length).toBe(nth);
	}
	expect(following.states.map(({phase}) => phase)).toEqual(['connecting', 'live']);
	following.clock.advance(20_000);
	stream?.write(': alive\n\n');
	following.clock.advance(24_000);
	expect(following.states.at(-1)).toMatchObject(live);
});

test('a service that accepts and never answers is dropped too', async () => {
	const service = await serving(() => undefined);
	const following = follow(service.url, {hasty: false});
	await expect.poll(() => service.heard.length).toBe(1);
	following.clock.advance(45_000);
	await expect.poll(() => following.states.at(-1)?.phase).toBe('waiting');
	following.clock.advance(15_000);
	await expect.poll(() => service.heard.length).toBe(2);
});
