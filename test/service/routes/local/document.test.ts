import path from 'node:path';
import {expect, test} from 'vitest';
import {localDocument} from '../../../../source/contract/local.ts';
import {version} from '../../../../source/service/host/version.ts';
import {call} from '../../support/call.ts';
import {ingestFolder} from '../../support/ingesting.ts';
import {serviceHome} from '../../support/service-home.ts';
import {smallDataset} from '../../support/small-dataset.ts';

const home = serviceHome();

test('the service says which lake it serves, how much is in it, and which abilities it has', async () => {
	const folder = home.lake();
	const service = await home.join(folder);
	const read = async () => localDocument.parse((await call(service, '/local/v1')).json());
	const lake = {folder, sample: false, datasets: 0, episodes: 0, read_only: null, untrainable: 0};
	expect(await read()).toMatchObject({service: 'lakescope', version, lake});
	await ingestFolder(
		service,
		await smallDataset(path.join(home.root, 'push-block'), {episodes: 3, frames: 40}),
	);
	const {lake: filled, abilities} = await read();
	expect(filled).toEqual({...lake, datasets: 1, episodes: 3});
	expect(abilities).toEqual(expect.arrayContaining(['ingests', 'uploads', 'jobs', 'trainer-environment']));
	expect(abilities).not.toContain('sample');
});
