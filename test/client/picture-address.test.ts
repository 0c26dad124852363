import type {LookupAddress} from 'node:dns';
import type {LookupFunction} from 'node:net';
import {afterEach, expect, test, vi} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {isPrivate} from '../../source/client/picture-address.ts';
import {closing, failure, served} from './served.ts';
import {json, startWireServer} from './wire-server.ts';

const bytes = Buffer.from([1, 2, 3, 4]);

afterEach(() => vi.unstubAllEnvs());

/** A name service that answers each question with the next of these, and counts them. */
function names(...answers: readonly (readonly string[])[]) {
	let asked = 0;
	const lookup: LookupFunction = (_, options, callback) => {
		const found = answers[Math.min(asked++, answers.length - 1)] ?? [];
		const all: LookupAddress[] = found.map(address => ({address, family: address.includes(':') ? 6 : 4}));
		if (options.all) callback(null, all);
		else callback(null, all[0]?.address ?? '', all[0]?.family);
	};
	return {lookup, asked: () => asked};
}

/** A client of a service that is not on this machine, and a picture server that is. */
async function elsewhere(options: Partial<ClientOptions> = {}) {
	const pictures = await startWireServer(response => response.end(bytes));
	const client = createClient({baseUrl: 'https://lake.example', key: 'k-12345678', ...options});
	closing(pictures, client);
	return {pictures, client};
}

test('addresses of this machine and of private networks are told from those of the internet', () => {
	const own = ['127.0.0.1', '::1', '::', '0.0.0.0', '::ffff:127.0.0.1', '::ffff:7f00:1', '169.254.169.254'];
	const ofNetworks = [
		'10.1.2.3',
		'172.16.0.1',
		'172.31.255.1',
		'192.168.1.1',
		'100.64.0.1',
		'::ffff:10.0.0.1',
	];
	const v6 = ['fd00::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '224.0.0.1', '255.255.255.255'];
	const open = ['8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '100.128.0.1'];
	expect([...own, ...ofNetworks, ...v6].filter(address => !isPrivate(address))).toEqual([]);
	expect(open.filter(isPrivate)).toEqual([]);
});

test.each([
	['http://127.0.0.1:PORT/x', '127.0.0.1'],
	['http://2130706433:PORT/x', '127.0.0.1'],
	['http://0x7f.1:PORT/x', '127.0.0.1'],
	['http://[::ffff:127.0.0.1]:PORT/x', '::ffff:7f00:1'],
	['http://[::1]:PORT/x', '::1'],
	['http://0.0.0.0:PORT/x', '0.0.0.0'],
	['http://localhost:PORT/x', 'localhost is (127.0.0.1|::1)'],
	['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
	['http://10.20.30.40/x', '10.20.30.40'],
])('a picture at %s has this machine ask nothing for a service elsewhere', async (address, named) => {
	const {pictures, client} = await elsewhere();
	const {message} = await failure(client.picture(address.replace('PORT', `${pictures.port}`)));
	expect(message).toMatch(new RegExp(`^The picture is not read: its host ${named}`));
	expect(message).toContain('name it in "thumbHosts" of the configuration');
	expect(pictures.heard).toEqual([]);
});

test('a name is judged by what it resolves to, and only what was judged is connected to', async () => {
	const rebinding = names(['127.0.0.1'], ['127.0.0.1']);
	const {pictures, client} = await elsewhere({lookup: rebinding.lookup});
	const url = `http://thumbs.example:${pictures.port}/x`;
	const {message} = await failure(client.picture(url));
	expect(message).toContain('its host thumbs.example is 127.0.0.1, in a private network');
	// Both at once: the private one is not tried where the public one does not answer (a port that nobody has there).
	const mixed = names(['192.0.2.1', '127.0.0.1']);
	const impatient = await elsewhere({lookup: mixed.lookup, timeouts: {connect: 300}});
	await failure(impatient.client.picture(`http://thumbs.example:${impatient.pictures.port}/x`));
	// Public when it is asked for, private a moment later: it is asked for once.
	const late = names(['192.0.2.1'], ['127.0.0.1']);
	const third = await elsewhere({lookup: late.lookup, timeouts: {connect: 300}});
	await failure(third.client.picture(`http://thumbs.example:${third.pictures.port}/x`));
	expect(late.asked()).toBe(1);
	expect([pictures, impatient.pictures, third.pictures].flatMap(({heard}) => heard)).toEqual([]);
});

test('a lab’s own object store is read once the configuration names it, by its name or its address', async () => {
	const inLab = names(['127.0.0.1']);
	const {pictures, client} = await elsewhere({lookup: inLab.lookup, thumbHosts: ['Minio.lab', '127.0.0.1']});
	for (const host of ['minio.lab', 'minio.lab.', '127.0.0.1']) {
		expect(Buffer.from(await client.picture(`http://${host}:${pictures.port}/x`))).toEqual(bytes);
	}
	expect(await failure(client.picture(`http://other.lab:${pictures.port}/x`))).toMatchObject({
		message: expect.stringContaining('its host other.lab is 127.0.0.1'),
	});
	expect(pictures.heard.map(({url}) => url)).toEqual(['/x', '/x', '/x']);
});

test('pictures on the service’s own host are read, at another port too', async () => {
	const {client} = await served(json({}), {});
	const pictures = await startWireServer(response => response.end(bytes));
	closing(pictures);
	for (const host of ['127.0.0.1', 'localhost']) {
		const got = await client.picture(`http://${host}:${pictures.port}/x`);
		expect(Buffer.from(got)).toEqual(bytes);
	}
});

test('a redirect to a private address is not followed', async () => {
	const target = await startWireServer(response => response.end(bytes));
	const {pictures} = await elsewhere();
	const moved = await startWireServer(response =>
		response.writeHead(302, {location: `${target.url}/secret`}).end(),
	);
	const client = createClient({
		baseUrl: 'https://lake.example',
		thumbHosts: ['thumbs.example'],
		lookup: names(['127.0.0.1']).lookup,
	});
	closing(target, moved, client);
	const {message} = await failure(client.picture(`http://thumbs.example:${moved.port}/x`));
	expect(message).toMatch(/answers 302 instead of a picture/);
	expect([...target.heard, ...pictures.heard]).toEqual([]);
});

test('past a proxy too: what this machine knows as a private address is not asked for', async () => {
	const proxy = await startWireServer(response => response.end(bytes));
	vi.stubEnv('HTTP_PROXY', proxy.url);
	vi.stubEnv('http_proxy', proxy.url);
	vi.stubEnv('NO_PROXY', '');
	const {client} = await elsewhere({lookup: names(['10.0.0.7']).lookup});
	closing(proxy);
	const {message} = await failure(client.picture('http://thumbs.example/x'));
	expect(message).toContain('its host thumbs.example is 10.0.0.7, in a private network');
	expect(proxy.heard).toEqual([]);
});
