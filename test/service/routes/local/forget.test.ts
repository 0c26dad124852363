import {existsSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {forgetRecord} from '../../../../source/contract/local-forget.ts';
import {call} from '../../support/call.ts';
import {exploreLocally, ingestFolder} from '../../support/ingesting.ts';
import {serviceHome} from '../../support/service-home.ts';
import {smallDataset} from '../../support/small-dataset.ts';

const home = serviceHome();

test('a dataset is forgotten after its plan was read; its folder stays, and a second time it is absent', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'push-block'), {episodes: 2, frames: 40});
	await ingestFolder(service, folder);
	const [episode] = (await exploreLocally(service)).episodes;
	const target = `/local/v1/datasets/${episode?.dataset_id.toUpperCase()}/forget`;
	const plan = forgetRecord.parse((await call(service, target)).json());
	expect(plan).toMatchObject({dataset_name: 'push-block', folder, episodes: 2, copies: [], refused: null});
	expect((await exploreLocally(service)).total).toBe(2);

	const forgotten = await call(service, target, {method: 'POST'});
	expect([forgotten.status, forgotten.json()]).toEqual([200, plan]);
	expect((await exploreLocally(service)).total).toBe(0);
	expect(existsSync(path.join(folder, 'meta/info.json'))).toBe(true);
	for (const method of ['GET', 'POST']) {
		const {status, text} = await call(service, target, {method});
		expect([status, text]).toEqual([404, expect.stringContaining('There is no dataset')]);
	}
});
