import {Agent, request} from 'node:http';
import {connect, type Socket} from 'node:net';
import {afterEach, beforeAll, expect, test, vi} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {type Reader, readEvents} from '../service/events/reader.ts';
import {call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {isSoak, times} from './support/soak.ts';

const home = serviceHome();
const sockets: Socket[] = [];
const readers: Reader[] = [];
const agent = new Agent({keepAlive: true, maxSockets: 4});
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(home.lake());
	const folder = await smallDataset(`${home.root}/cups`, {episodes: 20});
	await call(service, '/local/v1/ingests', {body: {folder}});
	await vi.waitFor(
		async () => {
			const {items} = (await call(service, '/v1/datasets/list')).json<{items: unknown[]}>();
			expect(items).toHaveLength(1);
		},
		{timeout: 20_000},
	);
	return () => agent.destroy();
});

afterEach(() => {
	for (const socket of sockets.splice(0)) socket.destroy();
	for (const reader of readers.splice(0)) reader.close();
});

/** How long an explore takes for a client that keeps its connection, in milliseconds. */
function explore(): Promise<number> {
	const body = '{"limit":20}';
	const begun = performance.now();
	return new Promise((resolve, reject) => {
		const sent = request(
			new URL('/v1/datasets/explore', service.url),
			{
				method: 'POST',
				agent,
				headers: {
					'x-api-key': service.key,
					'content-type': 'application/json',
					'content-length': body.length,
				},
			},
			answer => {
				answer.resume();
				answer.on('end', () =>
					answer.statusCode === 200
						? resolve(performance.now() - begun)
						: reject(new Error(`status ${answer.statusCode}`)),
				);
			},
		);
		sent.on('error', reject);
		sent.end(body);
	});
}

async function p95(requests: number): Promise<number> {
	const taken: number[] = [];
	for (let n = 0; n < requests; n++) taken.push(await explore());
	return taken.toSorted((a, b) => a - b)[Math.floor(requests * 0.95)] ?? Number.NaN;
}

/** Beginnings of requests: one that stays in its headers, and one whose body does not come. */
const beginnings = (key: string, host: string) => [
	'GET /v1/datasets/list HTTP/1.1\r\nHost: ',
	`POST /v1/datasets/explore HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
];

/** Opens connections that begin a request and do not go on with it, or that say nothing. */
async function openSlowly(
	count: number,
	kinds = beginnings(service.key, new URL(service.url).host),
): Promise<void> {
	const {hostname, port} = new URL(service.url);
	await Promise.all(
		Array.from(
			{length: count},
			(_, n) =>
				new Promise<void>((resolve, reject) => {
					const socket = connect(Number(port), hostname, () => {
						socket.write(kinds[n % kinds.length] ?? '');
						resolve();
					});
					socket.on('error', reject);
					// The service may close it: that is its right, and no failure of this client.
					socket.once('connect', () => socket.off('error', reject).on('error', () => undefined));
					// Read, so that it is noticed when the service closes it.
					socket.resume();
					sockets.push(socket);
				}),
		),
	);
}

/** One byte each, every 10 seconds. */
function dribble(): NodeJS.Timeout {
	return setInterval(() => {
		for (const socket of sockets) if (socket.writable) socket.write('a');
	}, 10_000);
}

test('1,100 idle and 200 slow sockets and open event streams do not slow down the others', async () => {
	const requests = times(80, 1000);
	await p95(20);
	const measured: Array<{idle: number; loaded: number}> = [];
	// Another process may take the machine's time in one round: it will hardly in all.
	for (let round = 0; round < 4; round++) {
		const idle = await p95(requests);
		await openSlowly(1100, ['']);
		await openSlowly(times(200, 500));
		const streams = times(40, 200);
		readers.push(...(await Promise.all(Array.from({length: streams}, () => readEvents(service)))));
		const dribbling = dribble();
		const announcing = setInterval(() => {
			call(service, '/v1/projects', {body: {name: `project ${Math.random()}`}}).catch(() => undefined);
		}, 100);
		const loaded = await p95(requests);
		clearInterval(dribbling);
		clearInterval(announcing);
		expect(readers.every(({status}) => status === 200)).toBe(true);
		measured.push({idle, loaded});
		for (const socket of sockets.splice(0)) socket.destroy();
		for (const reader of readers.splice(0)) reader.close();
		if (loaded <= 3 * idle) break;
	}
	const last = measured.at(-1) ?? {idle: 0, loaded: Number.POSITIVE_INFINITY};
	console.info(`slow clients: p95 ${last.loaded.toFixed(2)} ms beside ${last.idle.toFixed(2)} ms idle`);
	expect(last.loaded, JSON.stringify(measured)).toBeLessThanOrEqual(3 * last.idle);
}, 180_000);

test.runIf(isSoak)(
	'slow sockets are closed when their time is over, and told so',
	async () => {
		await openSlowly(500);
		const dribbling = dribble();
		await expect.poll(() => sockets.filter(socket => !socket.closed).length, {timeout: 60_000}).toBe(0);
		clearInterval(dribbling);
		expect(await explore()).toBeLessThan(20_000);
	},
	120_000,
);

test('event streams beyond the limit are refused with a message, and the others continue', async () => {
	const opened = await Promise.all(Array.from({length: 300}, () => readEvents(service)));
	readers.push(...opened);
	const refused = opened.filter(({status}) => status === 503);
	expect(refused.length).toBe(300 - 256);
	expect(refused[0]?.headers['retry-after']).toBe('30');
	expect(await explore()).toBeLessThan(20_000);
});
