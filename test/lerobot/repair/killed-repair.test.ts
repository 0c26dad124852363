import {spawnSync} from 'node:child_process';
import {readdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {finishRepair, planRepair, repairDataset, undoRepair} from '../../../source/lerobot/repair/repair.ts';
import {isSoak} from '../../faults/support/soak.ts';
import {dataFile, episodesFile, tasksFile} from '../../support/lerobot-dataset.ts';
import {bytesOnly, contents, editJson, rewrite, twoFileDataset} from './repaired-dataset.ts';

const ids = ['episode-gap', 'task-order', 'splits-wrong', 'leftover-temporary'] as const;

/** A dataset in which data files, episodes, tasks and the description are to be written, and one file put aside. */
async function damagedDataset(): Promise<string> {
	const folder = await twoFileDataset();
	const query =
		'SELECT * REPLACE (episode_index + (episode_index > 0)::BIGINT AS episode_index) FROM old ORDER BY place';
	for (const file of [dataFile(0), dataFile(1), episodesFile]) await rewrite(folder, file, query);
	await rewrite(folder, tasksFile, 'FROM old ORDER BY place DESC');
	await editJson(path.join(folder, 'meta/info.json'), info => (info.splits = {train: '0:12'}));
	await writeFile(path.join(folder, 'data/chunk-000/file-000.parquet.tmp'), 'x');
	return folder;
}

/** A copy of a dataset and of what its repairs keep beside it, hard links, times and all. @returns the dataset's copy */
function copyAt(folder: string, step: number): string {
	const beside = path.dirname(folder);
	const copy = `${beside}-at-${step}`;
	const {status, stderr} = spawnSync('cp', ['-a', beside, copy], {encoding: 'utf8'});
	if (status !== 0) throw new Error(stderr);
	onTestFinished(() => rm(copy, {recursive: true, force: true}));
	return path.join(copy, path.basename(folder));
}

/** Every file of the dataset and of its repairs, but for the lock and the time that a journal was made at. */
async function stateOf(folder: string): Promise<Record<string, string>> {
	const state = bytesOnly(await contents(path.dirname(folder)));
	for (const [file, bytes] of Object.entries(state)) {
		if (file.endsWith('/lock')) delete state[file];
		if (!/\/journal\.json(\.new)?$/.test(file)) continue;
		const {state: is, repairs, files} = JSON.parse(Buffer.from(bytes, 'base64').toString());
		state[file] = JSON.stringify([is, repairs, files.map((each: {file: string}) => each.file)]);
	}
	return state;
}

/** Kills a repair or an undo in a process of its own at a step. */
function kill(folder: string, what: 'repair' | 'undo', step: number): void {
	const script = path.join(import.meta.dirname, 'killed-repair.ts');
	const {signal, stderr} = spawnSync(process.execPath, [script, folder, what, String(step)], {
		encoding: 'utf8',
	});
	if (signal !== 'SIGKILL') throw new Error(`step ${step} of the ${what} was passed: ${stderr}`);
}

/** Steps that a process is really killed at: the first, the last and one between, all of them in the soak. */
const killed = (steps: number) =>
	Array.from({length: steps}, (_, step) => step).filter(
		step => isSoak || step === 0 || step === steps - 1 || step === Math.floor(steps / 2),
	);

// A killed process leaves the disk as it was at that step: a copy made there is that disk.
test('a repair or an undo that is killed at any file has happened as a whole or not at all', {
	timeout: 300_000,
}, async () => {
	const folder = await damagedDataset();
	const before = bytesOnly(await contents(folder));
	const whole = copyAt(folder, -1);
	const repairs: string[] = [];
	await repairDataset(folder, {ids}, () => repairs.push(copyAt(folder, repairs.length)));
	const after = bytesOnly(await contents(folder));
	expect(after).not.toEqual(before);
	const repaired = copyAt(folder, -2);
	const undos: string[] = [];
	await undoRepair(folder, () => undos.push(copyAt(folder, 1000 + undos.length)));
	expect(bytesOnly(await contents(folder))).toEqual(before);
	expect(repairs.length).toBeGreaterThan(10);
	expect(undos.length).toBeGreaterThan(5);

	for (const [what, from, copies] of [
		['repair', whole, repairs],
		['undo', repaired, undos],
	] as const) {
		for (const step of killed(copies.length)) {
			const real = copyAt(from, 2000 + step);
			kill(real, what, step);
			expect(await stateOf(real), `${what} killed at step ${step}`).toEqual(
				await stateOf(copies[step] ?? ''),
			);
			await rm(path.dirname(real), {recursive: true});
		}
	}

	const outcomes: string[] = [];
	for (const copy of repairs) {
		const finished = await finishRepair(copy);
		const now = bytesOnly(await contents(copy));
		const isAfter = now['meta/info.json'] === after['meta/info.json'];
		expect(now).toEqual(isAfter ? after : before);
		if (finished === 'repair') expect(isAfter).toBe(true);
		outcomes.push(isAfter ? 'after' : 'before');
		if (isAfter) await undoRepair(copy);
		expect(bytesOnly(await contents(copy))).toEqual(before);
		expect(await readdir(path.dirname(copy))).toEqual(['dataset']);
	}
	expect([...new Set(outcomes)]).toEqual(['before', 'after']);
	for (const copy of undos) {
		await expect(planRepair(copy, {ids: []})).rejects.toThrow('was interrupted');
		expect(await finishRepair(copy)).toBe('undo');
		expect(bytesOnly(await contents(copy))).toEqual(before);
		expect(await readdir(path.dirname(copy))).toEqual(['dataset']);
	}
});
