import {cp, rm} from 'node:fs/promises';
import path from 'node:path';
import {expect, test, vi} from 'vitest';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {programHome} from './support/program.ts';

vi.setConfig({testTimeout: 300_000});

const home = programHome();

test('a folder of datasets, and a file or folder in a dataset, are taken as the datasets that are meant', async () => {
	const folder = home.at('recordings');
	await writeLerobotDataset(path.join(folder, 'pushes'), {episodes: [{frames: 30}]});
	await cp(path.join(folder, 'pushes'), path.join(folder, 'lab', 'pulls'), {recursive: true});
	const lake = home.at('lake');
	const all = await home.run(['ingest', '--lake', lake, folder]);
	expect(all.stdout).toBe('pulls: 1 episode, 30 frames\npushes: 1 episode, 30 frames\n');
	const inside = ['meta/info.json', 'data'].map(each => path.join(folder, 'pushes', each));
	const {code, stdout, stderr} = await home.run(['ingest', '--lake', lake, ...inside]);
	expect([code, stdout]).toEqual([0, 'pushes: 1 episode, 30 frames, as generation 2, unchanged\n']);
	for (const each of inside) {
		expect(stderr).toContain(`${each} lies in the dataset ~/recordings/pushes, which is taken.`);
	}
});

test('a dataset that lies deeper is pointed at, and data without a description is told what it lacks', async () => {
	const deep = home.at('archive/2026/spring/lab/pushes');
	await writeLerobotDataset(deep, {episodes: [{frames: 30}]});
	const lake = home.at('lake-deep');
	const {code, stderr} = await home.run(['ingest', '--lake', lake, home.at('archive')]);
	expect(code).toBe(2);
	expect(stderr).toContain('There is one in ~/archive/2026/spring/lab/pushes: name that folder.');
	await rm(path.join(deep, 'meta'), {recursive: true});
	const bare = await home.run(['ingest', '--lake', lake, deep]);
	expect(bare.code).toBe(2);
	expect(bare.stderr).toContain('It has data/ but no description: copy meta/ from where it was recorded');
});
