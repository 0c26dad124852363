import {symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test, vi} from 'vitest';
import type {JoinedService} from '../../source/service/front-door.ts';
import {type Answer, call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const home = serviceHome();
const secret = 'what-nobody-may-read';
let service: JoinedService;
let folder: string;

beforeAll(async () => {
	service = await home.join(home.lake());
	await writeFile(path.join(home.root, 'secret.txt'), secret);
	await smallDataset(path.join(home.root, 'outside'));
	await writeFile(path.join(home.root, 'outside', 'README.md'), secret);
	folder = await smallDataset(path.join(home.root, 'cups'));
	await symlink(path.join(home.root, 'secret.txt'), path.join(folder, 'README.md'));
	await symlink(home.root, path.join(folder, 'up'));
	const {operation_id} = (await call(service, '/local/v1/ingests', {body: {folder}})).json<{
		operation_id: string;
	}>();
	await vi.waitFor(
		async () => {
			const status = await call(service, `/v1/datasets/sync-status/${operation_id}`);
			expect(status.json()).toMatchObject({phase: 'finalized'});
		},
		{timeout: 20_000},
	);
});

const steps = [
	'..',
	'.',
	'',
	'%2e%2e',
	'%252e%252e',
	'..%2f',
	'%2e%2e%2f',
	'..%5c',
	'..;',
	'%c0%ae%c0%ae',
	'%u002e',
	'\u2025',
	'cups',
	'local',
	'up',
	'outside',
	'secret.txt',
	'README.md',
	'%00',
	'cups%00',
	'~',
	'file:',
	'etc',
	'passwd',
	'proc',
	'self',
	'environ',
	'x'.repeat(300),
	'%',
	'%zz',
	'a\u0300'.repeat(90),
];

/** Odd paths of up to eight steps, the likely ones among them. */
function oddPaths(count: number): string[] {
	const random = randomFrom(7);
	const pick = () => steps[Math.floor(random() * steps.length)] ?? '';
	const likely = [
		'local/../secret.txt',
		'local/cups/../../outside',
		'local/cups/up/outside',
		'local/cups/README.md',
		'local%2f..%2f..%2fsecret.txt',
		path.join(home.root, 'secret.txt'),
		'local/outside',
	];
	const made = Array.from({length: count}, () =>
		Array.from({length: 1 + Math.floor(random() * 8)}, pick).join('/'),
	);
	return [...likely, ...made];
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
/** As it may stand in a request's first line, odd letters in UTF-8. */
const raw = (text: string) => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent).replace(/#/g, '%23');

/** Each way in which a path gets into the service. */
const ways: ReadonlyArray<(odd: string) => Promise<Answer>> = [
	odd => call(service, `/v1/datasets/files?path=${encoded(odd)}`),
	odd => call(service, `/v1/datasets/files?path=${raw(odd)}`),
	odd => call(service, `/v1/datasets/${encoded(odd)}/image-keys`),
	odd => call(service, `/v1/datasets/${raw(odd)}/image-keys`),
	odd => call(service, `/${raw(odd)}`),
	odd => call(service, `/v1/${raw(odd)}`),
	odd => call(service, `/local/v1/${raw(odd)}`),
	odd => call(service, `/local/v1/ingests/${raw(odd)}`),
	odd => call(service, '/local/v1/ingests', {body: {folder: `/${odd}\u0000/x`}}),
	odd => call(service, '/local/v1/ingests', {body: {folder: odd.replace(/^\/*/, '')}}),
];

const tried = times(60, 2000);

test(
	'no path leads out of a dataset, and none fails the service',
	async () => {
		const wrong: string[] = [];
		for (const odd of oddPaths(tried)) {
			for (const [n, way] of ways.entries()) {
				const answer = await way(odd);
				const shown = answer.text.includes(secret) || answer.text.includes('root:x:0:0');
				const knownAnswer = answer.status < 500 && answer.headers['content-type'] === 'application/json';
				if (shown || !knownAnswer)
					wrong.push(`way ${n}, ${odd}: ${answer.status} ${answer.text.slice(0, 200)}`);
			}
		}
		expect(wrong).toEqual([]);
		const {items} = (await call(service, '/local/v1/ingests')).json<{items: unknown[]}>();
		expect(items).toHaveLength(1);
	},
	patience(tried * ways.length, 20),
);

test('the files of a dataset are those inside it: links that lead out are neither listed nor read', async () => {
	const answer = await call(service, '/v1/datasets/files?path=local/cups');
	expect(answer.status).toBe(200);
	expect(answer.text).not.toContain(secret);
	const {files, readme} = answer.json<{files: Array<{path: string}>; readme: string | null}>();
	expect(readme).toBeNull();
	expect(files.map(file => file.path)).toContain('meta/info.json');
	expect(files.filter(file => /^(up|README)/.test(file.path))).toEqual([]);
});
