import {expect, test} from 'vitest';
import {createClient} from '../../../../source/client/client.ts';
import {call} from '../../support/call.ts';
import {serviceHome} from '../../support/service-home.ts';
import {smallDataset} from '../../support/small-dataset.ts';

const home = serviceHome();

test('/local/v1/histogram and /local/v1/channels answer the client, and refuse what breaks a bound', async () => {
	const service = await home.join(home.lake());
	const client = createClient({baseUrl: service.url, key: service.key});
	try {
		expect((await client.localDocument())?.abilities).toEqual(
			expect.arrayContaining(['histogram', 'channels']),
		);
		expect((await client.histogram({of: {field: 'sparc'}})).data).toMatchObject({count: 0, bins: []});
		expect((await client.listChannels()).data).toEqual({items: [], more: false});
		await client.ingest({folder: await smallDataset(`${home.root}/pusher`)});
		await expect.poll(async () => (await client.histogram({of: {field: 'frame_count'}})).data.count).toBe(2);
		const of = {field: 'frame_count'} as const;
		const without = {not: {tasks: ['Push the block']}};
		expect((await client.histogram({of, filter: without})).data.count).toBe(0);
		const {items} = (await client.listChannels()).data;
		expect(items).toContainEqual({stream: 'action', channel: 'gripper.pos', episodes: 2});
	} finally {
		await client.close();
	}
	for (const body of [
		{of: {field: 'speed'}},
		{of: {field: 'sparc'}, bins: 65},
		{of: {field: 'sparc'}, filter: {limit: 0}},
		{of: {channel: 'x'}},
		{},
	]) {
		expect((await call(service, '/local/v1/histogram', {body})).status).toBe(422);
	}
});
