import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {armDataset, siblings} from './support/arm-dataset.ts';
import {exploreLocally, ingestFolder} from './support/ingesting.ts';
import {serviceHome} from './support/service-home.ts';

const home = serviceHome();
const before = process.env.XDG_CONFIG_HOME;
process.env.XDG_CONFIG_HOME = path.join(home.root, 'config');
afterAll(() => {
	if (before === undefined) delete process.env.XDG_CONFIG_HOME;
	else process.env.XDG_CONFIG_HOME = before;
});

async function configure(config: object): Promise<void> {
	const folder = path.join(home.root, 'config', 'lakescope');
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'config.json'), JSON.stringify(config));
}

test('how unlike is too unlike, and how many siblings that takes, is read from the configuration at each ingest', async () => {
	const folder = await armDataset(path.join(home.root, 'few'), [...siblings(6), {seconds: 11}]);
	const service = await home.join(home.lake());
	const suspects = async () => (await exploreLocally(service, {tags: ['suspect']})).total;
	await configure({});
	await ingestFolder(service, folder);
	expect(await suspects()).toBe(0);
	const [first] = (await exploreLocally(service)).episodes;
	expect(first?.metrics).toMatchObject({
		doubt: null,
		siblings: 6,
		siblings_note: 'too few siblings to tell: 6 of its task, 8 are needed',
	});
	await configure({doubt: {siblings: 5}});
	await ingestFolder(service, folder);
	expect(await suspects()).toBe(1);
	await configure({doubt: {siblings: 5, whole: 100, channel: 100}});
	await ingestFolder(service, folder);
	expect(await suspects()).toBe(0);
});
