import {readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect} from 'vitest';
import type {DamageId} from '../../../source/lerobot/check/damage.ts';
import {planRepair, repairDataset, undoRepair} from '../../../source/lerobot/repair/repair.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {writeMp4} from '../../support/mp4.ts';
import {readParquet, withDuckDB} from '../../support/parquet.ts';
import {idsOf} from '../check/checked-dataset.ts';
import {copiesOf} from '../write-support.ts';

export const camera = 'observation.images.top';
const frames = [12, 15, 18];

/** A whole dataset of three episodes in two files with one video. */
export const twoFileDataset = copiesOf('dataset', async folder => {
	await writeLerobotDataset(folder, {
		episodes: frames.map((count, episode) => ({frames: count, tasks: [episode === 2 ? 'fold' : 'pick']})),
		episodesPerFile: 2,
		cameras: [camera],
		videosInRow: true,
	});
	await writeMp4(path.join(folder, `videos/${camera}/chunk-000/file-000.mp4`), {
		frames: 45,
		fps: 30,
		width: 640,
		height: 480,
	});
	await repairDataset(folder, {ids: []});
	await rm(path.join(path.dirname(folder), '.dataset.lakescope-repairs'), {recursive: true});
	expect(await planRepair(folder, {ids: []})).toMatchObject({repairs: [], files: []});
});

/** Every file below a folder with its bytes and the time that it was written at. */
export async function contents(root: string): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const entry of await readdir(root, {withFileTypes: true, recursive: true})) {
		const file = path.join(entry.parentPath, entry.name);
		if (!entry.isFile()) continue;
		found[path.relative(root, file)] =
			`${(await stat(file)).mtimeMs} ${(await readFile(file)).toString('base64')}`;
	}
	return found;
}

export const bytesOnly = (files: Record<string, string>) =>
	Object.fromEntries(Object.entries(files).map(([file, content]) => [file, content.split(' ')[1] ?? '']));

/** Writes a parquet file anew from a query over it, which calls it `old`. */
export async function rewrite(folder: string, file: string, query: string): Promise<void> {
	const target = path.join(folder, file);
	await withDuckDB(async connection => {
		await connection.run(
			`CREATE TABLE old AS SELECT *, row_number() OVER () - 1 AS place FROM read_parquet('${target}')`,
		);
		await connection.run(`COPY (SELECT * EXCLUDE (place) FROM (${query})) TO '${target}' (FORMAT parquet)`);
	});
}

// biome-ignore lint/suspicious/noExplicitAny: tests spoil whatever a file of JSON holds
export type Loose = any;

export async function editJson(file: string, change: (json: Loose) => void): Promise<void> {
	const read = JSON.parse(await readFile(file, 'utf8'));
	change(read);
	await writeFile(file, JSON.stringify(read));
}

/** All that frames have besides their counters, under the names that actions and states have there. */
export async function valuesIn(
	folder: string,
	names: readonly string[] = ['action', 'observation.state'],
): Promise<unknown> {
	const all: unknown[] = [];
	const files = await readdir(path.join(folder, 'data'), {recursive: true});
	for (const name of files.filter(each => each.endsWith('.parquet')).sort()) {
		const file = path.join(folder, 'data', name);
		if (!(await readFile(file)).subarray(-4).equals(Buffer.from('PAR1'))) continue;
		for (const row of await readParquet(file)) {
			const held = names.map(each => row[each]);
			if (held.some(value => value !== undefined)) all.push(held);
		}
	}
	return all;
}

/**
 * Looks whether a dry run changes nothing, the repair changes the files that it named and no value of a frame, check
 * finds the damages no more, and an undo gives back every byte.
 */
export async function expectRepair(folder: string, ids: readonly DamageId[]): Promise<void> {
	const before = await contents(folder);
	const held = await valuesIn(folder);
	const kinds = await idsOf(folder);
	expect(
		ids.filter(id => kinds.includes(id)),
		`check finds ${kinds}`,
	).not.toEqual([]);
	const plan = await planRepair(folder, {ids});
	expect(plan.repairs.map(({id}) => ids.includes(id as DamageId) || id === 'follows')).not.toContain(false);
	expect(plan.files).not.toEqual([]);
	expect(await contents(folder)).toEqual(before);
	const beside = path.dirname(folder);
	expect(await readdir(beside)).toEqual([path.basename(folder)]);

	expect(await repairDataset(folder, {ids})).toEqual(plan);
	const after = await contents(folder);
	const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
		file => before[file] !== after[file],
	);
	expect(differing.sort()).toEqual([...new Set(plan.files)].sort());
	expect(await valuesIn(folder)).toEqual(held);
	expect((await idsOf(folder)).filter(id => ids.includes(id))).toEqual([]);
	expect((await planRepair(folder, {ids})).files).toEqual([]);

	await undoRepair(folder);
	expect(await contents(folder)).toEqual(before);
	expect(await readdir(beside)).toEqual([path.basename(folder)]);
}
