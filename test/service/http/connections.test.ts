import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {connect, type Socket} from 'node:net';
import path from 'node:path';
import {afterEach, beforeAll, expect, test} from 'vitest';
import {accountId} from '../../../source/service/host/identity.ts';
import {strangerSlots} from '../../../source/service/http/connections.ts';
import {type Reader, readEvents} from '../events/reader.ts';
import {type Address, call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';
import {put, sha256} from '../support/uploading.ts';

const home = serviceHome();
const entry = path.resolve(import.meta.dirname, '../../../source/service/main.ts');
const peers: Socket[] = [];
const readers: Reader[] = [];
/** The service as people on its own machine reach it, and as others do. */
let addresses: {own: Address; network: Address};

beforeAll(async () => {
	const keys = ['ana', 'ben'].map(name => ({
		name,
		sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
		accounts: [accountId],
	}));
	const file = path.join(home.root, 'keys.json');
	writeFileSync(file, JSON.stringify({keys}), {mode: 0o600});
	const lake = home.lake();
	const args = ['--foreground', '--lake', lake, '--listen', '127.0.0.2', '--keys', file];
	const child = spawn(process.execPath, [entry, ...args], {stdio: ['ignore', 'pipe', 'inherit']});
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const own = await home.join(lake);
	const url = line.toString().slice('listening '.length).trim();
	addresses = {own, network: {url, key: 'key-of-ana'}};
	expect(own.pid).toBe(child.pid);
	return async () => {
		child.kill('SIGKILL');
		await once(child, 'close');
	};
});

afterEach(() => {
	for (const socket of peers.splice(0)) socket.destroy();
	for (const reader of readers.splice(0)) reader.close();
});

/** A connection of somebody who keeps his side open, and what he says first. */
function peer({url}: Address, words = ''): Promise<Socket> {
	const {hostname, port} = new URL(url);
	return new Promise((resolve, reject) => {
		const socket = connect({host: hostname, port: Number(port), allowHalfOpen: true}, () => {
			if (words !== '') socket.write(words);
			socket.off('error', reject).on('error', () => undefined);
			resolve(socket);
		});
		socket.on('error', reject);
		peers.push(socket);
	});
}

/**
 * Those of the connections that the service holds, from the kernel's table: one that it has closed alone, and that waits
 * for its peer, has no inode any more.
 */
function held(sockets: readonly Socket[]): Socket[] {
	const ports = new Set(
		readFileSync('/proc/net/tcp', 'utf8')
			.split('\n')
			.slice(1)
			.map(line => line.trim().split(/\s+/))
			.filter(fields => fields[9] !== '0')
			.map(([, local, remote]) => `${local} ${remote?.split(':')[1]}`),
	);
	const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0');
	const address = (ip = '') =>
		ip
			.split('.')
			.reverse()
			.map(part => Number(part).toString(16).padStart(2, '0'));
	return sockets.filter(({remoteAddress, remotePort, localPort}) =>
		ports.has(`${address(remoteAddress).join('').toUpperCase()}:${hex(remotePort)} ${hex(localPort)}`),
	);
}

/** What a stranger may begin and not go on with. */
const beginnings = ({url}: Address) => [
	'GET /v1/datasets/list HTTP/1.1\r\nHost: ',
	`PUT /local/v1/blobs/${'ab'.repeat(32)}?signature=made-up HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 1000000\r\n\r\na`,
];

/** A client that keeps one connection. */
function keptConnection(address: Address) {
	const agent = new Agent({keepAlive: true, maxSockets: 1});
	const ports = new Set<number | undefined>();
	const list = () =>
		new Promise<number | undefined>((resolve, reject) => {
			const sent = request(new URL('/v1/datasets/list', address.url), {
				agent,
				headers: {'x-api-key': address.key},
			});
			sent.on('error', reject);
			sent.on('response', answer => {
				ports.add(answer.socket.localPort);
				answer.resume().on('end', () => resolve(answer.statusCode));
			});
			sent.end();
		});
	return {list, ports, close: () => agent.destroy()};
}

test.each(['own', 'network'] as const)(
	'1,100 idle and 200 slow connections of strangers lose their oldest, and refuse nobody with a key (%s)',
	async listener => {
		const address = addresses[listener];
		const kept = keptConnection(address);
		expect(await kept.list()).toBe(200);
		const reader = await readEvents(address);
		readers.push(reader);
		const slow = beginnings(address);
		const coming = Array.from({length: 1300}, (_, n) =>
			peer(address, n >= 1100 ? (slow[n % slow.length] ?? '') : ''),
		);
		const statuses: number[] = [];
		for (let n = 0; n < 20; n++) statuses.push((await call(address, '/v1/datasets/list')).status);
		const strangers = await Promise.all(coming);
		for (let n = 0; n < 20; n++) statuses.push((await call(address, '/v1/datasets/list')).status);
		expect(new Set(statuses)).toEqual(new Set([200]));
		await expect.poll(() => held(strangers).length).toBeLessThanOrEqual(strangerSlots);
		expect(await kept.list()).toBe(200);
		expect(kept.ports.size).toBe(1);
		const settled = await Promise.race([reader.ended.then(() => 'ended'), Promise.resolve('open')]);
		expect(settled).toBe('open');
		kept.close();
	},
);

test('a connection that says nothing is closed when its time is over, though its peer keeps it open', async () => {
	const {own, network} = addresses;
	const silent = await Promise.all([peer(own), peer(own, 'GET / HT'), peer(network)]);
	await expect.poll(() => held(silent).length).toBe(3);
	await expect.poll(() => held(silent).length, {timeout: 40_000}).toBe(0);
});

test('a connection on which no HTTP came is closed, though its peer keeps it open', async () => {
	const asked = [addresses.own, addresses.network].map(async address => {
		const socket = await peer(address, 'EHLO here\r\n\r\n');
		let text = '';
		socket.on('data', data => {
			text += data;
		});
		await once(socket, 'end');
		expect(text).toMatch(/^HTTP\/1\.1 400 /);
		return socket;
	});
	const told = await Promise.all(asked);
	await expect.poll(() => held(told).length).toBe(0);
});

test('who sends a blob to a target is no stranger', async () => {
	const content = Buffer.from('a piece of a dataset');
	const prepared = await call(addresses.own, '/v1/datasets/upload/prepare-batch', {
		body: {
			blobs: [
				{blob_id: sha256(content), envelope_sha256: sha256(content), content_length: content.byteLength},
			],
		},
	});
	const [target] = prepared.json<{targets: Array<{url: string}>}>().targets;
	const {pathname, search, host} = new URL(target?.url ?? '');
	const sender = await peer(
		addresses.own,
		`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${content.byteLength}\r\n\r\n`,
	);
	// Answered behind what was written first: that request has been begun.
	expect((await put(`${addresses.own.url}${pathname}?x`, content)).status).toBe(403);
	await Promise.all(Array.from({length: strangerSlots + 50}, () => peer(addresses.own)));
	expect((await call(addresses.own, '/v1/datasets/list')).status).toBe(200);
	sender.write(content);
	const [answer] = (await once(sender, 'data')) as [Buffer];
	expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /);
});

