import {randomBytes} from 'node:crypto';
import {request} from 'node:http';
import {beforeAll, expect, test} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {BlobSigner} from '../../source/service/uploads/blob-signature.ts';
import {call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {blobsIn, prepare, put, sha256} from '../service/support/uploading.ts';
import {patience, randomFrom, times} from './support/soak.ts';

process.env.LAKESCOPE_UPLOAD_QUIET_S = '1';
const home = serviceHome();
const lake = home.lake();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(lake);
});

const puts = times(200, 2000);
const random = randomFrom(20_260);

/** Sends a part of a body and then breaks the connection, or half-closes it. */
function breakOff(
	url: string,
	said: number,
	part: Uint8Array,
	how: 'reset' | 'truncate',
): Promise<number | 'broken'> {
	return new Promise(resolve => {
		const outgoing = request(
			url,
			{method: 'PUT', agent: false, headers: {'content-length': said}},
			response => {
				response.resume();
				resolve(response.statusCode ?? 0);
			},
		);
		outgoing.on('error', () => resolve('broken'));
		outgoing.write(part, () => {
			if (how === 'reset') outgoing.socket?.resetAndDestroy();
			else outgoing.socket?.end();
		});
	});
}

type Fault = (bytes: Buffer, url: string) => Promise<number | 'broken'>;

const changed = (bytes: Buffer) => {
	const copy = Buffer.from(bytes);
	const at = Math.floor(random() * copy.byteLength);
	copy[at] = (copy[at] ?? 0) ^ 0xff;
	return copy;
};

const withQuery = (url: string, name: string, value: string) => {
	const other = new URL(url);
	other.searchParams.set(name, value);
	return other.href;
};

const faults: Record<string, {readonly send: Fault; readonly may: ReadonlyArray<number | 'broken'>}> = {
	none: {send: async (bytes, url) => (await put(url, bytes)).status, may: [201]},
	reset: {
		send: (bytes, url) =>
			breakOff(url, bytes.byteLength, bytes.subarray(0, bytes.byteLength * random()), 'reset'),
		may: ['broken'],
	},
	truncated: {
		send: (bytes, url) =>
			breakOff(url, bytes.byteLength, bytes.subarray(0, bytes.byteLength * random()), 'truncate'),
		may: ['broken', 400],
	},
	'wrong hash': {send: async (bytes, url) => (await put(url, changed(bytes))).status, may: [422]},
	'shorter than said': {send: async (bytes, url) => (await put(url, bytes.subarray(1))).status, may: [400]},
	'longer than said': {
		send: async (bytes, url) => (await put(url, Buffer.concat([bytes, bytes]))).status,
		may: [413],
	},
	'another length signed': {
		send: async (bytes, url) =>
			(await put(withQuery(url, 'length', `${bytes.byteLength - 1}`), bytes.subarray(1))).status,
		may: [403],
	},
	'altered signature': {
		send: async (bytes, url) => (await put(withQuery(url, 'signature', 'ab'.repeat(32)), bytes)).status,
		may: [403],
	},
	'signature of another blob': {
		send: async (bytes, url) => (await put(url.replace(sha256(bytes), sha256('another')), bytes)).status,
		may: [403],
	},
	expired: {
		send: async (bytes, url) => {
			const grant = {blobId: sha256(bytes), length: bytes.byteLength, uploadId: undefined};
			const query = await new BlobSigner(lake).sign({...grant, expires: Math.floor(Date.now() / 1000)});
			return (await put(`${url.split('?')[0]}?${query}`, bytes)).status;
		},
		may: [403],
	},
	replayed: {
		send: async (bytes, url) => {
			const first = await put(url, bytes);
			const [again, wrong] = await Promise.all([put(url, bytes), put(url, changed(bytes))]);
			expect([first.status, again.status, wrong.status]).toEqual([201, 200, 422]);
			return first.status;
		},
		may: [201],
	},
	'sent twice at once': {
		send: async (bytes, url) => {
			const both = await Promise.all([put(url, bytes), put(url, bytes)]);
			expect(both.every(({status}) => status === 200 || status === 201)).toBe(true);
			return 201;
		},
		may: [201],
	},
};

test(
	`${puts} PUTs, most of them broken in some way: what is stored matches its name, and nothing is called stored that is not`,
	async () => {
		const names = Object.keys(faults);
		const stored = new Map<string, Buffer>();
		const sendOne = async (name: string) => {
			const bytes = randomBytes(1 + Math.floor(random() * 200_000));
			const [target] = await prepare(service, [bytes]);
			const {send, may} = faults[name] as (typeof faults)[string];
			const outcome = await send(bytes, target?.url ?? '');
			expect([name, outcome]).toEqual([name, expect.toBeOneOf([...may])]);
			if (outcome === 201) stored.set(sha256(bytes), bytes);
		};
		const all = Array.from({length: puts}, (_, i) => names[i % names.length] ?? 'none');
		const rest = all.values();
		const worker = async () => {
			for (const name of rest) await sendOne(name);
		};
		await Promise.all(Array.from({length: 6}, worker));

		const held = await blobsIn(lake);
		expect([...held.blobs.keys()].sort()).toEqual([...stored.keys()].sort());
		for (const [name, bytes] of held.blobs) expect(sha256(bytes)).toBe(name);
		// What broke off may still be on its way out.
		await expect.poll(async () => (await blobsIn(lake)).strays).toEqual([]);
		expect((await call(service, '/local/v1')).status).toBe(200);
	},
	patience(puts, 50),
);
