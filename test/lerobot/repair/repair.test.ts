import {copyFile, mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {type DamageId, damageIds, damageKinds} from '../../../source/lerobot/check/damage.ts';
import {
	copyOut,
	copyOutTarget,
	repairableIds,
	repairDataset,
	undoRepair,
} from '../../../source/lerobot/repair/repair.ts';
import {dataFile, episodesFile, tasksFile} from '../../support/lerobot-dataset.ts';
import {writeMp4} from '../../support/mp4.ts';
import {idsOf, wholeDataset} from '../check/checked-dataset.ts';
import {plants} from '../check/plants.ts';
import {
	bytesOnly,
	camera,
	contents,
	editJson,
	expectRepair,
	type Loose,
	rewrite as rewriteIn,
	twoFileDataset,
} from './repaired-dataset.ts';

let folder = '';
const at = (file: string) => path.join(folder, file);

beforeEach(async () => {
	folder = await twoFileDataset();
});

const rewrite = (file: string, query: string) => rewriteIn(folder, file, query);
const info = (change: (info: Loose) => void) => editJson(at('meta/info.json'), change);
const stats = (change: (stats: Loose) => void) => editJson(at('meta/stats.json'), change);

const both = async (query: string) => {
	await rewrite(dataFile(0), query);
	await rewrite(dataFile(1), query);
};

const damages: Record<string, readonly [ids: DamageId[], plant: () => Promise<void>]> = {
	'a wrong total_episodes': [['total-episodes-wrong'], () => info(read => (read.total_episodes = 9))],
	'a wrong total_frames': [['total-frames-wrong'], () => info(read => (read.total_frames = 9))],
	'a wrong total_tasks': [['total-tasks-wrong'], () => info(read => (read.total_tasks = 9))],
	'splits beyond the episodes': [['splits-wrong'], () => info(read => (read.splits = {train: '0:12'}))],
	'a wrong shape': [['feature-shape-differs'], () => info(read => (read.features.action.shape = [7]))],
	'a declared feature without data': [
		['feature-column-missing'],
		() => info(read => (read.features.lost = {dtype: 'float32', shape: [1], names: null})),
	],
	'an undeclared column': [
		['column-undeclared'],
		() => both('SELECT *, 0.5::FLOAT AS force FROM old ORDER BY place'),
	],
	'a camera without names': [
		['camera-names-missing'],
		() => info(read => (read.features[camera].names = null)),
	],
	'a camera of another size': [
		['camera-shape-differs'],
		() => info(read => (read.features[camera].shape = [240, 320, 3])),
	],
	'another codec': [
		['video-codec-differs'],
		() => info(read => (read.features[camera].info = {'video.codec': 'h264'})),
	],
	'no statistics': [['stats-missing'], () => rm(at('meta/stats.json'))],
	'statistics that are no JSON': [['stats-unreadable'], () => writeFile(at('meta/stats.json'), '{"action":')],
	'a mean that is off': [['stats-mean-wrong'], () => stats(read => (read.action.mean[0] += 3))],
	'a wrong range': [['stats-range-wrong'], () => stats(read => (read.action.max[1] += 3))],
	'wrong quantiles': [['stats-quantiles-wrong'], () => stats(read => (read.action.q99[1] -= 3))],
	'no quantiles': [['stats-quantiles-missing'], () => stats(read => delete read.action.q01)],
	'statistics of another width': [['stats-width-wrong'], () => stats(read => read.action.mean.pop())],
	'a feature without statistics': [['stats-feature-missing'], () => stats(read => delete read.action)],
	'a wrong count': [['stats-count-wrong'], () => stats(read => (read.action.count = [7]))],
	'a camera without statistics': [['stats-camera-missing'], () => stats(read => delete read[camera])],
	'timestamps that drift': [
		['timestamps-drift'],
		() => both('SELECT * REPLACE ((timestamp * 1.0005)::FLOAT AS timestamp) FROM old ORDER BY place'),
	],
	'timestamps that begin late': [
		['timestamps-shifted'],
		() => both('SELECT * REPLACE ((timestamp + 0.2)::FLOAT AS timestamp) FROM old ORDER BY place'),
	],
	'a frame_index that skips': [
		['frame-index-wrong'],
		() => both('SELECT * REPLACE (frame_index + 5 AS frame_index) FROM old ORDER BY place'),
	],
	'an index that begins anew': [
		['index-wrong'],
		() => both('SELECT * REPLACE (frame_index AS "index") FROM old ORDER BY place'),
	],
	'a gap in the numbers of the episodes': [
		['episode-gap'],
		async () => {
			const query =
				'SELECT * REPLACE (episode_index + (episode_index > 0)::BIGINT AS episode_index) FROM old ORDER BY place';
			await both(query);
			await rewrite(episodesFile, query);
		},
	],
	'episodes in another order': [
		['episode-order'],
		() => rewrite(episodesFile, 'FROM old ORDER BY place DESC'),
	],
	'an episode that is listed twice': [
		['episode-listed-twice'],
		() => rewrite(episodesFile, 'FROM old UNION ALL FROM old WHERE episode_index = 1'),
	],
	'a wrong length': [
		['episode-length-wrong'],
		() => rewrite(episodesFile, 'SELECT * REPLACE ("length" + 2 AS "length") FROM old ORDER BY place'),
	],
	'wrong bounds': [
		['episode-bounds-wrong'],
		() =>
			rewrite(
				episodesFile,
				'SELECT * REPLACE (dataset_from_index + 2 AS dataset_from_index) FROM old ORDER BY place',
			),
	],
	'another data file': [
		['episode-file-wrong'],
		() => rewrite(episodesFile, 'SELECT * REPLACE (0::BIGINT AS "data/file_index") FROM old ORDER BY place'),
	],
	'tasks in another order': [['task-order'], () => rewrite(tasksFile, 'FROM old ORDER BY place DESC')],
	'a task of no frame': [['task-unused'], () => rewrite(tasksFile, "FROM old UNION ALL SELECT 2, 'rest', 2")],
	'a text twice': [
		['task-text-twice', 'episode-tasks-differ'],
		() => rewrite(tasksFile, "SELECT * REPLACE ('pick' AS task) FROM old ORDER BY place"),
	],
	'two texts that differ by a blank': [
		['task-texts-similar'],
		async () => {
			await rewrite(
				tasksFile,
				"SELECT * REPLACE (replace(task, 'fold', 'pick ') AS task) FROM old ORDER BY place",
			);
			await rewrite(
				episodesFile,
				"SELECT * REPLACE (list_transform(tasks, t -> replace(t, 'fold', 'pick ')) AS tasks) FROM old ORDER BY place",
			);
		},
	],
	'no tasks': [['tasks-missing'], () => rm(at(tasksFile))],
	'a number of no task': [
		['task-index-unknown'],
		() => rewrite(dataFile(1), 'SELECT * REPLACE (8::BIGINT AS task_index) FROM old ORDER BY place'),
	],
	'an episode that names another task': [
		['episode-tasks-differ'],
		() => rewrite(episodesFile, "SELECT * REPLACE (['fold'] AS tasks) FROM old ORDER BY place"),
	],
	'spans past the end': [
		['video-span-past-end'],
		() =>
			rewrite(
				episodesFile,
				`SELECT * REPLACE ("videos/${camera}/from_timestamp" + 4 AS "videos/${camera}/from_timestamp", "videos/${camera}/to_timestamp" + 4 AS "videos/${camera}/to_timestamp") FROM old ORDER BY place`,
			),
	],
	'spans between frames': [
		['video-span-off-grid'],
		() =>
			rewrite(
				episodesFile,
				`SELECT * REPLACE ("videos/${camera}/from_timestamp" + 0.01 AS "videos/${camera}/from_timestamp") FROM old ORDER BY place`,
			),
	],
	'a video that no episode uses': [
		['video-unused'],
		() => writeMp4(at(`videos/${camera}/chunk-000/file-007.mp4`), {frames: 3, fps: 30}),
	],
	'files of unfinished work': [
		['leftover-temporary'],
		() => writeFile(at('data/chunk-000/file-000.parquet.tmp'), 'x'),
	],
	'a recording that was killed': [
		['parquet-without-footer'],
		async () => {
			const whole = await readFile(at(dataFile(1)));
			await writeFile(at(dataFile(1)), whole.subarray(0, whole.length - 40));
		},
	],
};

test('at least 20 kinds are planted', () => {
	expect(new Set(Object.values(damages).flatMap(([ids]) => ids)).size).toBeGreaterThanOrEqual(20);
});

const promise =
	'a dry run changes nothing, the repair mends it and no value of a frame, undo gives back every byte';

for (const [what, [ids, plant]] of Object.entries(damages)) {
	test(`${what}: ${promise}`, async () => {
		await plant();
		await expectRepair(folder, ids);
	});
}

/** Kinds that take a dataset with a video file for each episode, or with statistics of episodes. */
const alone = new Set(Object.values(damages).flatMap(([ids]) => ids));
const others = plants.filter(({id}) => repairableIds.includes(id) && !alone.has(id));

test.each(others)(`$id: ${promise}`, async ({id, plant}) => {
	const arm = await wholeDataset();
	await plant(arm);
	await expectRepair(arm, [id]);
});

test('repairs are taken back one after the other, and not where somebody changed a file since', async () => {
	const whole = await contents(folder);
	await info(read => (read.total_frames = 9));
	const first = await contents(folder);
	await repairDataset(folder, {ids: ['total-frames-wrong']});
	await stats(read => delete read.action);
	await repairDataset(folder, {ids: ['stats-feature-missing']});
	await undoRepair(folder);
	await undoRepair(folder);
	expect((await contents(folder))['meta/info.json']).toBe(first['meta/info.json']);
	expect(Object.keys(await contents(folder))).toEqual(Object.keys(whole));
	await expect(undoRepair(folder)).rejects.toThrow('no repair to take back');

	await repairDataset(folder, {ids: ['total-frames-wrong']});
	await info(read => (read.robot_type = 'another'));
	await expect(undoRepair(folder)).rejects.toThrow('meta/info.json was changed after the repair');
});

test('a snapshot of the Hub is copied out before it is repaired, and its blobs stay as they are', async () => {
	const home = path.dirname(folder);
	const repository = path.join(home, 'hub', 'datasets--me--arms');
	const snapshot = path.join(repository, 'snapshots', 'abc');
	for (const file of Object.keys(await contents(folder))) {
		const blob = path.join(repository, 'blobs', file.replaceAll('/', '_'));
		await mkdir(path.dirname(blob), {recursive: true});
		await copyFile(at(file), blob);
		await mkdir(path.dirname(path.join(snapshot, file)), {recursive: true});
		await symlink(path.relative(path.dirname(path.join(snapshot, file)), blob), path.join(snapshot, file));
	}
	const blobs = await contents(path.join(repository, 'blobs'));
	const target = await copyOutTarget(snapshot, home);
	expect(target).toBe(path.join(home, 'me', 'arms'));
	await expect(repairDataset(snapshot, {ids: []})).rejects.toThrow('never written');
	await copyOut(snapshot, target ?? '');
	expect(bytesOnly(await contents(target ?? ''))).toEqual(bytesOnly(await contents(folder)));
	await expect(copyOut(snapshot, target ?? '')).rejects.toThrow('is there already');
	expect(await contents(path.join(repository, 'blobs'))).toEqual(blobs);
	expect(await readdir(path.dirname(snapshot))).toEqual(['abc']);
});

test('without ids everything that check finds and that is safe is mended, after which it finds nothing more', async () => {
	for (const what of [
		'a gap in the numbers of the episodes',
		'timestamps that drift',
		'tasks in another order',
		'splits beyond the episodes',
		'a mean that is off',
		'a camera without statistics',
		'spans past the end',
		'files of unfinished work',
	]) {
		await damages[what]?.[1]();
	}
	await repairDataset(folder, {ids: []});
	const lasting: readonly DamageId[] = [
		'episode-stats-missing',
		'stats-quantiles-inexact',
		'stats-count-sampled',
	];
	expect((await idsOf(folder)).filter(id => !lasting.includes(id))).toEqual([]);
});

test('what check calls repairable is what repair mends', () => {
	const told = damageIds.filter(id => damageKinds[id].repair !== null && id !== 'task-null');
	expect([...repairableIds].sort()).toEqual(told.sort());
});
