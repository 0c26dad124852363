import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type ConnectionFault, startFaultProxy} from './fault-proxy.ts';

const body = 'x'.repeat(10_000);
const asked: string[] = [];
const server = createServer((request, response) => {
	text(request).then(sent => {
		asked.push(`${request.headers.host} ${sent}`);
		response.setHeader('connection', 'close');
		response.end(body);
	});
});
let target: string;

beforeAll(async () => {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
});

async function through(fault: ConnectionFault, signal?: AbortSignal): Promise<string> {
	const proxy = await startFaultProxy(target, fault);
	try {
		const answer = await fetch(proxy.url, {method: 'POST', body: 'hello', ...(signal && {signal})});
		return await answer.text();
	} finally {
		await proxy.close();
	}
}

test('without a fault all passes, and the service is called by its own name', async () => {
	expect(await through({})).toBe(body);
	expect(asked.at(-1)).toBe(`${new URL(target).host} hello`);
});

test('a cut at a byte lets the request through and breaks the answer', async () => {
	const before = asked.length;
	for (const fault of [{cutAfter: 0}, {cutAfter: 0, reset: true}, {cutAfter: 5000}])
		await expect(through(fault)).rejects.toThrow();
	expect(asked.length - before).toBe(3);
	await expect(through({refuse: true})).rejects.toThrow();
	expect(asked.length - before).toBe(3);
});

test('a silence holds the connection open', async () => {
	await expect(through({silentAfter: 3000}, AbortSignal.timeout(200))).rejects.toThrow(/aborted|timeout/i);
});

test('delays and throttles take their time, corruption changes what it is told to', async () => {
	const begun = performance.now();
	expect(await through({delayMs: 60})).toBe(body);
	expect(await through({bytesPerSecond: 60_000})).toBe(body);
	expect(performance.now() - begun).toBeGreaterThan(200);
	const corrupt = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('x', 'y'), 'latin1');
	expect(await through({corrupt, pieceBytes: 777})).toBe('y'.repeat(10_000));
});
