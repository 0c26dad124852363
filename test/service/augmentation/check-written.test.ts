import {rm} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import type {DamageId} from '../../../source/lerobot/check/damage.ts';
import {ReadDatabase} from '../../../source/lerobot/read-database.ts';
import {checkWritten} from '../../../source/service/augmentation/check-written.ts';
import {damagesOf, episodesFile, fps, videoFile, wholeDataset} from '../../lerobot/check/checked-dataset.ts';
import {plants} from '../../lerobot/check/plants.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {writeMp4} from '../../support/mp4.ts';

const plant = (folder: string, id: DamageId) => plants.find(each => each.id === id)?.plant(folder);

/** Looks at a dataset as if it were made of another. */
async function look(folder: string, parent: string, told: readonly DamageId[] = []): Promise<void> {
	const folders = [folder, parent];
	const spillFolder = path.join(folder, '.spill');
	const database = await ReadDatabase.open({folders, memoryLimit: '256MB', spillFolder});
	try {
		await checkWritten({folder, database, parents: [{folder: parent, database}], told});
	} finally {
		database.close();
		await rm(spillFolder, {recursive: true, force: true});
	}
}

test('a made dataset with a damage of its own is refused by name, one with the damages of its parents is not', async () => {
	const [made, parent] = [await wholeDataset(), await wholeDataset()];
	await look(made, parent);

	await plant(made, 'video-missing');
	await expect(look(made, parent)).rejects.toThrow(/^It was written but not kept.*video-missing: .*file-002/);
	await look(made, parent, ['video-missing']);
	await plant(parent, 'video-missing');
	await look(made, parent);

	await plant(made, 'values-not-finite');
	await expect(look(made, parent)).rejects.toThrow('values-not-finite');
	await plant(parent, 'values-not-finite');
	await look(made, parent);

	// What is written anew is no one else's, though the parent has the same.
	await plant(made, 'total-frames-wrong');
	await plant(parent, 'total-frames-wrong');
	await expect(look(made, parent)).rejects.toThrow(
		'total-frames-wrong: meta/info.json says total_frames 100',
	);
});

test('frames that no episode shows are meant in a trimmed dataset, and frames that an episode lacks are not', async () => {
	const folder = await wholeDataset();
	const later = (name: string) =>
		`CASE WHEN episode_index = 2 THEN "${name}" + 1 ELSE "${name}" END AS "${name}"`;
	const [from, to] = ['from', 'to'].map(end => `videos/observation.images.front/${end}_timestamp`);
	await rewriteParquet(
		folder,
		episodesFile,
		`SELECT * REPLACE (${later(from ?? '')}, ${later(to ?? '')}) FROM old`,
	);
	// Ten frames before the episode, and five after it.
	await writeMp4(path.join(folder, videoFile(1)), {frames: 35, fps});
	const kinds = async () => (await damagesOf(folder)).map(({id, message}) => `${id} ${message}`);
	expect(await kinds()).toEqual([
		expect.stringMatching(/^video-frames-extra .* has 35 frames, and its episodes 20, with 10 before/),
		expect.stringMatching(/^video-spans-apart/),
	]);
	await writeMp4(path.join(folder, videoFile(1)), {frames: 30, fps});
	expect(await kinds()).toEqual([expect.stringMatching(/^video-spans-apart/)]);

	await rewriteParquet(
		folder,
		episodesFile,
		`SELECT *, 'arm' AS "lakescope/parent_dataset", episode_index AS "lakescope/parent_episode_index" FROM old`,
	);
	expect(await kinds()).toEqual([]);
	await writeMp4(path.join(folder, videoFile(1)), {frames: 35, fps});
	expect(await kinds()).toEqual([]);
	await writeMp4(path.join(folder, videoFile(1)), {frames: 28, fps});
	expect(await kinds()).toEqual([expect.stringMatching(/^video-span-past-end/)]);
	await writeMp4(path.join(folder, videoFile(1)), {frames: 18, fps});
	expect(await kinds()).toEqual([
		expect.stringMatching(/^video-span-past-end/),
		expect.stringMatching(/^video-frames-missing/),
	]);
});
