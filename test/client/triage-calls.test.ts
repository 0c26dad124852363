import path from 'node:path';
import {expect, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {ingestFolder} from '../service/support/ingesting.ts';
import {serviceHome} from '../service/support/service-home.ts';

const home = serviceHome();

test('the worst are found, looked at, rejected, and the others handed over through the client', async () => {
	const folder = await armDataset(path.join(home.root, 'cups'), [...siblings(9), {seconds: 11}]);
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const client = createClient({baseUrl: service.url, key: service.key});
	try {
		const worst = (await client.localExplore({sort: {by: 'doubt'}, limit: 1})).data;
		expect(worst.facets.by_tag).toContainEqual({value: 'suspect', count: 1});
		const [{episode_id = '', episode_index} = {}] = worst.episodes;
		expect(episode_index).toBe(9);
		const drawn = (await client.episodeSeries(episode_id, {width: 20, channels: 'state.gripper.pos'})).data;
		expect([drawn.channels.length, drawn.speed?.max.length]).toEqual([1, 20]);
		const rejected = await client.setReviews({episode_ids: [episode_id], review_state: 'rejected'});
		expect(rejected.data.reviews).toMatchObject([{episode_id, review_state: 'rejected'}]);
		expect((await client.listReviews('cups')).data.total_count).toBe(1);
		expect((await client.listReviews('others')).data.total_count).toBe(0);

		const {episodes} = (await client.explore({limit: 200})).data;
		const kept = episodes.filter(({review_state}) => review_state !== 'rejected');
		const ordered = await client.compose({name: 'kept', episode_ids: kept.map(row => row.episode_id)});
		const {operation_id} = ordered.data;
		const record = async () => (await client.composition(operation_id)).data;
		await expect.poll(async () => (await record()).status.done, {timeout: 60_000}).toBe(true);
		expect((await record()).status).toMatchObject({phase: 'finalized', episode_count: 9});
		await expect(client.cancelComposition(operation_id)).rejects.toThrow(/cannot be cancelled any more/);
	} finally {
		await client.close();
	}
});
