import {expect, test} from 'vitest';
import {closing, failure, served} from './served.ts';
import {json, startWireServer} from './wire-server.ts';

const key = 'a-key-of-this-service';
const bytes = Buffer.from([1, 2, 3, 4]);

test('a picture elsewhere is read without the key, one of the service itself with it', async () => {
	const elsewhere = await startWireServer(response => response.end(bytes));
	closing(elsewhere);
	const {client, server} = await served(response => response.end(bytes), {key});
	expect(Buffer.from(await client.picture(`${elsewhere.url}/thumb.png?size=4`))).toEqual(bytes);
	expect(elsewhere.heard[0]?.url).toBe('/thumb.png?size=4');
	expect(JSON.stringify(elsewhere.heard)).not.toContain(key);
	await client.picture(`${server.url}/thumb.png`);
	expect(server.heard[0]?.headers['x-api-key']).toBe(key);
});

test('nothing is followed, and what is not there or too large is said', async () => {
	const elsewhere = await startWireServer((response, {url}) => {
		if (url === '/moved') response.writeHead(302, {location: '/thumb.png'}).end();
		else if (url === '/large') response.end(Buffer.alloc(5 * 1024 * 1024));
		else response.writeHead(404).end();
	});
	closing(elsewhere);
	const {client} = await served(json({}), {key});
	expect((await failure(client.picture(`${elsewhere.url}/moved`))).message).toMatch(/answers 302 instead/);
	expect(elsewhere.heard).toHaveLength(1);
	expect((await failure(client.picture(`${elsewhere.url}/gone`))).message).toMatch(/answers 404 instead/);
	expect((await failure(client.picture(`${elsewhere.url}/large`))).message).toMatch(
		/more than 4194304 bytes/,
	);
});

test.each([
	'file:///etc/passwd',
	'javascript:alert(1)',
	'/thumb.png',
	'http://me:secret@host/x.png',
	'no address',
])('%s is no address that is read', async url => {
	const {client} = await served(json({}), {key});
	const {message} = await failure(client.picture(url));
	expect(message).toMatch(/must be an address of the web/);
	expect(message).not.toContain('secret');
});
