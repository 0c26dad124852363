import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {beforeAll, expect, test} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {type Call, call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {patience, times} from './support/soak.ts';

const home = serviceHome();
let service: JoinedService;
let port: string;
let folder: string;

beforeAll(async () => {
	service = await home.join(home.lake());
	port = new URL(service.url).port;
	folder = await smallDataset(`${home.root}/cups`);
});

type Part = readonly [value: string | undefined, fits: boolean];

const hosts = (): readonly Part[] => [
	[`127.0.0.1:${port}`, true],
	[`localhost:${port}`, true],
	[`rebound.example:${port}`, false],
	['127.0.0.1', false],
	[`127.0.0.1:${port}.rebound.example`, false],
	[`127.0.0.1:${port}@rebound.example`, false],
	['', false],
];
const origins = (): readonly Part[] => [
	[undefined, true],
	[`http://127.0.0.1:${port}`, true],
	['https://elsewhere.example', false],
	['http://127.0.0.1:1', false],
	[`https://127.0.0.1:${port}`, false],
	['null', false],
];
const keys = (): readonly Part[] => [
	[service.key, true],
	[undefined, false],
	['', false],
	['x'.repeat(service.key.length), false],
	[service.key.slice(0, -1), false],
	[`${service.key}x`, false],
];
/** Among them those that a page may send without asking first. */
const contentTypes = [
	'application/json',
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	undefined,
];

/** Calls that would change something, were they let in, and one that would tell something. */
const actions = (): ReadonlyArray<readonly [string, Call]> => [
	['/local/v1/ingests', {body: {folder}}],
	['/v1/projects', {body: {name: "a stranger's"}}],
	['/local/v1/uploads', {body: {dataset_name: 'strange'}}],
	['/local/v1/retire', {method: 'POST', body: ''}],
	['/v1/datasets/explore', {body: {}}],
	['/openapi.json', {}],
];

test(
	'a request with a wrong host, origin or key gets 401 or 403, and changes nothing',
	async () => {
		const combinations = hosts().flatMap(host =>
			origins().flatMap(origin =>
				keys().flatMap(key => contentTypes.map(kind => ({host, origin, key, kind}))),
			),
		);
		const strange = combinations.filter(({host, origin, key}) => !(host[1] && origin[1] && key[1]));
		const wrong: string[] = [];
		for (const [n, {host, origin, key, kind}] of strange.entries()) {
			const all = actions();
			const tried = times(1, all.length);
			for (let i = 0; i < tried; i++) {
				const [path, request] = all[(n + i) % all.length] ?? ['/', {}];
				const headers = {host: host[0], origin: origin[0], 'x-api-key': key[0], 'content-type': kind};
				const answer = await call(service, path, {...request, headers});
				const fits = answer.status === (host[1] && origin[1] ? 401 : 403);
				const said = typeof answer.json<{detail?: unknown}>().detail === 'string';
				const cors = Object.keys(answer.headers).some(name => name.startsWith('access-control'));
				if (!fits || !said || cors) wrong.push(`${path} ${JSON.stringify(headers)}: ${answer.status}`);
			}
		}
		expect(strange.length).toBeGreaterThan(1000);
		expect(wrong).toEqual([]);
		const lists = [
			'/local/v1/ingests',
			'/v1/projects/list',
			'/local/v1/uploads?all=true',
			'/v1/datasets/list',
		];
		for (const path of lists) {
			expect((await call(service, path)).json<{items: unknown[]}>().items).toEqual([]);
		}
	},
	patience(times(1200, 7200), 20),
);

/** The addresses on which a process listens, from the kernel's own tables: `7F000001:1F90` as it writes them. */
function listening(pid: number): string[] {
	const inodes = new Set(
		readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
			try {
				return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
			} catch {
				return [];
			}
		}),
	);
	const isListening = '0A';
	return ['tcp', 'tcp6'].flatMap(table =>
		readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
			.split('\n')
			.slice(1)
			.map(line => line.trim().split(/\s+/))
			.filter(([, , , state, , , , , , inode]) => state === isListening && inodes.has(inode ?? ''))
			.map(fields => fields[1] ?? ''),
	);
}

test('the service listens on loopback alone', () => {
	const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
	expect(listening(service.pid)).toEqual([`0100007F:${hex}`]);
});
