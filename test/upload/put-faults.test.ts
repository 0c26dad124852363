import {connect} from 'node:net';
import path from 'node:path';
import {beforeAll, expect, onTestFinished, test} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {blobsIn, sha256} from '../service/support/uploading.ts';
import {type PutExchange, type PutFault, sentAgain, startRecordingProxy} from './support/recording-proxy.ts';
import {manyFiles, sendAll, senderTo, writeFiles} from './support/sending.ts';

const home = serviceHome();
process.env.XDG_STATE_HOME = path.join(home.root, 'state');
const lake = home.lake();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(lake);
});

async function setting(name: string, files: Record<string, string | Uint8Array>) {
	service = await home.join(lake);
	const proxy = await startRecordingProxy(service.url);
	onTestFinished(proxy.close);
	const folder = await writeFiles(path.join(home.root, name), files);
	return {proxy, folder, through: {url: proxy.url, key: service.key}};
}

const answer =
	(status: number, headers: Record<string, string> = {}, body = '{"detail":"not now"}'): PutFault =>
	({request, response}) => {
		request.resume();
		response.writeHead(status, {'content-type': 'application/json', ...headers});
		response.end(body);
	};

const reset: PutFault = ({response}) => {
	response.socket?.resetAndDestroy();
};

/** The service confirms, and nobody hears it. */
const unheard: PutFault = async exchange => {
	const {response} = exchange;
	response.end = () => response.destroy();
	await exchange.forward();
};

/** The service gets the beginning of the body and then a closed connection. */
const truncated =
	(origin: () => string): PutFault =>
	async ({request, response}) => {
		const {hostname, port} = new URL(origin());
		const onwards = connect(Number(port), hostname);
		const head = Object.entries({...request.headers, host: `${hostname}:${port}`});
		onwards.write(
			`PUT ${request.url} HTTP/1.1\r\n${head.map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n`,
		);
		for await (const chunk of request) {
			onwards.end((chunk as Buffer).subarray(0, 10));
			break;
		}
		await new Promise(resolve => onwards.resume().once('close', resolve));
		response.destroy();
	};

/** An answer that breaks off in the middle. */
const halfAnswer: PutFault = async exchange => {
	const {response} = exchange;
	response.end = () => {
		response.flushHeaders();
		response.write('{"blob_id', () => response.destroy());
		return response;
	};
	await exchange.forward();
};

const mending: [string, PutFault][] = [
	['a reset', reset],
	['a body cut short on the way', truncated(() => service.url)],
	['a confirmation that is lost', unheard],
	['an answer cut short', halfAnswer],
	['408', answer(408)],
	['429 with Retry-After', answer(429, {'retry-after': '0'})],
	['500', answer(500)],
	['502 from a gateway', answer(502, {'content-type': 'text/html'}, '<h1>Bad Gateway</h1>')],
	['503', answer(503)],
	['an expired or altered target', answer(403)],
	['a success without the confirmation', answer(200, {'content-type': 'text/html'}, '<h1>Sign in</h1>')],
];

test.each(mending)(
	'%s is tried again until every blob is there, and no confirmed one is sent twice',
	async (what, fault) => {
		const {proxy, folder, through} = await setting(`mending ${what}`, manyFiles(6, what, 3000));
		const hit = new Set<string>();
		proxy.onPut = async exchange => {
			const {blobId} = exchange.put;
			const isHit = hit.size < 3 && !hit.has(blobId);
			if (isHit) hit.add(blobId);
			await (isHit ? fault(exchange) : exchange.forward());
		};
		const {files} = await sendAll(folder, await senderTo(through));
		expect(hit.size).toBe(3);
		const {blobs, strays} = await blobsIn(lake);
		for (const {blobs: own} of files) {
			for (const {blob_id} of own) expect(sha256(blobs.get(blob_id) ?? '')).toBe(blob_id);
		}
		expect(strays).toEqual([]);
		expect(sentAgain(proxy.puts)).toEqual([]);
	},
);

test('Retry-After is waited for', async () => {
	const {proxy, folder, through} = await setting('retry-after', manyFiles(1, 'retry-after'));
	const times: number[] = [];
	proxy.onPut = async exchange => {
		times.push(performance.now());
		await (exchange.nth === 1 ? answer(429, {'retry-after': '1'})(exchange) : exchange.forward());
	};
	await sendAll(folder, await senderTo(through));
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
});

test('a service that answers nothing at all is given up on and tried again', async () => {
	const {proxy, folder, through} = await setting('silent', manyFiles(1, 'silent'));
	proxy.onPut = exchange => (exchange.nth === 1 ? undefined : exchange.forward());
	await sendAll(folder, await senderTo(through, {headersMs: 300}));
	expect(proxy.puts).toHaveLength(2);
});

const lasting: [string, PutFault, number, string][] = [
	['a redirect', answer(307, {location: 'https://elsewhere.example/blob'}), 1, 'redirects are not followed'],
	[
		'a disk that is full',
		answer(507, {}, '{"detail":"The disk of the lake is full."}'),
		1,
		'The disk of the lake is full.',
	],
	['a target refused each time', answer(403, {}, '{"detail":"no right"}'), 4, '403: no right'],
	['a service that is never ready', answer(503), 8, 'That was try 8; the same command resumes from here.'],
	['a wait that is too long', answer(429, {'retry-after': '9999'}), 1, '429'],
	[
		'a length that is refused',
		answer(413, {}, '{"detail":"longer than prepared"}'),
		1,
		'longer than prepared',
	],
];

test.each(lasting)('%s ends the upload in a sentence', async (what, fault, puts, sentence) => {
	const {proxy, folder, through} = await setting(`lasting ${what}`, manyFiles(1, what));
	proxy.onPut = fault;
	await expect(sendAll(folder, await senderTo(through))).rejects.toThrow(sentence);
	expect(proxy.puts).toHaveLength(puts);
});

test('one failure breaks off what else is being sent', async () => {
	const {proxy, folder, through} = await setting('broken', manyFiles(40, 'broken', 20_000));
	let open = 0;
	proxy.onPut = async (exchange: PutExchange) => {
		if (exchange.nth === 4) return answer(507)(exchange);
		open++;
		exchange.request.resume();
		exchange.response.once('close', () => open--);
		return undefined;
	};
	await expect(sendAll(folder, await senderTo(through))).rejects.toThrow('507');
	await expect.poll(() => open).toBe(0);
	expect(proxy.puts.length).toBeLessThan(6);
});

test('a target that has expired before it is used is replaced first', async () => {
	const {proxy, folder, through} = await setting('expired', manyFiles(1, 'expired'));
	const sender = await senderTo(through);
	const {destination} = sender;
	let asked = 0;
	const expiring = {
		...destination,
		async prepare(...given: Parameters<typeof destination.prepare>) {
			const targets = await destination.prepare(...given);
			return asked++ > 0 ? targets : targets.map(target => ({...target, expiresAt: Date.now() - 1}));
		},
	};
	await sendAll(folder, {...sender, destination: expiring});
	expect(asked).toBe(2);
	expect(proxy.puts).toHaveLength(1);
});
