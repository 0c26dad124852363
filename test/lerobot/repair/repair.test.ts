import {spawnSync} from 'node:child_process';
import {copyFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {type DamageId, damageIds, damageKinds} from '../../../source/lerobot/check/damage.ts';
import {findDamage} from '../../../source/lerobot/check/find-damage.ts';
import {ReadDatabase} from '../../../source/lerobot/read-database.ts';
import {
	copyOut,
	copyOutTarget,
	finishRepair,
	planRepair,
	repairableIds,
	repairDataset,
	undoRepair,
} from '../../../source/lerobot/repair/repair.ts';
import {dataFile, episodesFile, tasksFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {writeMp4} from '../../support/mp4.ts';
import {readParquet, withDuckDB} from '../../support/parquet.ts';
import {freshFolder} from '../write-support.ts';

const camera = 'observation.images.top';
const frames = [40, 50, 60];
const video = `videos/${camera}/chunk-000/file-000.mp4`;

let folder = '';
const at = (file: string) => path.join(folder, file);

/** A whole dataset of three episodes in two files with one video. */
beforeEach(async () => {
	folder = path.join(await freshFolder(), 'dataset');
	await writeLerobotDataset(folder, {
		episodes: frames.map((count, episode) => ({frames: count, tasks: [episode === 2 ? 'fold' : 'pick']})),
		episodesPerFile: 2,
		cameras: [camera],
		videosInRow: true,
	});
	await writeMp4(at(video), {frames: 150, fps: 30, width: 640, height: 480});
	await repairDataset(folder, {ids: []});
	await rm(path.join(path.dirname(folder), '.dataset.lakescope-repairs'), {recursive: true});
	expect(await planRepair(folder, {ids: []})).toMatchObject({repairs: [], files: []});
});

/** Every file below a folder with its bytes and the time that it was written at. */
async function contents(root: string): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const entry of await readdir(root, {withFileTypes: true, recursive: true})) {
		const file = path.join(entry.parentPath, entry.name);
		if (!entry.isFile()) continue;
		found[path.relative(root, file)] =
			`${(await stat(file)).mtimeMs} ${(await readFile(file)).toString('base64')}`;
	}
	return found;
}

/** Writes a parquet file anew from a query over it, which calls it `old`. */
async function rewrite(file: string, query: string): Promise<void> {
	await withDuckDB(async connection => {
		await connection.run(
			`CREATE TABLE old AS SELECT *, row_number() OVER () - 1 AS place FROM read_parquet('${at(file)}')`,
		);
		await connection.run(`COPY (SELECT * EXCLUDE (place) FROM (${query})) TO '${at(file)}' (FORMAT parquet)`);
	});
}

// biome-ignore lint/suspicious/noExplicitAny: tests spoil whatever a file of JSON holds
type Loose = any;

async function info(change: (info: Loose) => void): Promise<void> {
	const read = JSON.parse(await readFile(at('meta/info.json'), 'utf8'));
	change(read);
	await writeFile(at('meta/info.json'), JSON.stringify(read));
}

async function stats(change: (stats: Loose) => void): Promise<void> {
	const read = JSON.parse(await readFile(at('meta/stats.json'), 'utf8'));
	change(read);
	await writeFile(at('meta/stats.json'), JSON.stringify(read));
}

/** All that a frame has besides its counters. */
async function values(): Promise<unknown> {
	const all: unknown[] = [];
	for (const file of [dataFile(0), dataFile(1)]) {
		if (!(await stat(at(file)).catch(() => undefined))) continue;
		if (!(await readFile(at(file))).subarray(-4).equals(Buffer.from('PAR1'))) continue;
		for (const row of await readParquet(at(file))) all.push([row.action, row['observation.state']]);
	}
	return all;
}

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

for (const [what, [ids, plant]] of Object.entries(damages)) {
	test(`${what}: a dry run changes nothing, the repair mends it and no value of a frame, undo gives back every byte`, async () => {
		await plant();
		const before = await contents(folder);
		const held = await values();
		const kinds = await kindsFound();
		const meant = ids.filter(id => kinds.includes(id));
		expect(meant, `check finds ${kinds}`).not.toEqual([]);
		const plan = await planRepair(folder, {ids});
		expect(plan.repairs.map(({id}) => ids.includes(id as DamageId) || id === 'follows')).not.toContain(false);
		expect(plan.files).not.toEqual([]);
		expect(await contents(folder)).toEqual(before);
		expect(await readdir(path.dirname(folder))).toEqual(['dataset']);

		expect(await repairDataset(folder, {ids})).toEqual(plan);
		const after = await contents(folder);
		const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
			file => before[file] !== after[file],
		);
		expect(differing.sort()).toEqual([...new Set(plan.files)].sort());
		expect(await values()).toEqual(held);
		const left = await kindsFound();
		expect(left.filter(id => ids.includes(id))).toEqual([]);
		expect((await planRepair(folder, {ids})).files).toEqual([]);

		await undoRepair(folder);
		expect(await contents(folder)).toEqual(before);
		expect(await readdir(path.dirname(folder))).toEqual(['dataset']);
	});
}

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

