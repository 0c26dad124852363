import {afterEach, expect, test, vi} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {NetworkError} from '../../source/client/errors.ts';
import {emptyExplore} from './answers.ts';
import {certificate} from './self-signed.ts';
import {closing, failure} from './served.ts';
import {json, startProxy, startWireServer} from './wire-server.ts';

const quick = {tries: 3, firstDelayMs: 1, maxDelayMs: 5000};

afterEach(() => {
	vi.unstubAllEnvs();
});

test('a certificate that is not trusted is said to, until it is named', async () => {
	const server = await startWireServer(json(emptyExplore), {tls: true});
	closing(server);
	const stranger = createClient({baseUrl: server.url, key: 'k-12345678', retry: quick});
	const error = await failure(stranger.explore({}));
	expect(error.message).toContain('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
	expect(server.heard).toHaveLength(0);
	const friend = createClient({baseUrl: server.url, key: 'k-12345678', extraCertificates: certificate});
	closing(stranger, friend);
	expect((await friend.explore({})).data.total).toBe(0);
});

test('HTTPS_PROXY is used for other machines, with named certificates, and for this one never', async () => {
	const server = await startWireServer(json(emptyExplore), {tls: true});
	const proxy = await startProxy(server.port);
	vi.stubEnv('HTTPS_PROXY', proxy.url);
	vi.stubEnv('https_proxy', proxy.url);
	vi.stubEnv('NO_PROXY', '');
	vi.stubEnv('no_proxy', '');
	const far = createClient({baseUrl: 'https://lake.test', key: 'k-12345678', extraCertificates: certificate});
	closing(server, proxy, far);
	expect((await far.explore({})).data.total).toBe(0);
	expect(proxy.heard.map(({url}) => url)).toEqual(['lake.test:443']);
	expect(proxy.heard[0]?.headers).not.toHaveProperty('x-api-key');
	expect(server.heard[0]?.headers).toMatchObject({
		'x-api-key': 'k-12345678',
		'accept-encoding': 'gzip, deflate, br',
	});
	const near = createClient({baseUrl: server.url, extraCertificates: certificate});
	closing(near);
	expect((await near.explore({})).data.total).toBe(0);
	expect(proxy.heard).toHaveLength(1);
});

test('NO_PROXY keeps a host from the proxy', async () => {
	const proxy = await startProxy(1);
	vi.stubEnv('HTTPS_PROXY', proxy.url);
	vi.stubEnv('https_proxy', proxy.url);
	vi.stubEnv('NO_PROXY', 'lake.test');
	vi.stubEnv('no_proxy', 'lake.test');
	const client = createClient({baseUrl: 'https://lake.test', retry: {tries: 1}, timeouts: {overall: 1000}});
	closing(proxy, client);
	expect(await failure(client.explore({}))).toBeInstanceOf(NetworkError);
	expect(proxy.heard).toHaveLength(0);
});

test('a proxy that will not lead there is said to', async () => {
	const proxy = await startProxy(1, 407);
	vi.stubEnv('HTTPS_PROXY', proxy.url);
	vi.stubEnv('https_proxy', proxy.url);
	vi.stubEnv('NO_PROXY', '');
	vi.stubEnv('no_proxy', '');
	const client = createClient({baseUrl: 'https://lake.test', retry: {tries: 1}, timeouts: {overall: 5000}});
	closing(proxy, client);
	expect((await failure(client.explore({}))).message).toContain(
		'The proxy would not connect to https://lake.test',
	);
});

test('plain http to another machine carries the key only when that is allowed', async () => {
	const server = await startWireServer(json(emptyExplore));
	const proxy = await startProxy(server.port);
	vi.stubEnv('HTTP_PROXY', proxy.url);
	vi.stubEnv('http_proxy', proxy.url);
	vi.stubEnv('NO_PROXY', '');
	vi.stubEnv('no_proxy', '');
	const options = {baseUrl: 'http://lake.test', key: 'k-12345678', retry: {tries: 1}};
	const careful = createClient(options);
	const careless = createClient({...options, allowHttp: true});
	const keyless = createClient({baseUrl: 'http://lake.test', retry: {tries: 1}});
	closing(server, proxy, careful, careless, keyless);
	expect(await failure(careful.explore({}))).toMatchObject({name: 'RequestError', field: 'x-api-key'});
	expect(server.heard).toHaveLength(0);
	await careless.explore({});
	await keyless.explore({});
	expect(server.heard.map(({headers}) => headers['x-api-key'])).toEqual(['k-12345678', undefined]);
});
