import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {datasetListResponse} from '../../../source/contract/listing.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {type Call, call} from '../support/call.ts';
import {ingestFolder} from '../support/ingesting.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';

const home = serviceHome();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(home.lake());
	for (const name of ['push-block', 'turn-key']) {
		await ingestFolder(service, await smallDataset(path.join(home.root, name), {episodes: 2, frames: 40}));
	}
});

const ask = async (target: string, options?: Call) => {
	const {status, json} = await call(service, target, options);
	return {status, body: json<Record<string, unknown>>()};
};

test('the dataset list is read page by page; a cursor of another list is refused in its field', async () => {
	const first = datasetListResponse.parse((await ask('/v1/datasets/list?limit=1')).body);
	const cursor = encodeURIComponent(String(first.next_cursor ?? ''));
	const second = datasetListResponse.parse((await ask(`/v1/datasets/list?limit=1&cursor=${cursor}`)).body);
	expect([...first.items, ...second.items].map(({name}) => name).sort()).toEqual(['push-block', 'turn-key']);
	expect(second.next_cursor ?? null).toBeNull();
	expect(await ask('/v1/datasets/list?cursor=elsewhere')).toEqual({
		status: 422,
		body: {detail: [expect.objectContaining({loc: ['query', 'cursor']})]},
	});
});

test('an explore request that the contract refuses names the field; an unknown operation is absent', async () => {
	expect(await ask('/v1/datasets/explore', {body: {limit: 0}})).toEqual({
		status: 422,
		body: {detail: [expect.objectContaining({loc: ['body', 'limit']})]},
	});
	expect(await ask('/v1/datasets/explore', {body: {limit: 3}})).toMatchObject({
		status: 200,
		body: {total: 4, episodes: [{}, {}, {}]},
	});
	const unknown = crypto.randomUUID();
	expect(await ask(`/v1/datasets/sync-status/${unknown}`)).toEqual({
		status: 404,
		body: {detail: `There is no operation ${unknown} in this lake.`},
	});
});
