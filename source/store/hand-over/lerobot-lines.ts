import type {LakeEpisode} from '../../contract/episode.ts';
import {shellWord} from '../export/shell-lines.ts';
import type {DatasetSource} from './dataset-source.ts';

/** Episodes of one dataset, by their indices there. */
export type OfDataset = {readonly source: DatasetSource; readonly indices: readonly number[]};

/** Episodes by the datasets that they are of, each with the indices that it has there, in order and once. */
export async function byDataset(
	episodes: readonly LakeEpisode[],
	sourceOf: (episode: LakeEpisode) => Promise<DatasetSource>,
): Promise<readonly OfDataset[]> {
	const groups = [...Map.groupBy(episodes, ({dataset_id}) => dataset_id).values()];
	const all: OfDataset[] = [];
	for (const members of groups) {
		const [first] = members;
		if (first === undefined) continue;
		const indices = [...new Set(members.map(({episode_index}) => episode_index))].sort((a, b) => a - b);
		all.push({source: await sourceOf(first), indices});
	}
	return all.sort((a, b) => (a.source.repoId < b.source.repoId ? -1 : 1));
}

const listed = (indices: readonly number[]) => `"[${indices.join(', ')}]"`;

/**
 * The command that makes a dataset without some of its episodes; with `--new_repo_id` the original stays as it is.
 * Options as LeRobot's "Using Dataset Tools" has them.
 */
export function deleteLine({source: {repoId, root}, indices}: OfDataset): string {
	return [
		'lerobot-edit-dataset',
		`--repo_id ${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--root ${shellWord(root)}`]),
		`--new_repo_id ${shellWord(`${repoId}_kept`)}`,
		'--operation.type delete_episodes',
		`--operation.episode_indices ${listed(indices)}`,
	].join(' ');
}

/** The options that have a trainer leave some episodes of a dataset out. */
export function excludeLine({source: {repoId, root}, indices}: OfDataset): string {
	return [
		`--dataset.repo_id=${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--dataset.root=${shellWord(root)}`]),
		`--dataset.exclude_episodes=${listed(indices)}`,
	].join(' ');
}
