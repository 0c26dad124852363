import path from 'node:path';
import {expect, test} from 'vitest';
import {complete} from '../../../source/query/complete.ts';
import {serviceHome} from '../../service/support/service-home.ts';
import {smallDataset} from '../../service/support/small-dataset.ts';
import {hosted} from '../../support/hosted.ts';
import {clientOf, explorerOf, until} from '../support.ts';

const home = serviceHome();
process.env.XDG_STATE_HOME = path.join(home.root, 'state');

test('on an embedded lake a figure is shown over the whole result, and its channels are offered', async () => {
	const service = await home.join(home.lake());
	const client = clientOf(service);
	await client.ingest({folder: await smallDataset(`${home.root}/pusher`, {episodes: 3})});
	await expect.poll(async () => (await client.explore({})).data.total).toBe(3);
	const explorer = explorerOf(service);
	await until(explorer.local.known, ({document}) => document !== undefined);
	explorer.filterLine.open();
	explorer.filterLine.typed('max(gripper.pos)>5 frame_count>=60', 34, true);
	const shown = await until(explorer.filterLine.distribution.known, known => known !== undefined);
	expect(shown).toMatchObject({
		of: {field: 'frame_count'},
		isSample: false,
		histogram: {count: 3, min: 60, max: 60, bins: [3]},
	});
	await expect
		.poll(() => complete('max(gr', 6, explorer.filterLine.offered()).candidates.map(({label}) => label))
		.toEqual(['action.gripper.pos', 'state.gripper.pos']);
	explorer.filterLine.typed('max(gripper.pos)>5 frame_count>=60', 10, false);
	const channel = await until(
		explorer.filterLine.distribution.known,
		known => known !== undefined && 'agg' in known.of,
	);
	expect(channel?.histogram).toMatchObject({count: 3, missing: 0});
});

test('elsewhere it is shown over what is read, and channels that were asked for before are offered', async () => {
	const explorer = explorerOf(await hosted({episodes: 300}));
	await until(explorer.window.result, ({rowCount}) => rowCount === 300);
	explorer.filterLine.typed('quality_score>=0.5', 18, true);
	expect(explorer.filterLine.distribution.known.getState()).toMatchObject({
		of: {field: 'quality_score'},
		isSample: true,
	});
	expect(explorer.filterLine.distribution.known.getState()?.histogram.count).toBeGreaterThan(0);
	explorer.filterLine.leave('std(state.wrist.pos)<1');
	const {candidates} = complete('max(wri', 7, explorer.filterLine.offered());
	expect(candidates.map(({label}) => label)).toEqual(['state.wrist.pos']);
});
