// Stand-ins for `lerobot-edit-dataset` and `lerobot-dataset-viz` of one release. They take the flags of that release,
// refuse what it refuses with the exit codes that it has, and tell where a result would lie; they change nothing. Their
// tables were written off the scripts of LeRobot v0.5.1, v0.6.1 and the newest (2026-08-23).
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';

const isOld = release => release === '0.5.1';

class Exit extends Error {
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}
const raised = (kind, message) => new Exit(1, `Traceback (most recent call last):\n${kind}: ${message}`);

/** The fields of each operation. */
const operationsOf = release => ({
	delete_episodes: 'episode_indices',
	split: 'splits',
	merge: isOld(release) ? 'repo_ids roots' : 'repo_ids roots concatenate_videos concatenate_data',
	remove_feature: 'feature_names',
	modify_tasks: isOld(release) ? 'new_task episode_tasks' : 'new_task episode_tasks task_replacements',
	convert_image_to_video:
		'output_dir episode_indices num_workers max_episodes_per_batch max_frames_per_batch',
	recompute_stats: 'skip_image_video relative_action relative_exclude_joints chunk_size num_workers',
	...(!isOld(release) && {reencode_videos: 'num_workers encoder_threads overwrite'}),
	info: 'show_features',
});
const common = ['repo_id', 'root', 'new_repo_id', 'new_root', 'push_to_hub', 'operation.type', 'config_path'];

const vizFlags = release => [
	...['repo-id', 'episode-index', 'root', 'output-dir', 'batch-size', 'num-workers', 'mode', 'web-port'],
	...['grpc-port', 'save', 'tolerance-s', 'display-compressed-images'],
	...(isOld(release) ? ['ws-port'] : ['display-mode', 'host', 'no-autoplay']),
];

function parsed(program, args, isKnown) {
	const given = new Map();
	for (let at = 0; at < args.length; at++) {
		const [, name, equals, value] = /^--([\w.-]+)(?:(=)(.*))?$/s.exec(args[at]) ?? [];
		if (name === undefined || !isKnown(name))
			throw new Exit(2, `${program}: error: unrecognized arguments: ${args[at]}`);
		given.set(name, equals ? value : (args[++at] ?? ''));
	}
	return given;
}

const home = () =>
	process.env.HF_LEROBOT_HOME ?? path.join(process.env.HOME ?? '/', '.cache/huggingface/lerobot');

/** A dataset as LeRobot opens it: from the Hub where it is not whole here, which there is none of. */
function opened(repoId, root) {
	const folder = root ?? path.join(home(), repoId);
	const file = path.join(folder, 'meta/info.json');
	if (!existsSync(file)) throw raised('RepositoryNotFoundError', `404 for ${repoId}`);
	const info = JSON.parse(readFileSync(file, 'utf8'));
	if (!info.codebase_version.startsWith('v3'))
		throw raised('BackwardCompatibilityError', `${repoId} is ${info.codebase_version}`);
	return {folder, info};
}

function list(text, isItem) {
	const items = JSON.parse(text);
	if (!Array.isArray(items) || !items.every(isItem)) throw new Exit(1, 'error: Could not decode the value');
	return items;
}
const isIndex = value => Number.isInteger(value);
const isText = value => typeof value === 'string';

function checkIndices(indices, {info}) {
	const wrong = indices.filter(index => index < 0 || index >= info.total_episodes);
	if (wrong.length > 0) throw raised('ValueError', `Invalid episode indices: ${wrong}`);
}

function newFolder(folder) {
	if (existsSync(folder)) throw raised('FileExistsError', folder);
	return folder;
}