test.each(['own', 'network'] as const)('a request with two Host headers gets 400 (%s)', async listener => {
	const {url, key} = addresses[listener];
	const {host} = new URL(url);
	const asked = (second: string) =>
		`GET /v1/datasets/list HTTP/1.1\r\nHost: ${host}\r\n${second}x-api-key: ${key}\r\n\r\n`;
	const answers: string[] = [];
	for (const second of ['', `Host: ${host}\r\n`, 'hOST: elsewhere.example\r\n']) {
		const socket = await peer(addresses[listener], asked(second));
		const [data] = (await once(socket, 'data')) as [Buffer];
		answers.push(data.toString());
	}
	expect(answers.map(text => text.split(' ')[1])).toEqual(['200', '400', '400']);
	expect(answers[1]).toContain('{"detail":"The request has more than one Host header."}');
});

test('one key on another machine takes no more event readers than its share, and none from others', async () => {
	const {own, network} = addresses;
	const ben = {...network, key: 'key-of-ben'};
	const open = async (address: Address, count: number) => {
		const opened = await Promise.all(Array.from({length: count}, () => readEvents(address)));
		readers.push(...opened);
		return opened.filter(({status}) => status === 200);
	};
	const taken = await open(network, 100);
	expect(taken).toHaveLength(64);
	expect(await open(ben, 1)).toHaveLength(1);
	expect(await open(own, 100)).toHaveLength(100);
	const refused = await call(network, '/v1/events');
	expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
	expect(refused.json<{detail: string}>().detail).toMatch(/^64 clients with this key read events already/);
	taken[0]?.close();
	await expect.poll(async () => (await open(network, 1)).length).toBe(1);
});
