import path from 'node:path';
import {expect, test} from 'vitest';
import {datasetListResponse} from '../../../source/contract/listing.ts';
import {type Call, call} from '../support/call.ts';
import {ingestFolder} from '../support/ingesting.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';

const home = serviceHome();

/** Asks a service over a fresh lake of two datasets. */
async function filled() {
	const service = await home.join(home.lake());
	for (const name of ['push-block', 'turn-key']) {
		const folder = path.join(home.root, crypto.randomUUID(), name);
		await ingestFolder(service, await smallDataset(folder, {episodes: 2, frames: 40}));
	}
	return async (target: string, options?: Call) => {
		const {status, json} = await call(service, target, options);
		return {status, body: json<Record<string, unknown>>()};
	};
}

test('the dataset list is read page by page; a cursor of another list is refused in its field', async () => {
	const ask = await filled();
	const page = async (query: string) =>
		datasetListResponse.parse((await ask(`/v1/datasets/list?limit=1${query}`)).body);
	const first = await page('');
	const second = await page(`&cursor=${encodeURIComponent(first.page_info.end_cursor ?? '')}`);
	const ids = [...first.items, ...second.items].map(item => item.path);
	expect([ids.length, new Set(ids).size, second.page_info.has_next]).toEqual([2, 2, false]);
	expect(await ask('/v1/datasets/list?cursor=elsewhere')).toEqual({
		status: 422,
		body: {detail: [expect.objectContaining({loc: ['query', 'cursor']})]},
	});
}, 180_000);

test('an explore request that the contract refuses names the field; an unknown operation is absent', async () => {
	const ask = await filled();
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
}, 180_000);
