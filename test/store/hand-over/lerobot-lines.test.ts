import {execFileSync} from 'node:child_process';
import {expect, test, vi} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {sourceOfFolder} from '../../../source/store/hand-over/dataset-source.ts';
import {byDataset, deleteLine, excludeLine} from '../../../source/store/hand-over/lerobot-lines.ts';

const episode = (dataset: string, episode_index: number) =>
	({dataset_id: dataset, dataset_name: dataset, episode_index}) as LakeEpisode;

const sourceOf = async ({dataset_name: name}: LakeEpisode) => sourceOfFolder(name, `/robots/day one/${name}`);

/** The words that a shell makes of a line. */
const words = (line: string) =>
	execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], {encoding: 'utf8'})
		.trimEnd()
		.split('\n');

test('a line a dataset, its indices in order and once, and the original stays', async () => {
	const chosen = [episode('push', 9), episode('fold', 31), episode('fold', 3), episode('fold', 31)];
	const lines = (await byDataset(chosen, sourceOf)).map(deleteLine);
	expect(lines.map(words)).toEqual(
		[
			['fold', '[3, 31]'],
			['push', '[9]'],
		].map(([name, indices]) => [
			'lerobot-edit-dataset',
			'--repo_id',
			`local/${name}`,
			'--root',
			`/robots/day one/${name}`,
			'--new_repo_id',
			`local/${name}_kept`,
			'--operation.type',
			'delete_episodes',
			'--operation.episode_indices',
			indices,
		]),
	);
	const [fold] = await byDataset(chosen, sourceOf);
	expect(words(fold ? excludeLine(fold) : '')).toEqual([
		'--dataset.repo_id=local/fold',
		'--dataset.root=/robots/day one/fold',
		'--dataset.exclude_episodes=[3, 31]',
	]);
});

test('a dataset that lies where LeRobot keeps them is named as LeRobot names it', () => {
	vi.stubEnv('HF_LEROBOT_HOME', '/data/lerobot');
	try {
		expect(sourceOfFolder('cups', '/data/lerobot/anna/cups')).toEqual({repoId: 'anna/cups', root: undefined});
		expect(sourceOfFolder('cups', '/data/cups')).toEqual({repoId: 'local/cups', root: '/data/cups'});
	} finally {
		vi.unstubAllEnvs();
	}
});
