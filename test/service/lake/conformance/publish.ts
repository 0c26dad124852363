import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {dataset, episode, type ModelDataset, uuidOf} from '../lake-model.ts';
import type {TestLake, TestLakes} from '../test-lake.ts';

async function indices(lake: TestLake): Promise<string[]> {
	const {episodes} = await lake.explore({limit: 200});
	return episodes.map(({dataset_name, episode_index}) => `${dataset_name}/${episode_index}`);
}

/** Publications and removals: what every engine of the lake must do. */
export function publishConformance(lakes: TestLakes): void {
	test('a dataset ingested again is replaced as its next generation', async () => {
		const lake = await lakes.open(dataset('b', [episode(7)]));
		const [first] = await lake.publish(dataset('a', [episode(2), episode(0), episode(1)]));
		expect(first).toMatchObject({generation: 1, episode_count: 3, total_frames: 900n});
		expect(await indices(lake)).toEqual(['a/0', 'a/1', 'a/2', 'b/7']);

		const [second] = await lake.publish(dataset('a', [episode(0), episode(3, {frame_count: 5n})]));
		expect(second).toMatchObject({generation: 2, episode_count: 2, total_frames: 305n});
		expect(second?.dataset_version_id).not.toBe(first?.dataset_version_id);
		expect(await indices(lake)).toEqual(['a/0', 'a/3', 'b/7']);
		const {episodes} = await lake.explore();
		expect(episodes[0]).toMatchObject({
			episode_id: uuidOf(0xe, 0),
			dataset_version_id: second?.dataset_version_id,
		});
		expect(await lake.lake.dataset('a')).toMatchObject({folder: '/recordings/a', generation: 2});
		expect(await lake.lake.dataset('absent')).toBeUndefined();
	});

	test('a publication counts the episodes that are new, recorded anew or gone', async () => {
		const revision = (digit: string) => ({revision: digit.repeat(64)});
		const first = dataset('a', [
			episode(0, revision('a')),
			episode(1, revision('b')),
			episode(2, revision('c')),
		]);
		const lake = await lakes.open();
		const changed = async (next: ModelDataset) => (await lake.publish(next))[0]?.changed_episodes;
		expect(await changed(first)).toBeNull();
		expect(await changed(first)).toBe(0);
		expect(
			await changed(
				dataset('a', [episode(0, revision('a')), episode(1, revision('d')), episode(3, revision('c'))]),
			),
		).toBe(3);
		expect(await changed(dataset('a', [episode(0, revision('a'))]))).toBe(2);
		expect(await lake.lake.dataset('a')).toMatchObject({generation: 4, changed_episodes: 2});
		await changed(dataset('a', []));
		expect(await changed(dataset('a', []))).toBeNull();
	});

	test('a publication counts what is otherwise of episodes whose recording is the same', async () => {
		const missing = (files: string[]) => ({details: JSON.stringify({missing_videos: files})});
		const lake = await lakes.open();
		const others = async (next: ModelDataset) => (await lake.publish(next))[0]?.other_changes;
		expect(await others(dataset('a', [episode(0, missing(['a.mp4'])), episode(1), episode(2)]))).toBeNull();
		expect(
			await others(
				dataset('a', [episode(0), episode(1, missing(['a.mp4', 'b.mp4'])), episode(2, {tags: ['x']})]),
			),
		).toEqual({videos_found: 1, videos_lost: 1, judged_anew: 1});
		expect(
			await others(dataset('a', [episode(0), episode(1, missing(['b.mp4'])), episode(2, {tags: ['x']})])),
		).toEqual({videos_found: 1, videos_lost: 0, judged_anew: 0});
	});

	test('a dataset of no episodes can be published, and one can lose all of its', async () => {
		const lake = await lakes.open(dataset('a', [episode(0)]), dataset('b', []));
		await lake.publish(dataset('a', []));
		expect(await lake.lake.totals()).toEqual({
			datasets: 2,
			episodes: 0,
			frames: 0,
			duration: 0,
			untrainable: 0,
		});
		expect(await lake.explore()).toMatchObject({total: 0, episodes: [], channel_predicate_evidence: []});
	});

	test("a person's verdict is shown in the recording that it is about, wherever that lies", async () => {
		const revision = (digit: string) => digit.repeat(64);
		const kept = dataset('a', [
			episode(0, {revision: revision('a')}),
			episode(1, {revision: revision('b')}),
			episode(2, {revision: revision('c'), review_state: 'auto_accepted'}),
		]);
		const lake = await lakes.open(kept);
		const mark = (digit: string, state: string) => ({
			datasetName: 'a',
			revision: revision(digit),
			episodeIndex: 0,
			state,
		});
		const reviews = [mark('b', 'rejected'), mark('c', 'human_audited')];
		const states = async () => (await lake.explore()).episodes.map(({review_state}) => review_state);
		await lake.lake.review(reviews);
		expect(await states()).toEqual(['unreviewed', 'rejected', 'human_audited']);
		expect((await lake.explore({review_state: 'rejected'})).total).toBe(1);
		const publish = async (next: ModelDataset) =>
			lake.lake.publish({...(await lake.stager.stage(lake.folder, next)), reviews});
		await publish(kept);
		expect(await states()).toEqual(['unreviewed', 'rejected', 'human_audited']);
		// The first was deleted, and what was recorded again is another recording.
		await publish(
			dataset('a', [
				episode(0, {revision: revision('b')}),
				episode(1, {revision: revision('d'), episode_id: uuidOf(0xf, 1)}),
			]),
		);
		expect(await states()).toEqual(['rejected', 'unreviewed']);
		await lake.publish(dataset('b', [episode(0, {revision: revision('b'), episode_id: uuidOf(0xf, 2)})]));
		expect(await states()).toEqual(['rejected', 'unreviewed', 'unreviewed']);
		await publish(kept);
		await lake.lake.review([mark('b', 'unreviewed'), mark('c', 'unreviewed')]);
		expect(await states()).toEqual(['unreviewed', 'unreviewed', 'auto_accepted', 'unreviewed']);
	});

	test('children find their parents whichever is published first, and as they change', async () => {
		const child = (index: number, parent: number) =>
			episode(index, {
				parent_dataset: 'parents',
				parent_episode_index: parent,
				member_ordinal: 2n ** 62n,
				episode_id: uuidOf(0xc, index),
			});
		const lake = await lakes.open(dataset('children', [child(0, 4), child(1, 5)]));
		const parents = async () =>
			(await lake.explore({lineage: 'children'})).episodes.map(({parent_episode_id}) => parent_episode_id);
		expect(await parents()).toEqual([null, null]);
		const parent = dataset('parents', [episode(4), episode(5)]);
		await lake.publish(parent);
		expect(await parents()).toEqual([uuidOf(0xe, 4), uuidOf(0xe, 5)]);
		await lake.publish(dataset('parents', [episode(4, {episode_id: uuidOf(0xa, 4)})]));
		expect(await parents()).toEqual([uuidOf(0xa, 4), null]);
		await lake.lake.remove(parent.dataset_id);
		expect(await parents()).toEqual([null, null]);
		expect((await lake.explore()).episodes[1]).toMatchObject({
			parent_episode_index: 5,
			member_ordinal: 2n ** 62n,
		});
	});

	test('what cannot be published leaves the generation of before', async () => {
		const lake = await lakes.open(dataset('a', [episode(0)]));
		const stage = async () => await lake.stager.stage(lake.folder, dataset('a', [episode(1)]));
		const refused = async (publication: Awaited<ReturnType<typeof stage>>, message: RegExp) =>
			await expect(lake.lake.publish(publication)).rejects.toMatchObject({
				name: 'LakeError',
				reason: 'staging',
				message: expect.stringMatching(message),
			});

		const cut = await stage();
		await writeFile(path.join(cut.staging, 'channels.parquet'), 'PAR1');
		await refused(cut, /channels\.parquet/);
		const undescribed = await stage();
		await writeFile(path.join(undescribed.staging, 'dataset.json'), '{"subtype": 3}');
		await refused(undescribed, /dataset\.json.*subtype/s);
		await refused({...cut, staging: path.join(lake.folder, 'staging/absent')}, /absent\/dataset\.json/);
		const twice = await lake.stager.stage(lake.folder, dataset('a', [episode(1), episode(1)]));
		await refused(twice, /an episode index occurs twice/);
		const details = await lake.stager.stage(lake.folder, dataset('a', [episode(1, {details: '[1]'})]));
		await refused(details, /no JSON object/);
		const revision = await lake.stager.stage(lake.folder, dataset('a', [episode(1, {revision: 'xyz'})]));
		await refused(revision, /episodes\.parquet/);

		const conflicting = {...(await stage()), dataset_id: uuidOf(0xbad, 1)};
		await expect(lake.lake.publish(conflicting)).rejects.toMatchObject({
			reason: 'conflict',
			message: expect.stringContaining('--name'),
		});
		expect(await indices(lake)).toEqual(['a/0']);
		expect(await lake.lake.dataset('a')).toMatchObject({generation: 1});
	});

	test('however often datasets are ingested anew, the lake keeps them apart', async () => {
		const lake = await lakes.open();
		const size = {a: 0, b: 0, c: 0};
		for (const [name, count] of [
			['a', 3],
			['b', 1],
			['c', 4],
			['a', 5],
			['b', 6],
			['c', 1],
			['a', 1],
			['b', 2],
		] as const) {
			size[name] = count;
			const tasks = Array.from({length: count}, (_, index) =>
				episode(index, {task: `${name} ${count} ${index}`}),
			);
			await lake.publish(dataset(name, tasks));
			const {episodes, facets} = await lake.explore();
			const expected = Object.entries(size).flatMap(([held, length]) =>
				Array.from({length}, (_, index) => `${held} ${length} ${index}`),
			);
			expect(episodes.map(({task}) => task)).toEqual(expected);
			expect(facets.by_task.map(({value}) => value)).toEqual(expected.toSorted());
		}
	});
}
