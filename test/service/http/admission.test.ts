import {beforeAll, describe, expect, test} from 'vitest';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
let service: JoinedService;
let port: string;

beforeAll(async () => {
	service = await home.join(home.lake());
	port = new URL(service.url).port;
});

/** Paths of all kinds: the document's, our own, one that is in no version, and one that does not exist. */
const paths = ['/local/v1', '/v1/datasets/list', '/v1/jobs/list', '/nothing/here'];

describe.each(paths)('%s', path => {
	const hosts: ReadonlyArray<[string, () => string | undefined, boolean]> = [
		['its own address', () => `127.0.0.1:${port}`, true],
		['localhost', () => `localhost:${port}`, true],
		['the loopback of IPv6', () => `[::1]:${port}`, true],
		['a name in capitals', () => `LOCALHOST:${port}`, true],
		['a name that a page made to point here', () => `rebound.example:${port}`, false],
		['another port', () => '127.0.0.1:1', false],
		['no port', () => '127.0.0.1', false],
		['a name that begins like its own', () => `127.0.0.1:${port}.rebound.example`, false],
	];
	const origins: ReadonlyArray<[string, () => string | undefined, boolean]> = [
		['no origin', () => undefined, true],
		['its own origin', () => `http://127.0.0.1:${port}`, true],
		['a page of another site', () => 'https://elsewhere.example', false],
		['a page of another port', () => 'http://127.0.0.1:1', false],
		['a page of its address over https', () => `https://127.0.0.1:${port}`, false],
		['a file or a sandbox', () => 'null', false],
	];
	const keys: ReadonlyArray<[string, () => string | undefined, boolean]> = [
		['its key', () => service.key, true],
		['no key', () => undefined, false],
		['an empty key', () => '', false],
		['another key of the same length', () => 'x'.repeat(service.key.length), false],
		['the beginning of its key', () => service.key.slice(0, -1), false],
	];
	const cases = hosts.flatMap(([hostName, host, hostFits]) =>
		origins.flatMap(([originName, origin, originFits]) =>
			keys.map(([keyName, key, keyFits]) => ({
				name: `${hostName}, ${originName}, ${keyName}`,
				headers: () => ({host: host(), origin: origin(), 'x-api-key': key()}),
				refusal: !(hostFits && originFits) ? 403 : !keyFits ? 401 : undefined,
			})),
		),
	);

	test('is answered only to its own host, its own origin or none, and its key', async () => {
		const wrong: string[] = [];
		for (const {name, headers, refusal} of cases) {
			const answer = await call(service, path, {headers: headers()});
			const refused = answer.status === 401 || answer.status === 403 ? answer.status : undefined;
			if (refused !== refusal) wrong.push(`${name}: ${answer.status}`);
			if (refused && typeof answer.json<{detail: unknown}>().detail !== 'string')
				wrong.push(`${name}: no detail`);
		}
		expect(wrong).toEqual([]);
	});
});

test('no page of another site is told that it may read anything', async () => {
	const origin = 'https://elsewhere.example';
	const preflight = await call(service, '/v1/datasets/explore', {
		method: 'OPTIONS',
		headers: {origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key'},
	});
	const plain = await call(service, '/local/v1');
	for (const {headers} of [preflight, plain]) {
		expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([]);
	}
	expect(preflight.status).toBe(403);
});

test('a request without a Host is refused', async () => {
	const answer = await call(service, '/local/v1', {headers: {host: undefined}});
	expect(answer.status).toBeGreaterThanOrEqual(400);
});

test('it is not reachable but over loopback', async () => {
	const {hostname} = new URL(service.url);
	expect(hostname).toBe('127.0.0.1');
	const {networkInterfaces} = await import('node:os');
	const others = Object.values(networkInterfaces())
		.flat()
		.filter(address => address && !address.internal && address.family === 'IPv4');
	for (const other of others) {
		await expect(
			call({...service, url: `http://${other?.address}:${port}`}, '/local/v1'),
		).rejects.toMatchObject({code: 'ECONNREFUSED'});
	}
});
