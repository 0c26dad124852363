import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {planRepair, repairDataset, undoRepair} from '../../../source/lerobot/repair/repair.ts';
import {dataFile, episodesFile, tasksFile} from '../../support/lerobot-dataset.ts';
import {readParquet, withDuckDB} from '../../support/parquet.ts';
import {camera as armCamera, idsOf, wholeDataset, wholeDatasetV21} from '../check/checked-dataset.ts';
import {contents, twoFileDataset, valuesIn} from './repaired-dataset.ts';

test('a task gets another text, and becomes the one that has it already', async () => {
	const folder = await twoFileDataset();
	const at = (file: string) => path.join(folder, file);
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

/** Names below which anything of a feature lies in a dataset: columns, keys of JSON, folders, metadata of writers. */
async function namesIn(folder: string): Promise<string> {
	const files = await readdir(folder, {recursive: true});
	const held: unknown[] = [files];
	for (const file of files.filter(name => name.endsWith('.json'))) {
		held.push(JSON.parse(await readFile(path.join(folder, file), 'utf8')));
	}
	await withDuckDB(async connection => {
		for (const file of files.filter(name => name.endsWith('.parquet'))) {
			const of = `'${path.join(folder, file)}'`;
			for (const query of [
				`SELECT name FROM parquet_schema(${of})`,
				`SELECT decode(value) AS value FROM parquet_kv_metadata(${of}) WHERE decode(key) <> 'ARROW:schema'`,
			]) {
				held.push((await connection.runAndReadAll(query)).getRowObjectsJson());
			}
		}
	});
	return JSON.stringify(held);
}

test('a feature gets another name in the data, the statistics, the episodes and the description of its writer', async () => {
	const folder = await wholeDataset();
	const features = {action: {_type: 'Sequence'}, index: {_type: 'Value'}};
	const metadata = {
		huggingface: JSON.stringify({info: {features}}),
		pandas: JSON.stringify({columns: [{name: 'action', field_name: 'action', metadata: null}]}),
	};
	const data = path.join(folder, dataFile(0));
	await withDuckDB(async connection => {
		await connection.run(`CREATE TABLE old AS FROM read_parquet('${data}')`);
		const pairs = Object.entries(metadata).map(([key, value]) => `${key}: '${value}'`);
		await connection.run(`COPY old TO '${data}' (FORMAT parquet, KV_METADATA {${pairs.join(', ')}})`);
	});
	const before = await contents(folder);
	const held = await valuesIn(folder);
	const found = await idsOf(folder);
	const wish = {ids: [], feature: {was: 'action', now: 'action.joints'}};
	const plan = await planRepair(folder, wish);
	expect(plan.repairs).toEqual([
		{id: 'rename-feature', changes: ['Feature "action" is renamed to "action.joints".']},
	]);
	expect(plan.files).toEqual([dataFile(0), episodesFile, 'meta/stats.json', 'meta/info.json']);
	expect(await contents(folder)).toEqual(before);

	expect(await repairDataset(folder, wish)).toEqual(plan);
	const after = await contents(folder);
	expect(Object.keys(after).filter(file => after[file] !== before[file])).toEqual(
		expect.arrayContaining([...plan.files]),
	);
	expect(await valuesIn(folder, ['action.joints', 'observation.state'])).toEqual(held);
	const names = await namesIn(folder);
	expect(names).toContain('stats/action.joints/mean');
	expect(names).toContain(String.raw`\"action.joints\":{\"_type\":\"Sequence\"}`);
	expect(names).not.toMatch(/["/]action\\?["/]/);
	expect(await idsOf(folder)).toEqual(found);

	await undoRepair(folder);
	expect(await contents(folder)).toEqual(before);
});

test('a camera gets another name with its videos, which are the same files', async () => {
	const folder = await wholeDataset();
	const before = await contents(folder);
	await repairDataset(folder, {ids: [], feature: {was: armCamera, now: 'observation.images.wrist'}});
	const after = await contents(folder);
	for (const [file, content] of Object.entries(before)) {
		if (!file.startsWith('videos/')) continue;
		expect(after[file]).toBeUndefined();
		expect(after[file.replace(armCamera, 'observation.images.wrist')]).toBe(content);
	}
	expect(await namesIn(folder)).not.toContain(armCamera);
	expect(await readdir(path.join(folder, 'videos'))).toEqual(['observation.images.wrist']);
	expect(await idsOf(folder)).toEqual([]);
	await undoRepair(folder);
	expect(await contents(folder)).toEqual(before);
});

test('with a repair, it is renamed as it is after that', async () => {
	const folder = await wholeDataset();
	const [one, other] = ['file-002.mp4', 'file-003.mp4'].map(file =>
		path.join(folder, 'videos', armCamera, 'chunk-000', file),
	) as [string, string];
	const whole = await contents(folder);
	const in3 = (files: Record<string, string>, camera: string) =>
		files[`videos/${camera}/chunk-000/file-003.mp4`]?.split(' ')[1] ?? '';
	const [two, three] = [whole[path.relative(folder, one)], whole[path.relative(folder, other)]];
	await writeFile(one, Buffer.from(three?.split(' ')[1] ?? '', 'base64'));
	await writeFile(other, Buffer.from(two?.split(' ')[1] ?? '', 'base64'));
	const before = await contents(folder);
	await repairDataset(folder, {ids: ['videos-swapped'], feature: {was: armCamera, now: 'wrist'}});
	expect(in3(await contents(folder), 'wrist')).toBe(in3(whole, armCamera));
	expect(await idsOf(folder)).toEqual([]);
	await undoRepair(folder);
	expect(await contents(folder)).toEqual(before);
});

test('names that a feature cannot have are refused in a sentence, and nothing changes', async () => {
	const folder = await wholeDataset();
	const before = await contents(folder);
	const renamed = (was: string, now: string) => repairDataset(folder, {ids: [], feature: {was, now}});
	await expect(renamed('grip', 'gripper')).rejects.toThrow(
		'no feature "grip"; it has action, observation.state',
	);
	await expect(renamed('action', 'arm/action')).rejects.toThrow('cannot be called "arm/action"');
	await expect(renamed('action', '..')).rejects.toThrow('cannot be called ".."');
	await expect(renamed('action', 'observation.state')).rejects.toThrow('"observation.state" already');
	await expect(renamed('action', 'Observation.State')).rejects.toThrow('"Observation.State" already');
	await expect(renamed('action', 'action')).rejects.toThrow('"action" already');
	await expect(renamed('index', 'place')).rejects.toThrow("index is LeRobot's own and keeps its name");
	await expect(renamed('action', 'task_index')).rejects.toThrow('"task_index" is LeRobot\'s own name');
	expect(await contents(folder)).toEqual(before);
	expect(await readdir(path.dirname(folder))).toEqual([path.basename(folder)]);
	const old = await wholeDatasetV21();
	await expect(repairDataset(old, {ids: [], feature: {was: 'action', now: 'joints'}})).rejects.toThrow(
		'v2.1 are not renamed: convert it to v3.0 first',
	);
});
