import {readFile, rename, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {differenceOf} from '../../../source/lerobot/check/check-tasks.ts';
import {type DamageId, damageIds, damageKinds} from '../../../source/lerobot/check/damage.ts';
import {writeMp4} from '../../support/mp4.ts';
import {camera, damagesOf, editJson, fps, idsOf, wholeDataset, wholeDatasetV21} from './checked-dataset.ts';
import {type Plant, plants} from './plants.ts';

test('nothing is found in whole datasets of v3.0 and v2.1', async () => {
	expect(await damagesOf(await wholeDataset())).toEqual([]);
	expect(await damagesOf(await wholeDatasetV21())).toEqual([]);
});

test('all kinds but those that LeRobot writes itself are planted', () => {
	const planted = new Set(plants.map(({id}) => id));
	const own = damageIds.filter(id => damageKinds[id].severity === 'lerobot-rule');
	expect(damageIds.filter(id => !planted.has(id))).toEqual(own);
	expect(planted.size).toBeGreaterThanOrEqual(30);
});

test('the page on checking has every kind, with its severity and repair', async () => {
	const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/check.md'), 'utf8');
	for (const id of damageIds) {
		const {title, lerobot, repair} = damageKinds[id];
		expect(page).toMatch(new RegExp(`^\\| \`${id}\` \\|`, 'm'));
		expect(page).toContain(`| ${title}. ${lerobot} | ${repair ?? '–'} |`);
	}
});

/** Names of any of these kinds are its consequence, nothing else may be found. */
const allowed = (...of: readonly Plant[]) =>
	new Set<DamageId>(of.flatMap(plant => [plant.id, ...(plant.with ?? [])]));

test.each(plants)('$id is found', async plant => {
	const folder = await wholeDataset();
	await plant.plant(folder);
	const found = await damagesOf(folder);
	const damage = found.find(({id}) => id === plant.id);
	expect(damage, JSON.stringify(found)).toBeDefined();
	expect(found.filter(({id}) => !allowed(plant).has(id))).toEqual([]);
	expect(damage?.message).toMatch(plant.says ?? /./);
	if (plant.episodes) expect(damage?.episodes).toEqual(plant.episodes);
	if (plant.seconds !== undefined) expect(damage?.seconds).toBeCloseTo(plant.seconds, 6);
});

/** Kinds that meet in a dataset; both must be found. */
const pairs: readonly (readonly [DamageId, DamageId])[] = [
	['stats-mean-wrong', 'timestamps-drift'],
	['stats-camera-missing', 'episode-gap'],
	['total-frames-wrong', 'video-frames-missing'],
	['splits-wrong', 'task-unused'],
	['task-order', 'video-missing'],
	['task-texts-similar', 'stats-quantiles-wrong'],
	['episode-tasks-differ', 'videos-swapped'],
	['episode-length-wrong', 'frame-index-wrong'],
	['episode-bounds-wrong', 'video-span-off-grid'],
	['timestamps-uneven', 'index-wrong'],
	['timestamps-shifted', 'video-codec-differs'],
	['values-not-finite', 'total-tasks-wrong'],
	['stats-missing', 'episode-stats-wrong'],
	['stats-range-wrong', 'video-rate-varies'],
	['stats-count-wrong', 'leftover-images'],
	['stats-width-wrong', 'video-unused'],
	['camera-names-missing', 'stats-camera-implausible'],
	['column-undeclared', 'video-spans-overlap'],
	['episode-order', 'leftover-temporary'],
	['progress-wrong', 'camera-shape-differs'],
	['feature-names-count', 'video-unreadable'],
];

test.each(pairs)('%s and %s are both found', async (one, other) => {
	const both = [one, other].map(id => plants.find(plant => plant.id === id) as Plant);
	const folder = await wholeDataset();
	for (const {plant} of both) await plant(folder);
	const found = await idsOf(folder);
	expect(found).toEqual(expect.arrayContaining([one, other]));
	expect(found.filter(id => !allowed(...both).has(id))).toEqual([]);
});

describe('v2.1', () => {
	const lines = async (folder: string, file: string, edit: (row: Record<string, unknown>) => void) => {
		const target = path.join(folder, file);
		const rows = (await readFile(target, 'utf8')).trim().split('\n');
		const edited = rows.map(row => {
			const json = JSON.parse(row);
			edit(json);
			return JSON.stringify(json);
		});
		await writeFile(target, `${edited.join('\n')}\n`);
	};
	const video = (episode: number) => `videos/chunk-000/${camera}/episode_00000${episode}.mp4`;

	test('a task without a name is found', async () => {
		const folder = await wholeDatasetV21();
		await lines(folder, 'meta/tasks.jsonl', row => {
			if (row.task_index === 1) row.task = null;
		});
		expect(await idsOf(folder)).toEqual(['task-null']);
	});

	test('a wrong length, and statistics of other frames, are found', async () => {
		const folder = await wholeDatasetV21();
		await lines(folder, 'meta/episodes.jsonl', row => {
			if (row.episode_index === 2) row.length = 3;
		});
		await lines(folder, 'meta/episodes_stats.jsonl', row => {
			if (row.episode_index !== 3) return;
			(row.stats as Record<string, Record<string, number[]>>).action = {
				min: [0, 0],
				max: [0, 0],
				mean: [0, 0],
				std: [0, 0],
				count: [24],
			};
		});
		expect(await idsOf(folder)).toEqual(['episode-length-wrong', 'episode-stats-wrong']);
	});

	test('videos that are swapped, and one that lacks frames, are told apart', async () => {
		const folder = await wholeDatasetV21();
		const at = (episode: number) => path.join(folder, video(episode));
		await rename(at(0), `${at(0)}.moved`);
		await rename(at(3), at(0));
		await rename(`${at(0)}.moved`, at(3));
		await writeMp4(at(4), {frames: 29, fps});
		const found = await damagesOf(folder);
		expect(found.map(({id, episodes}) => [id, episodes])).toEqual([
			['video-frames-missing', [4]],
			['videos-swapped', [0, 3]],
		]);
	});

	test('videos that are shifted by one are found as that', async () => {
		const folder = await wholeDatasetV21();
		const at = (episode: number) => path.join(folder, video(episode));
		for (let episode = 1; episode < 4; episode++) await rename(at(episode + 1), at(episode));
		await writeMp4(at(4), {frames: 77, fps});
		const found = await damagesOf(folder);
		expect(found.map(({id, episodes}) => [id, episodes])).toEqual([['videos-shifted', [1, 2, 3, 4]]]);
		expect(found[0]?.file).toBe(video(1));
	});
});

test("quantiles by LeRobot's rule and sampled counts are that and nothing worse", async () => {
	const folder = await wholeDataset();
	await editJson(folder, 'meta/stats.json', stats => {
		stats[camera].count = [40];
	});
	expect(await damagesOf(folder)).toEqual([]);
});

test('tasks that say different things are not taken for typos', () => {
	for (const [one, other] of [
		['Put cup 1 on the table', 'Put cup 2 on the table'],
		['Pick up the cup', 'Pick up the cap'],
		['Turn left', 'Turn right'],
		['Open the drawer', 'Close the drawer'],
		['task 0', 'task 1'],
	] as const) {
		expect(differenceOf(one, other)).toBeUndefined();
	}
	for (const [one, other] of [
		['Pick up the  cube', 'Pick up the cube'],
		['Pick up the cube', 'pick up the cube.'],
		['Pick up the bottel', 'Pick up the bottle'],
		['Pick up the botle', 'Pick up the bottle'],
		['Pickup the bottle', 'Pick up the bottle'],
	] as const) {
		expect(differenceOf(one, other)).toBeDefined();
	}
});