/** The folders that an operation makes, or changes in place. */
function resultsOf(type, given) {
	const value = name => given.get(`operation.${name}`) ?? 'null';
	const of = () => opened(given.get('repo_id'), given.get('root'));
	const target = name => given.get('new_root') ?? path.join(home(), given.get('new_repo_id') ?? name);
	switch (type) {
		case 'delete_episodes': {
			const dataset = of();
			const indices = list(value('episode_indices'), isIndex);
			checkIndices(indices, dataset);
			if (indices.length === dataset.info.total_episodes)
				throw raised('ValueError', 'Cannot delete all episodes');
			return [newFolder(target(given.get('repo_id')))];
		}
		case 'split': {
			const dataset = of();
			const splits = Object.entries(JSON.parse(value('splits')));
			if (splits.length === 0) throw raised('ValueError', 'splits dict must be specified');
			for (const [, indices] of splits) checkIndices(indices, dataset);
			const all = splits.flatMap(([, indices]) => indices);
			if (new Set(all).size < all.length) throw raised('ValueError', 'Episode is in two splits');
			return splits.map(([name]) => newFolder(path.join(home(), `${given.get('repo_id')}_${name}`)));
		}
		case 'merge': {
			const ids = list(value('repo_ids'), isText);
			const roots = list(value('roots'), isText);
			if (ids.length !== roots.length)
				throw raised('ValueError', 'repo_ids and roots must have the same length');
			const all = ids.map((id, at) => opened(id, roots[at]));
			if (new Set(all.map(({info}) => JSON.stringify([info.fps, info.robot_type, info.features]))).size > 1)
				throw raised('ValueError', 'Same fps, robot_type and features are expected');
			if (!given.has('new_repo_id')) throw raised('TypeError', 'unsupported operand: None');
			return [newFolder(target())];
		}
		case 'remove_feature': {
			const {info} = of();
			const names = list(value('feature_names'), isText);
			const strange = names.find(name => info.features[name] === undefined);
			if (strange !== undefined) throw raised('ValueError', `Feature '${strange}' not found in dataset`);
			return [newFolder(target(given.get('repo_id')))];
		}
		case 'modify_tasks': {
			const dataset = of();
			const tasks = JSON.parse(value('episode_tasks')) ?? {};
			checkIndices(Object.keys(tasks).map(Number), dataset);
			if (
				![...given.keys()].some(name => /^operation\.(new_task|episode_tasks|task_replacements)$/.test(name))
			)
				throw raised('ValueError', 'Must specify at least one of new_task or episode_tasks');
			return [dataset.folder];
		}
		default:
			throw new Exit(2, `lerobot-edit-dataset: error: argument --operation.type: invalid choice: '${type}'`);
	}
}

function editDataset(release, args, print) {
	const operations = operationsOf(release);
	if (args.includes('--help')) {
		print(
			[
				'usage: lerobot-edit-dataset [-h] [--config_path str] [--repo_id str]',
				...common.filter(name => name !== 'operation.type').map(name => `  --${name} str`),
				`  --operation.type {${Object.keys(operations).join(',')}}`,
				...Object.values(operations).flatMap(fields =>
					fields.split(' ').map(name => `  --operation.${name} str`),
				),
				'',
			].join('\n'),
		);
		return;
	}
	const type = /--operation\.type[= ](\w+)/.exec(args.join(' '))?.[1] ?? '';
	const fields = (operations[type] ?? '').split(' ');
	const given = parsed(
		'lerobot-edit-dataset',
		args,
		name => common.includes(name) || fields.includes(name.replace(/^operation\./, '')),
	);
	for (const folder of resultsOf(type, given)) print(`Dataset saved to ${folder}\n`);
}

function datasetViz(release, args, print) {
	const flags = vizFlags(release);
	const given = parsed('lerobot-dataset-viz', args, name => flags.includes(name));
	for (const name of ['repo-id', 'episode-index']) {
		if (!given.has(name)) throw new Exit(2, `error: the following arguments are required: --${name}`);
	}
	if (!['local', 'distant'].includes(given.get('mode') ?? 'local')) throw raised('ValueError', 'mode');
	const isSaved = given.get('save') === '1';
	if (isSaved && !given.has('output-dir'))
		throw raised('AssertionError', 'Set an output directory where to write .rrd files with `--output-dir`.');
	checkIndices([Number(given.get('episode-index'))], opened(given.get('repo-id'), given.get('root')));
	print(isSaved ? `Saved into ${given.get('output-dir')}\n` : `Served at ${given.get('grpc-port')}\n`);
}

export function main(program, release) {
	const print = text => process.stdout.write(text);
	try {
		const run = program === 'lerobot-edit-dataset' ? editDataset : datasetViz;
		run(release, process.argv.slice(2), print);
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		process.exitCode = error.code ?? 1;
	}
}
