import {beforeEach, describe, expect, test, vi} from 'vitest';
import {ownJobList, ownProjectList} from '../../../source/contract/own-lists.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {ended, order, project, started, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();
const lake = home.lake();
let service: JoinedService;

beforeEach(async () => {
	service = await home.serve({lake, trainer: undefined});
});

test('4.12 POST /v1/projects makes a project once a name', async () => {
	const create = async (body: unknown) => (await call(service, '/v1/projects', {body})).json();
	const first = await create({name: 'towels', description: 'all that folds'});
	expect(first).toEqual({created: true, project_id: expect.stringMatching(/^[0-9a-f-]{36}$/)});
	expect(await create({name: 'towels'})).toEqual({...(first as object), created: false});
	expect(await create({name: 'Towels'})).toMatchObject({created: true});
	const listed = ownProjectList.parse((await call(service, '/v1/projects/list')).json());
	expect(listed.items.find(({name}) => name === 'towels')).toMatchObject({
		...{project_id: (first as {project_id: string}).project_id, description: 'all that folds', jobs: 0},
	});
});

test.each([
	['no name', {}, ['name']],
	['a blank name', {name: ' \t'}, ['name']],
	['a long name', {name: 'x'.repeat(256)}, ['name']],
	['half a character', {name: 'a\ud800'}, ['name']],
	['a field that is not known', {name: 'x', colour: 'red'}, ['colour']],
])('4.12 POST /v1/projects refuses %s', async (_, body, fields) => {
	const answer = await call(service, '/v1/projects', {body});
	expect(answer.status).toBe(422);
	expect(answer.json<{detail: Array<{loc: string[]}>}>().detail.map(({loc}) => loc.at(-1))).toEqual(fields);
});

test('4.11 GET /v1/projects/list counts a project’s jobs', async () => {
	const project_id = await project(service, 'with jobs');
	const jobs = [await started(service, {project_id}), await started(service, {project_id})];
	// A project is as new as its newest job: once these have ended, nothing moves while its pages are read below.
	for (const job of jobs) await until(service, job, ended);
	const {items} = ownProjectList.parse(
		(await call(service, '/v1/projects/list?sort=name&limit=1000')).json(),
	);
	expect(items.find(({name}) => name === 'with jobs')?.jobs).toBe(2);
	expect(items.map(({name}) => name)).toEqual(items.map(({name}) => name).sort());
});

/** Makes one after the other, each in a millisecond of its own, by which they are sorted. */
async function makeInTurn(names: readonly string[], make: (name: string) => Promise<unknown>): Promise<void> {
	for (const name of names) {
		await make(name);
		const made = Date.now();
		await vi.waitUntil(() => Date.now() > made, {interval: 1});
	}
}

describe('pages of projects and jobs', () => {
	const pagesOf = async (path: string, sort: string) => {
		const seen: string[] = [];
		let cursor = '';
		for (let page = 0; page < 50; page++) {
			const answer = await call(service, `${path}?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`);
			expect(answer.status).toBe(200);
			const {items, page_info} = answer.json<{
				items: Array<{name: string}>;
				page_info: {has_next: boolean; end_cursor: string | null; total_count: number};
			}>();
			seen.push(...items.map(({name}) => name));
			if (!page_info.has_next) return {seen, total: page_info.total_count};
			cursor = page_info.end_cursor ?? '';
		}
		throw new Error('the pages never end');
	};

	test.each(['newest', 'oldest', 'updated', 'name'])('4.11 sorted by %s show each once', async sort => {
		await makeInTurn(['p1', 'p2', 'p3', 'p4', 'p5'], name => project(service, name));
		const {seen, total} = await pagesOf('/v1/projects/list', sort);
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen.length).toBe(total);
		const own = seen.filter(name => /^p\d$/.test(name));
		expect(own.toSorted()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
		if (sort === 'oldest' || sort === 'name') expect(own).toEqual(own.toSorted());
		if (sort === 'newest') expect(own).toEqual(own.toSorted().reverse());
	});

	test('4.10 GET /v1/jobs/list shows each job once, the newest first', async () => {
		await makeInTurn(['j1', 'j2', 'j3'], name => started(service, {name}));
		const {seen} = await pagesOf('/v1/jobs/list', 'newest');
		expect(seen.filter(name => /^j\d$/.test(name))).toEqual(['j3', 'j2', 'j1']);
		expect(ownJobList.safeParse((await call(service, '/v1/jobs/list')).json()).success).toBe(true);
	});

	test('a project that is made while pages are read repeats and hides no other', async () => {
		const first = await call(service, '/v1/projects/list?limit=2');
		const {items, page_info} = ownProjectList.parse(first.json());
		await project(service, 'made meanwhile');
		const next = ownProjectList.parse(
			(await call(service, `/v1/projects/list?limit=2&cursor=${page_info.end_cursor}`)).json(),
		);
		const all = ownProjectList.parse((await call(service, '/v1/projects/list?limit=5')).json());
		expect([...items, ...next.items].map(({name}) => name)).toEqual(all.items.slice(1).map(({name}) => name));
	});

	test.each(['/v1/models/list', '/v1/jobs/list', '/v1/projects/list'])(
		'4.9–4.11 %s refuses invalid pagination parameters',
		async path => {
			const queries = [
				'limit=0',
				'limit=1001',
				'limit=x',
				'sort=best',
				'cursor=x',
				'cursor=WyJhIl0',
				'page=2',
			];
			const answers = await Promise.all(queries.map(query => call(service, `${path}?${query}`)));
			expect(answers.map(({status}) => status)).toEqual(queries.map(() => 422));
			const other = Buffer.from('["name","a","b"]').toString('base64url');
			expect((await call(service, `${path}?sort=newest&cursor=${other}`)).text).toContain('sorted by name');
		},
	);
});

test('names come back exactly as they were given', async () => {
	const count = process.env.LAKESCOPE_SOAK === '1' ? 500 : 12;
	const odd = [
		"'; DROP TABLE jobs; --",
		'\u0000',
		'‮evil',
		'🤖'.repeat(60),
		'\u001b[31mred',
		'a\nb',
		'"',
		'%s%n',
		'../..',
		'ﬃ',
		' x ',
		'-',
	];
	const names = Array.from({length: count}, (_, at) => `${odd[at % odd.length]}${at < odd.length ? '' : at}`);
	for (const name of names) {
		const project_id = await project(service, `${name}.`);
		const jobId = await started(service, {name, project_id});
		expect((await call(service, `/local/v1/jobs/${jobId}`)).json()).toMatchObject({name, project_id});
	}
	const {items} = ownProjectList.parse((await call(service, '/v1/projects/list?limit=1000')).json());
	expect(items.map(({name}) => name)).toEqual(expect.arrayContaining(names.map(name => `${name}.`)));
	expect((await order(service, {name: 'x'.repeat(256)})).status).toBe(422);
});
