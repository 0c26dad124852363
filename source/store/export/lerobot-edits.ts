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

/** The installed `lerobot-edit-dataset`, as its help has it. */
export type EditTools = {
	/** Which it is, or why nothing is known of it. */
	readonly message: string;
	/** Null where nothing is known of it: then the lines are those that every version since v0.5.1 takes. */
	readonly operations: readonly string[] | null;
	readonly flags: readonly string[] | null;
};

/** The sentence above the lines: which LeRobot they are for. */
export const toolsRemark = ({message, operations}: EditTools): string =>
	operations === null
		? `# ${message} The lines are those that LeRobot takes since v0.5.1`
		: `# as ${message} of this machine has them`;

/** The lines of an operation; where the installed LeRobot does not have it, a sentence in their place. */
function linesFor(
	{message, operations, flags}: EditTools,
	operation: string,
	needed: readonly string[],
	lines: readonly string[],
): readonly string[] {
	if (operations !== null && !operations.includes(operation)) return [`# ${message} has no ${operation}`];
	const lacked = flags === null ? undefined : needed.find(flag => !flags.includes(flag));
	return lacked === undefined ? lines : [`# ${message} has no ${lacked}, which ${operation} needs here`];
}

const notThereYet = 'which must not be there yet';

/**
 * The command that makes a dataset without some of its episodes; with `--new_repo_id` the original stays as it is.
 * Options as LeRobot's "Using Dataset Tools" has them.
 */
export function deleteLine({source, indices}: OfDataset, tools: EditTools): string {
	const {repoId, format} = source;
	const made = `${repoId}_kept`;
	const old = format?.startsWith('v2.')
		? [`# ${repoId} is ${format}: this command takes v3.0 alone, convert it first`]
		: [];
	const lines = [
		`# delete from ${repoId}: makes ${homeOf(made)}, ${notThereYet}; the original stays`,
		edit(
			source,
			`--new_repo_id ${shellWord(made)}`,
			'--operation.type delete_episodes',
			`--operation.episode_indices ${listed(indices)}`,
		),
	];
	return [
		...old,
		...linesFor(tools, 'delete_episodes', ['--new_repo_id', '--operation.episode_indices'], lines),
	].join('\n');
}

/** Episodes with the text of their task, by the index they have in their dataset. */
export type TasksByIndex = ReadonlyMap<number, string | null | undefined>;

/**
 * LeRobot's edits of datasets beside deleting, each under what it does and where its result goes. Words in capitals are to
 * be filled in.
 */
export function editLines(
	groups: readonly OfDataset[],
	tasksOf: (of: OfDataset) => TasksByIndex,
	tools: EditTools,
): string {
	const lines = groups.flatMap(of => [
		...linesFor(tools, 'split', ['--operation.splits'], splitLines(of)),
		...linesFor(tools, 'modify_tasks', ['--operation.episode_tasks'], taskLines(of, tasksOf(of), tools)),
		...linesFor(tools, 'remove_feature', ['--operation.feature_names', '--new_repo_id'], featureLines(of)),
	]);
	const merged = mergeLines(groups);
	const needed = ['--operation.repo_ids', '--operation.roots'];
	return [...(merged.length === 0 ? [] : linesFor(tools, 'merge', needed, merged)), ...lines].join('\n');
}

function splitLines({source, indices}: OfDataset): string[] {
	const {repoId, episodes} = source;
	const chosen = new Set(indices);
	const others = Array.from({length: episodes ?? 0}, (_, index) => index).filter(index => !chosen.has(index));
	const parts = {chosen: indices, ...(others.length > 0 && {others})};
	const places = Object.keys(parts).map(part => homeOf(`${repoId}_${part}`));
	return [
		`# split ${repoId}: makes ${places.join(' and ')}, ${notThereYet}; the original stays`,
		edit(source, '--operation.type split', `--operation.splits ${shellWord(JSON.stringify(parts))}`),
	];
}

/** LeRobot edits tasks in place and without a backup, so that it is given a copy. */
function taskLines({source}: OfDataset, tasks: TasksByIndex, {flags}: EditTools): string[] {
	const {repoId} = source;
	const copy = `${homeOf(repoId)}_tasks`;
	const texts = Object.fromEntries([...tasks].map(([index, task]) => [String(index), task ?? 'TASK']));
	const known = [...new Set([...tasks.values()].flatMap(task => task ?? []))];
	const modify = (option: string, value: object) =>
		edit(
			{repoId: `${repoId}_tasks`, root: copy},
			'--operation.type modify_tasks',
			`--operation.${option} ${shellWord(JSON.stringify(value))}`,
		);
	const canReplace = known.length > 0 && flags?.includes('--operation.task_replacements');
	return [
		`# change tasks of ${repoId}: LeRobot does it in place, here in the copy ${copy}; change the texts`,
		// A copy that is there already is not copied into.
		[
			`mkdir -p ${shellWord(path.dirname(copy))}`,
			`mkdir ${shellWord(copy)}`,
			`cp -RL ${shellWord(`${folderOf(source)}/.`)} ${shellWord(copy)}`,
			modify('episode_tasks', texts),
		].join(' && '),
		...(canReplace
			? [
					`# or the texts of the copy ${copy} in all of its episodes; change those behind the colons`,
					modify('task_replacements', Object.fromEntries(known.map(task => [task, task]))),
				]
			: []),
	];
}

function featureLines({source}: OfDataset): string[] {
	const made = `${source.repoId}_less`;
	return [
		`# take a feature out of ${source.repoId}: makes ${homeOf(made)}, ${notThereYet}; the original stays`,
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
		`# merge ${sources.map(({repoId}) => repoId).join(', ')}, with all of their episodes: makes ${homeOf('local/merged')}, ${notThereYet}`,
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
