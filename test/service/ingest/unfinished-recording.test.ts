import {mkdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {cutFooter, editInfo, rewriteParquet} from '../../support/dataset-damage.ts';
import {dataFile, episodesFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {indicesOf} from './ingest-run.ts';
import {dataset, take} from './work-dataset.ts';

const front = 'observation.images.front';

/** Three episodes of an earlier session, and three of one that was killed: counted, and their files without an end. */
async function killed(): Promise<void> {
	const episodes = Array.from({length: 6}, () => ({frames: 30}));
	await writeLerobotDataset(dataset, {episodes, episodesPerFile: 3, cameras: [front]});
	await cutFooter(dataset, dataFile(1));
	await rewriteParquet(dataset, episodesFile, 'SELECT * FROM old WHERE episode_index < 3');
}

test('of a recording that was killed the sessions before are ingested, and it says which episodes those are', async () => {
	await killed();
	const taken = await take();
	expect(indicesOf(taken)).toEqual([0, 1, 2]);
	expect(taken.messages).toContain(
		'The recording is under way, or its recorder was killed. Episodes 0–2 can be read, of 6 that meta/info.json counts. If it still runs, finish it and ingest again.',
	);
});

test('pictures that are not encoded yet are named by their episodes', async () => {
	await writeLerobotDataset(dataset, {episodes: [{}, {}], cameras: [front]});
	const pictures = path.join(dataset, 'images', front, 'episode-000002');
	await mkdir(pictures, {recursive: true});
	await writeFile(path.join(pictures, 'frame-000000.png'), '');
	const taken = await take();
	expect(indicesOf(taken)).toEqual([0, 1]);
	expect(taken.messages).toEqual([
		'The recording is under way, or its recorder was killed. Episodes 0–1 can be read, of 2 that meta/info.json counts. The pictures of episode 2 lie in images and are not encoded into videos. If it still runs, finish it and ingest again.',
	]);
});

test('a first session that was killed leaves nothing to read, and that is said with its file', async () => {
	await writeLerobotDataset(dataset, {episodes: [{}, {}]});
	await cutFooter(dataset, dataFile(0));
	await rm(path.join(dataset, 'meta/episodes'), {recursive: true});
	await expect(take()).rejects.toThrow(/None of its 2 episodes is there\./);
});

test('a dataset stored as lance is called that, with the way out', async () => {
	await writeLerobotDataset(dataset);
	await editInfo(dataset, info => {
		info.storage_format = 'lance';
	});
	await expect(take()).rejects.toThrow(
		/is stored as lance \(storage_format in meta\/info\.json\), .* Take the parquet dataset that it was converted from\./,
	);
	await editInfo(dataset, info => {
		info.storage_format = 'parquet';
	});
	expect((await take()).episodeCount).toBe(2);
});
