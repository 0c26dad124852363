import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {TrainerHelp} from '../../../source/service/jobs/trainers/trainer-options.ts';
import {
	type DatasetSource,
	deleteLine,
	type EditTools,
	editLines,
	viewLine,
} from '../../../source/store/export/lerobot-edits.ts';
import {installRelease, versionOf} from '../../support/lerobot-releases/install.ts';
import {releases} from '../../support/lerobot-releases/release.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-dataset-tools-'));
afterAll(() => rmSync(folder, {recursive: true}));

const home = path.join(folder, 'lerobot');

beforeEach(() => {
	vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(path.join(folder, 'cache-')));
	vi.stubEnv('HF_LEROBOT_HOME', home);
	onTestFinished(() => void vi.unstubAllEnvs());
});

/** A dataset as far as LeRobot's tools look at it before they work. */
function dataset(name: string, root: string): DatasetSource {
	mkdirSync(path.join(root, 'meta'), {recursive: true});
	const features = {action: {dtype: 'float32', shape: [6]}, FEATURE: {dtype: 'float32', shape: [1]}};
	const info = {codebase_version: 'v3.0', total_episodes: 3, fps: 30, robot_type: 'arm', features};
	writeFileSync(path.join(root, 'meta/info.json'), JSON.stringify(info));
	return {repoId: name, root, format: 'v3.0', episodes: 3};
}

const fold = {source: dataset('local/fold', path.join(folder, 'day one/fold')), indices: [1], datasetId: 'a'};
const push = {
	source: {...dataset('anna/push', path.join(home, 'anna/push')), root: undefined},
	indices: [0, 2],
	datasetId: 'b',
};

describe.each(releases)('LeRobot %s', release => {
	const environment = path.join(folder, `env-${release}`);

	async function installed(): Promise<EditTools> {
		const command = await installRelease(environment, release);
		vi.stubEnv('LAKESCOPE_TRAINER', command);
		const {edit_dataset} = await new TrainerHelp().options();
		if (edit_dataset === undefined) throw new Error('nothing is said of lerobot-edit-dataset');
		return edit_dataset;
	}

	/** Runs lines as a person does who pastes them. */
	const pasted = (lines: string) =>
		execFileSync('sh', ['-e', '-c', lines], {
			cwd: folder,
			encoding: 'utf8',
			env: {PATH: `${environment}/bin:${process.env.PATH}`, HOME: folder, HF_LEROBOT_HOME: home},
		});

	test('is asked which operations it has', async () => {
		const tools = await installed();
		expect(tools).toMatchObject({
			is_asking: false,
			message: `lerobot-edit-dataset of LeRobot ${versionOf[release]}`,
			operations: expect.arrayContaining([
				'delete_episodes',
				'split',
				'merge',
				'modify_tasks',
				'remove_feature',
			]),
		});
		expect(tools.flags?.includes('--operation.task_replacements')).toBe(release !== '0.5.1');
	});

	test('takes each line, with its result where the line above it says', async () => {
		const tools = await installed();
		const tasks = () => new Map([[1, 'fold it\'s "top"']]);
		const lines = [
			...[fold, push].map(of => deleteLine(of, tools)),
			editLines([fold, push], tasks, tools),
		].join('\n');
		expect(lines.split('\n').filter(line => / has no /.test(line))).toEqual([]);
		const said = lines
			.split('\n')
			.filter(line => line.startsWith('#'))
			.flatMap(line => line.match(/\/\S+?(?=,| and |;|$)/g) ?? [])
			.filter(place => place.startsWith(home));
		const made = pasted(lines)
			.trim()
			.split('\n')
			.map(line => line.replace('Dataset saved to ', ''));
		expect([...new Set(made)].sort()).toEqual([...new Set(said)].sort());
		// Two datasets: deleted, split in two, tasks and feature, of each; one merged.
		expect(new Set(made).size).toBe(2 * 5 + 1);
		for (const source of [fold.source, push.source]) expect(made).not.toContain(source.root);
		for (const {source} of [fold, push]) rmSync(`${home}/${source.repoId}_tasks`, {recursive: true});
	});

	test('shows an episode over SSH, or writes it to a file', async () => {
		await installed();
		for (const {source} of [fold, push]) {
			expect(pasted(viewLine(source, 2)).trim().split('\n')).toEqual(['Served at 9876', 'Saved into .']);
		}
		expect(() => pasted(viewLine(fold.source, 3))).toThrow('Invalid episode indices');
	});

	test('refuses what it does not have', async () => {
		await installed();
		const refused = (words: string) => {
			try {
				return pasted(`lerobot-edit-dataset --repo_id anna/push ${words}`);
			} catch (error) {
				return (error as {status: number}).status;
			}
		};
		expect(refused('--operation.type trim')).toBe(2);
		expect(refused('--operation.type delete_episodes --operation.episode_indices "[0, 1, 2]"')).toBe(1);
		const renamed = `--operation.type modify_tasks --operation.task_replacements '{}'`;
		expect(refused(renamed)).toEqual(release === '0.5.1' ? 2 : expect.any(String));
	});
});

test('a machine without LeRobot says so, and one whose tool says nothing too', async () => {
	vi.stubEnv('PATH', '/nowhere');
	vi.stubEnv('LAKESCOPE_TRAINER', '');
	vi.stubEnv('XDG_CONFIG_HOME', folder);
	expect((await new TrainerHelp().options()).edit_dataset).toEqual({
		operations: null,
		flags: null,
		is_asking: false,
		message: 'There is no lerobot-edit-dataset on this machine.',
	});
	const silent = path.join(folder, 'silent');
	mkdirSync(silent);
	writeFileSync(path.join(silent, 'lerobot-edit-dataset'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
	vi.stubEnv('PATH', silent);
	expect((await new TrainerHelp().options()).edit_dataset).toMatchObject({
		operations: null,
		message: expect.stringMatching(/lerobot-edit-dataset does not say which options it has\.$/),
	});
});
