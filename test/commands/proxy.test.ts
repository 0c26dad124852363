import {writeFileSync} from 'node:fs';
import {afterEach, expect, test} from 'vitest';
import {emptyExplore} from '../client/answers.ts';
import {certificate} from '../client/self-signed.ts';
import {json, startProxy, startWireServer} from '../client/wire-server.ts';
import {programHome} from './support/program.ts';

const home = programHome();
const hosted = {LAKESCOPE_URL: 'https://lake.test', LAKESCOPE_API_KEY: 'k-12345678'};
const open: {close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const each of open.splice(0).reverse()) await each.close();
});

test('the built program reaches a service through a proxy', async () => {
	const server = await startWireServer(json(emptyExplore), {tls: true});
	const proxy = await startProxy(server.port);
	open.push(server, proxy);
	const trust = home.at('authority.pem');
	writeFileSync(trust, certificate);
	const {code, stdout, stderr} = await home.run(['episodes', '--json'], {
		...hosted,
		HTTPS_PROXY: proxy.url,
		NODE_EXTRA_CA_CERTS: trust,
	});
	expect(stderr).toBe('');
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({episodes: [], total: 0});
	expect(proxy.heard.map(({url}) => url)).toEqual(['lake.test:443']);
});

test('a proxy that is not there, or can be none, is named with the way out', async () => {
	const proxy = await startProxy(1);
	await proxy.close();
	const absent = await home.run(['episodes'], {...hosted, HTTPS_PROXY: proxy.url});
	expect(absent.stderr).toBe(
		'lakescope: https://lake.test cannot be reached through the proxy (ECONNREFUSED): check HTTPS_PROXY and the network, and name what needs no proxy in NO_PROXY.\n',
	);
	expect(absent.code).toBe(3);
	for (const HTTPS_PROXY of ['secret@nowhere', 'proxy.example.com:3128']) {
		const none = await home.run(['episodes'], {...hosted, HTTPS_PROXY});
		expect(none.stderr).toBe(
			"lakescope: The proxy's address in HTTPS_PROXY must be a URL such as http://proxy.example.com:3128, and it is not one.\n",
		);
		expect(none.code).toBe(2);
	}
});
