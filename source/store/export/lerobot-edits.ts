import path from 'node:path';
import {lerobotHome} from '../../files/datasets-on-disk.ts';
import {shellWord} from './shell-lines.ts';

/** Where LeRobot finds a dataset, and what it says to it. */
export type DatasetSource = {
	/** `ORG/NAME`. */
	readonly repoId: string;
	/** Its folder, where that does not follow from the name. */
	readonly root: string | undefined;
	/** The version of LeRobot's format, `v3.0`; undefined if not known. */
	readonly format?: string | undefined;
	/** How many episodes it has; undefined if not known. */
	readonly episodes?: number | undefined;
};

/** Episodes of one dataset, by their indices there. */
export type OfDataset = {
	readonly source: DatasetSource;
	readonly indices: readonly number[];
	readonly datasetId: string;
};

/** A list as LeRobot's options take it, in one word of a shell. */
const listed = (indices: readonly number[]) => `"[${indices.join(', ')}]"`;

/** Names, or folders, as a list of LeRobot's options. */
const named = (texts: readonly string[]) => shellWord(JSON.stringify(texts));

/** The options that have a trainer use these episodes alone. Every LeRobot knows them. */
export function episodesLine({source: {repoId, root}, indices}: OfDataset): string {
	return [
		`--dataset.repo_id=${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--dataset.root=${shellWord(root)}`]),
		`--dataset.episodes=${listed(indices)}`,
	].join(' ');
}

/** Where LeRobot puts and finds what has a name and no folder. */
const homeOf = (repoId: string) => path.join(lerobotHome(), repoId);

const folderOf = ({repoId, root}: DatasetSource) => root ?? homeOf(repoId);

const edit = ({repoId, root}: DatasetSource, ...options: readonly string[]) =>
	[
		'lerobot-edit-dataset',
		`--repo_id ${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--root ${shellWord(root)}`]),
		...options,
	].join(' ');

/** Episodes with the text of their task, by the index they have in their dataset. */
export type TasksByIndex = ReadonlyMap<number, string | null | undefined>;

/**
 * LeRobot's edits of datasets beside deleting, each under what it does and where its result goes. Words in capitals are to
 * be filled in.
 */
export function editLines(groups: readonly OfDataset[], tasksOf: (of: OfDataset) => TasksByIndex): string {
	const lines = groups.flatMap(of => [...splitLines(of), ...taskLines(of, tasksOf(of)), ...featureLines(of)]);
	return [...mergeLines(groups), ...lines].join('\n');
}

function splitLines({source, indices}: OfDataset): string[] {
	const {repoId, episodes} = source;
	const chosen = new Set(indices);
	const others = Array.from({length: episodes ?? 0}, (_, index) => index).filter(index => !chosen.has(index));
	const parts = {chosen: indices, ...(others.length > 0 && {others})};
	const places = Object.keys(parts).map(part => homeOf(`${repoId}_${part}`));
	return [
		`# split ${repoId}: makes ${places.join(' and ')}; the original stays`,
		edit(source, '--operation.type split', `--operation.splits ${shellWord(JSON.stringify(parts))}`),
	];
}

/** LeRobot edits tasks in place and without a backup, so that it is given a copy. */
function taskLines({source}: OfDataset, tasks: TasksByIndex): string[] {
	const {repoId} = source;
	const copy = `${homeOf(repoId)}_tasks`;
	const texts = Object.fromEntries([...tasks].map(([index, task]) => [String(index), task ?? 'TASK']));
	return [
		`# change tasks of ${repoId}: LeRobot does it in place, here in the copy ${copy}; change the texts`,
		`cp -RL ${shellWord(folderOf(source))} ${shellWord(copy)}`,
		edit(
			{repoId: `${repoId}_tasks`, root: copy},
			'--operation.type modify_tasks',
			`--operation.episode_tasks ${shellWord(JSON.stringify(texts))}`,
		),
	];
}

function featureLines({source}: OfDataset): string[] {
	const made = `${source.repoId}_less`;
	return [
		`# take a feature out of ${source.repoId}: makes ${homeOf(made)}; the original stays`,
		edit(
			source,
			`--new_repo_id ${shellWord(made)}`,
			'--operation.type remove_feature',
			`--operation.feature_names ${named(['FEATURE'])}`,
		),
	];
}

function mergeLines(groups: readonly OfDataset[]): string[] {
	if (groups.length < 2) return [];
	const sources = groups.map(({source}) => source);
	const roots = sources.map(folderOf);
	return [
		`# merge ${sources.map(({repoId}) => repoId).join(', ')}, with all of their episodes: makes ${homeOf('local/merged')}`,
		[
			'lerobot-edit-dataset --new_repo_id local/merged --operation.type merge',
			`--operation.repo_ids ${named(sources.map(({repoId}) => repoId))}`,
			`--operation.roots ${named(roots)}`,
		].join(' '),
	];
}

/**
 * The line that shows an episode in Rerun on another machine than this: it serves it here, and the tunnel brings it there.
 * Where no viewer can be reached it writes a file.
 */
export function viewLine({repoId, root}: DatasetSource, episode: number): string {
	const line = [
		'lerobot-dataset-viz',
		`--repo-id ${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--root ${shellWord(root)}`]),
		`--episode-index ${episode}`,
	].join(' ');
	return [
		'# serves the episode; on your machine: ssh -L 9876:localhost:9876 THIS_MACHINE, then rerun rerun+http://localhost:9876/proxy',
		`${line} --mode distant --grpc-port 9876`,
		'# or writes it to a file for Rerun, into this folder',
		`${line} --save 1 --output-dir .`,
	].join('\n');
}

/** The line that puts a dataset on the Hub, with its card and the version that LeRobot asks for. */
export function pushLine(source: DatasetSource): string {
	const {repoId} = source;
	const [org, name] = repoId.split('/');
	const target = org === 'local' || name === undefined ? `YOU/${name ?? org}` : repoId;
	const code = `from lerobot.datasets.lerobot_dataset import LeRobotDataset; LeRobotDataset(${JSON.stringify(target)}, root=${JSON.stringify(folderOf(source))}).push_to_hub(private=True)`;
	return [
		`# puts it on the Hub as ${target}, for you alone; log in with hf auth login before`,
		`python -c ${shellWord(code)}`,
	].join('\n');
}
