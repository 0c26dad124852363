import {access, mkdir, readdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {removePartials, writeDataset} from '../../source/lerobot/write-dataset.ts';
import type {EpisodeToWrite} from '../../source/lerobot/write-description.ts';
import {armDataset, armEpisode, freshFolder} from './write-support.ts';

const left = async (folder: string) => readdir(folder);

test.each<[string, EpisodeToWrite, RegExp]>([
	[
		'too few values',
		armEpisode(1, 4, {length: 5}),
		/episode 1: its feature "action" has 8 values instead of 5 frames × 2/,
	],
	[
		'a feature missing',
		armEpisode(1, 4, {values: {}}),
		/episode 1: it has no values for the feature "action"/,
	],
	[
		'a camera missing',
		armEpisode(1, 4, {videos: {}}),
		/episode 1: it has no span for the camera "observation.images.front"/,
	],
	['no task', armEpisode(1, 4, {tasks: []}), /episode 1: it has no task/],
	['no frames', armEpisode(1, 0), /episode 1: it has 0 frames/],
])('an episode with %s is named, and nothing is left behind', async (_, episode, sentence) => {
	const parent = await freshFolder();
	await expect(
		writeDataset(path.join(parent, 'arm'), armDataset, [armEpisode(0, 3), episode]),
	).rejects.toThrow(sentence);
	expect(await left(parent)).toEqual([]);
});

test.each([
	['a slash in a name', {'a/b': {dtype: 'float32', shape: [1], names: null}}, /"a\/b" has a slash/],
	['a matrix', {map: {dtype: 'float32', shape: [2, 2], names: null}}, /"map" has the shape \[2, 2\]/],
	['depth in halves', {eye: {dtype: 'float16', shape: [3], names: null}}, /"eye" has the dtype "float16"/],
	[
		'a column of the writer’s own',
		{index: {dtype: 'int64', shape: [1], names: null}},
		/"index" is written by itself/,
	],
])('%s is refused by its name', async (_, features, sentence) => {
	const parent = await freshFolder();
	const writing = writeDataset(path.join(parent, 'arm'), {...armDataset, features}, [armEpisode(0, 2)]);
	await expect(writing).rejects.toThrow(sentence);
	expect(await left(parent)).toEqual([]);
});

test('a place where no folder can be is named with the system’s reason', async () => {
	const file = path.join(await freshFolder(), 'file');
	await writeFile(file, '');
	const folder = path.join(file, 'arm');
	await expect(writeDataset(folder, armDataset, [armEpisode(0, 2)])).rejects.toThrow(
		`The dataset ${folder} could not be written: ENOTDIR: not a directory`,
	);
});

test('without an episode there is no dataset', async () => {
	const parent = await freshFolder();
	await expect(writeDataset(path.join(parent, 'arm'), armDataset, [])).rejects.toThrow(/no episode/);
	expect(await left(parent)).toEqual([]);
});

test('what is there already is neither replaced nor added to', async () => {
	const folder = path.join(await freshFolder(), 'arm');
	await mkdir(folder);
	await writeFile(path.join(folder, 'mine.txt'), 'mine');
	await expect(writeDataset(folder, armDataset, [armEpisode(0, 2)])).rejects.toThrow(
		`${folder} already exists`,
	);
	expect(await left(folder)).toEqual(['mine.txt']);
});

test('a failing source of episodes leaves nothing behind', async () => {
	const parent = await freshFolder();
	async function* episodes() {
		yield armEpisode(0, 3);
		throw new Error('the disk of the recorder is gone');
	}
	const writing = writeDataset(path.join(parent, 'arm'), armDataset, episodes());
	await expect(writing).rejects.toThrow('the disk of the recorder is gone');
	expect(await left(parent)).toEqual([]);
});

test('an abort ends the writing with its reason and leaves nothing behind', async () => {
	const parent = await freshFolder();
	const controller = new AbortController();
	const reason = new Error('enough');
	const writing = writeDataset(
		path.join(parent, 'arm'),
		armDataset,
		Array.from({length: 50}, (_, episode) => armEpisode(episode, 3)),
		{signal: controller.signal, onEpisode: written => written === 2 && controller.abort(reason)},
	);
	await expect(writing).rejects.toBe(reason);
	expect(await left(parent)).toEqual([]);
});

test('the folder has its name only once it is whole', async () => {
	const parent = await freshFolder();
	const folder = path.join(parent, 'arm');
	await writeDataset(folder, armDataset, [armEpisode(0, 3)], {
		beforePublish: async partial => {
			await expect(access(folder)).rejects.toThrow();
			await access(path.join(partial, 'meta/info.json'));
			await writeFile(path.join(partial, 'extra.txt'), 'extra');
		},
	});
	expect(await left(parent)).toEqual(['arm']);
	await access(path.join(folder, 'extra.txt'));
});

test('what a killed writer left is removed, what a running one writes is not', async () => {
	const parent = await freshFolder();
	// Larger than any process id.
	const dead = '.arm.partial-4194305-gone';
	const running = `.arm.partial-${process.pid}-here`;
	for (const name of [dead, running, '.arm2.partial-4194305-other', 'arm'])
		await mkdir(path.join(parent, name));
	expect(await removePartials(path.join(parent, 'arm'))).toEqual([path.join(parent, dead)]);
	expect((await left(parent)).sort()).toEqual([running, '.arm2.partial-4194305-other', 'arm'].sort());
});