test('a task gets another text, and becomes the one that has it already', async () => {
	await repairDataset(folder, {ids: [], tasks: [{was: 'fold', now: 'fold the towel'}]});
	expect((await readParquet(at(tasksFile))).map(({task}) => task)).toEqual(['pick', 'fold the towel']);
	expect((await readParquet(at(episodesFile))).at(-1)?.tasks).toEqual(['fold the towel']);
	await repairDataset(folder, {ids: [], tasks: [{was: 'fold the towel', now: 'pick'}]});
	expect((await readParquet(at(tasksFile))).map(({task}) => task)).toEqual(['pick']);
	expect(new Set((await readParquet(at(dataFile(1)))).map(({task_index}) => task_index))).toEqual(
		new Set([0n]),
	);
	await expect(repairDataset(folder, {ids: [], tasks: [{was: 'sing', now: 'dance'}]})).rejects.toThrow(
		'no task "sing"',
	);
});

/** Runs a repair in a process of its own that is killed at a step. @returns whether it was */
function killedAt(what: 'repair' | 'undo', step: number): boolean {
	const script = path.join(import.meta.dirname, 'killed-repair.ts');
	const {status, signal, stderr} = spawnSync(process.execPath, [script, folder, what, String(step)], {
		encoding: 'utf8',
	});
	if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr);
	return signal === 'SIGKILL';
}

test('a repair or an undo that is killed at any file has happened as a whole or not at all', {
	timeout: 300_000,
}, async () => {
	for (const damage of [
		'a gap in the numbers of the episodes',
		'tasks in another order',
		'splits beyond the episodes',
		'files of unfinished work',
	]) {
		await damages[damage]?.[1]();
	}
	const before = bytesOnly(await contents(folder));
	expect(killedAt('repair', 1000)).toBe(false);
	const after = bytesOnly(await contents(folder));
	await undoRepair(folder);
	const outcomes = {repair: new Set<string>(), undo: new Set<string>()};
	let step = 0;
	for (; killedAt('repair', step); step++) {
		const finished = await finishRepair(folder);
		const now = bytesOnly(await contents(folder));
		expect(now).toEqual(
			finished === 'repair'
				? after
				: Object.values(now).join() === Object.values(after).join()
					? after
					: before,
		);
		outcomes.repair.add(now['meta/info.json'] === after['meta/info.json'] ? 'after' : 'before');
		if (now['meta/info.json'] === after['meta/info.json']) await undoRepair(folder);
		expect(bytesOnly(await contents(folder))).toEqual(before);
	}
	expect(step).toBeGreaterThan(10);
	expect([...outcomes.repair]).toEqual(['before', 'after']);
	expect(bytesOnly(await contents(folder))).toEqual(after);
	for (step = 0; killedAt('undo', step); step++) {
		await expect(planRepair(folder, {ids: []})).rejects.toThrow('was interrupted');
		expect(await finishRepair(folder)).toBe('undo');
		expect(bytesOnly(await contents(folder))).toEqual(before);
		expect(killedAt('repair', 1000)).toBe(false);
	}
	expect(step).toBeGreaterThan(5);
	expect(bytesOnly(await contents(folder))).toEqual(before);
	expect(await readdir(path.dirname(folder))).toEqual(['dataset']);
});

/** The ids of the damages that check finds. */
async function kindsFound(): Promise<DamageId[]> {
	const spillFolder = await freshFolder();
	const database = await ReadDatabase.open({
		folders: [folder, spillFolder],
		memoryLimit: '512MB',
		spillFolder,
	});
	try {
		return (await findDamage(database, folder)).map(({id}) => id);
	} finally {
		database.close();
	}
}

const bytesOnly = (files: Record<string, string>) =>
	Object.fromEntries(Object.entries(files).map(([file, content]) => [file, content.split(' ')[1] ?? '']));

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
	expect((await kindsFound()).filter(id => !lasting.includes(id))).toEqual([]);
});

test('what check calls repairable is what repair mends', () => {
	const told = damageIds.filter(id => damageKinds[id].repair !== null && id !== 'task-null');
	expect([...repairableIds].sort()).toEqual(told.sort());
});
