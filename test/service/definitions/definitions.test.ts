import {randomUUID} from 'node:crypto';
import {expect, test} from 'vitest';
import {createClient} from '../../../source/client/client.ts';
import {exploreRequest} from '../../../source/contract/explore.ts';
import {definitionListResponse, ownDefinition} from '../../../source/contract/local-definitions.ts';
import {type Address, call} from '../support/call.ts';
import {endProcessesOver, serviceHome} from '../support/service-home.ts';

const home = serviceHome();
const savesAt = '/local/v1/defs';

const filter = {
	tiers: ['retrainable'],
	search: 'towel',
	numeric_predicates: [{field: 'quality_score', op: 'gte', value: 0.8}],
};

async function saved(service: Address, body: object) {
	const answer = await call(service, savesAt, {body});
	expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('def_id')]);
	return ownDefinition.parse(answer.json());
}

const read = (service: Address, defId: string, query = '') =>
	call(service, `/v1/datasets/defs/${defId}${query}`);

test('4.5 GET /v1/datasets/defs/{def_id} gives a saved filter or list, after the service was killed too', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const ids = [randomUUID(), randomUUID()];
	const first = await saved(service, {name: 'good towels \u{1f9fa}', filter});
	const second = await saved(service, {name: 'by hand', episode_ids: ids.map(id => id.toUpperCase())});
	expect(first).toMatchObject({
		kind: 'filter',
		episode_count: null,
		filter: exploreRequest.parse(filter),
		episode_ids: null,
	});
	expect(second).toMatchObject({kind: 'episodes', episode_count: 2, filter: null, episode_ids: ids});
	expect((await call(service, '/v1/datasets/explore', {body: first.filter})).status).toBe(200);
	service.leave();
	endProcessesOver(lake);
	const next = await home.join(lake);
	for (const definition of [first, second]) {
		const answer = await read(next, definition.def_id.toUpperCase());
		expect([answer.status, answer.json()]).toEqual([200, definition]);
	}
	const client = createClient({baseUrl: next.url, key: next.key});
	try {
		const page = (await client.listDefinitions({limit: 1, sort: 'name'})).data;
		expect(page.items.map(item => item.name)).toEqual(['by hand']);
		expect(page.items[0]).not.toHaveProperty('episode_ids');
		const cursor = page.page_info.end_cursor ?? '';
		const rest = (await client.listDefinitions({sort: 'name', cursor})).data;
		expect(rest.items.map(item => item.def_id)).toEqual([first.def_id]);
		expect((await client.definition(second.def_id)).data).toEqual(second);
	} finally {
		await client.close();
	}
});

const refused: ReadonlyArray<[string, object]> = [
	['neither a filter nor a list', {name: 'x'}],
	['both', {name: 'x', filter: {}, episode_ids: [randomUUID()]}],
	['a filter that explore would refuse', {name: 'x', filter: {limit: 201}}],
	['a list of something else', {name: 'x', episode_ids: ['seven']}],
	['an empty list', {name: 'x', episode_ids: []}],
	['no name', {filter: {}}],
	['a blank name', {name: ' \n', filter: {}}],
	['a name that cannot be stored', {name: '\ud800', filter: {}}],
	['an unknown field', {name: 'x', filter: {}, colour: 'red'}],
];

test('what is no definition is refused with the field, and nothing is saved', async () => {
	const service = await home.join(home.lake());
	for (const [what, body] of refused) {
		const answer = await call(service, savesAt, {body});
		expect([what, answer.status, answer.json()]).toEqual([what, 422, {detail: expect.any(Array)}]);
	}
	const list = definitionListResponse.parse((await call(service, savesAt)).json());
	expect([list.items, list.page_info.total_count]).toEqual([[], 0]);
});

test('4.5 answers 404 for an unknown definition, 403 for another account, a validation error for no id', async () => {
	const service = await home.join(home.lake());
	const unknown = randomUUID();
	const missing = await read(service, unknown);
	expect([missing.status, missing.json()]).toEqual([
		404,
		{detail: `There is no definition ${unknown} in this lake.`},
	]);
	const {def_id} = await saved(service, {name: 'x', filter: {}});
	expect((await read(service, def_id, `?account_id=${unknown}`)).status).toBe(403);
	expect((await read(service, 'seven')).status).toBe(422);
});
