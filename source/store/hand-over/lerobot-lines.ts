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

/** They are all that the dataset has: LeRobot makes none without any. */
export const isAll = ({source: {episodes}, indices}: OfDataset): boolean => indices.length === episodes;

/** In the place of a line that LeRobot would refuse; for a shell it is none. */
const nothingLeft = ({source: {repoId}, indices}: OfDataset) =>
	`# ${repoId}: all of its episodes (${indices.length}); nothing would be left`;

const listed = (indices: readonly number[]) => `"[${indices.join(', ')}]"`;

/**
 * The command that makes a dataset without some of its episodes; with `--new_repo_id` the original stays as it is.
 * Options as LeRobot's "Using Dataset Tools" has them.
 */
export function deleteLine(of: OfDataset): string {
	if (isAll(of)) return nothingLeft(of);
	const {repoId, root, format} = of.source;
	const line = [
		'lerobot-edit-dataset',
		`--repo_id ${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--root ${shellWord(root)}`]),
		`--new_repo_id ${shellWord(`${repoId}_kept`)}`,
		'--operation.type delete_episodes',
		`--operation.episode_indices ${listed(of.indices)}`,
	].join(' ');
	return format?.startsWith('v2.')
		? `# ${repoId} is ${format}: this command takes v3.0 alone, convert it first\n${line}`
		: line;
}

/** The options that have a trainer leave some episodes of a dataset out. */
export function excludeLine(of: OfDataset): string {
	if (isAll(of)) return nothingLeft(of);
	const {repoId, root} = of.source;
	return [
		`--dataset.repo_id=${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--dataset.root=${shellWord(root)}`]),
		`--dataset.exclude_episodes=${listed(of.indices)}`,
	].join(' ');
}
