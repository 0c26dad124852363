// A stand-in for `lerobot-train` of one release: it takes the flags of that release, refuses what it refuses with the
// exit codes that it has, prints its lines, leaves its checkpoints, and learns nothing. What it knows stands in
// flags.json, which was written off the configurations of LeRobot v0.5.1, v0.6.1 and the newest (2026-08-23); what it
// refuses beyond that, in the functions below.
import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const known = JSON.parse(readFileSync(new URL('flags.json', import.meta.url), 'utf8'));
export const releases = Object.keys(known);

const isOld = release => release === '0.5.1';
const typesOf = release => ({
	policy: Object.keys(known[release].policies),
	reward_model: Object.keys(known[release].rewardModels),
});
export const registeredIn = release => typesOf(release);

class Exit extends Error {
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}
const unrecognized = flag => new Exit(2, `lerobot-train: error: unrecognized arguments: --${flag}`);
const raised = (kind, message) => new Exit(1, `Traceback (most recent call last):\n${kind}: ${message}`);

/** What a model of the Hub, or of a folder, is by its config.json. */
function typeOfModel(model) {
	const config = path.join(model, 'config.json');
	if (existsSync(config)) return JSON.parse(readFileSync(config, 'utf8')).type;
	const hub = {
		'lerobot/smolvla_base': 'smolvla',
		'lerobot/pi0_base': 'pi0',
		'lerobot/pi05_base': 'pi05',
		'lerobot/pi0fast-base': 'pi0_fast',
		'lerobot/xvla-base': 'xvla',
		'lerobot/fastwam_base': 'fastwam',
	};
	if (hub[model]) return hub[model];
	throw raised('FileNotFoundError', `config.json not found on the HuggingFace Hub in ${model}`);
}

function parsed(args) {
	const given = new Map();
	for (let at = 0; at < args.length; at++) {
		const word = args[at];
		if (!word.startsWith('--')) throw new Exit(2, `lerobot-train: error: unrecognized arguments: ${word}`);
		const equals = word.indexOf('=');
		if (equals > 0) given.set(word.slice(2, equals), word.slice(equals + 1));
		else given.set(word.slice(2), args[++at] ?? '');
	}
	return given;
}

const nested = [
	'dataset.image_transforms.',
	'env.',
	'optimizer.',
	'scheduler.',
	'parallelism.',
	'accelerator.',
];
const wholes = ['steps', 'batch_size', 'save_freq', 'log_freq', 'num_workers', 'seed', 'eval_steps'];

function checkFlags(release, given) {
	const flags = new Set(known[release].flags.split(' '));
	const registries = isOld(release) ? ['policy'] : ['policy', 'reward_model'];
	for (const flag of given.keys()) {
		if (flags.has(flag) || flag === 'config_path') continue;
		if (registries.some(registry => flag.startsWith(`${registry}.`))) continue;
		if (nested.some(prefix => flag.startsWith(prefix))) continue;
		throw unrecognized(flag);
	}
	for (const name of wholes) {
		if (given.has(name) && !/^\d+$/.test(given.get(name))) {
			throw raised('DecodingError', `${name}: Could not decode the value into int`);
		}
	}
}

/** What is trained: its registry and its type, with the fields that were set. */
function modelOf(release, given) {
	const found = [];
	for (const registry of ['reward_model', 'policy']) {
		const type = given.get(`${registry}.type`);
		const model = given.get(`${registry}.path`);
		if (type !== undefined && model !== undefined) {
			throw raised('argparse.ArgumentError', `Cannot specify both --${registry}.path and --${registry}.type`);
		}
		const name = type ?? (model === undefined ? undefined : typeOfModel(model));
		if (name === undefined) continue;
		const table = known[release][registry === 'policy' ? 'policies' : 'rewardModels'];
		if (!Object.hasOwn(table, name)) {
			if (model !== undefined) throw raised('ParsingError', `Couldn't find a choice class for '${name}'`);
			const choices = Object.keys(table).map(each => `'${each}'`);
			throw new Exit(
				2,
				`lerobot-train: error: argument --${registry}.type: invalid choice: '${name}' (choose from ${choices.join(', ')})`,
			);
		}
		const fields = table[name].split(' ');
		for (const flag of given.keys()) {
			if (!flag.startsWith(`${registry}.`)) continue;
			const field = flag.slice(registry.length + 1);
			if (field !== 'type' && field !== 'path' && !fields.includes(field.split('.')[0]))
				throw unrecognized(flag);
		}
		found.push({registry, name, model, fields});
	}
	if (found.length === 0)
		throw raised('ValueError', 'Policy is not configured. Please specify a pretrained policy.');
	return found[0];
}

/** What each type demands of the dataset's features when it is laid out by them. */
function checkFeatures(release, {registry, name, model}, given, features) {
	const images = Object.entries(features).filter(([, {dtype}]) => dtype === 'image' || dtype === 'video');
	const shapes = images.map(([, {shape}]) => shape);
	const hasState = features['observation.environment_state'] !== undefined;
	const dims = key => features[key]?.shape[0] ?? 0;
	const fail = message => raised('ValueError', message);
	// dataset_to_policy_features, on the way to every policy.
	for (const [key, {shape, names}] of registry === 'policy' ? images : []) {
		if (shape.length !== 3) throw fail(`Number of dimensions of ${key} != 3 (shape=${shape})`);
		if (!Array.isArray(names)) throw raised('TypeError', "'NoneType' object is not subscriptable");
	}
	if (model !== undefined) return;
	if (name === 'tdmpc') {
		if (images.length > 1) throw fail(`${name} handles at most one image for now`);
		if (shapes.some(([height, width]) => height !== width)) throw fail('Only square images are handled now');
		return;
	}
	if (['act', 'diffusion'].includes(name) ? images.length === 0 && !hasState : images.length === 0) {
		if (name !== 'sarm') throw fail('You must provide at least one image among the inputs.');
	}
	if (name === 'vqbet' && images.length !== 1)
		throw fail('You must provide only one image among the inputs.');
	const crop = name === 'vqbet' ? JSON.parse(given.get('policy.crop_shape') ?? '[84, 84]') : null;
	if (crop !== null && shapes.some(([height, width]) => height < crop[0] || width < crop[1]))
		throw fail('`crop_shape` should fit within the images shapes.');
	if (['xvla', 'evo1'].includes(name) && features['observation.state'] === undefined)
		throw fail(`${name} requires a proprioceptive state feature.`);
	if (['diffusion', 'multi_task_dit'].includes(name) && new Set(shapes.map(String)).size > 1) {
		throw fail('does not match: we expect all image shapes to match.');
	}
	if (name === 'evo1' && images.length > 3) throw fail('max_views is 3');
	const room = {wall_x: [20, 20], evo1: [24, 24], groot: isOld(release) ? [64, 32] : [132, 132]}[name];
	for (const [at, stream] of room === undefined ? [] : ['state', 'action'].entries()) {
		const most = Number(given.get(`policy.max_${stream}_dim`) ?? room[at]);
		const found = dims(stream === 'state' ? 'observation.state' : 'action');
		if (found > most) throw fail(`Dimension ${found} of ${stream} exceeds max_${stream}_dim ${most}.`);
	}
	if (name === 'fastwam') {
		const [proprio, action] = [given.get('policy.proprio_dim') ?? 8, given.get('policy.action_dim') ?? 7];
		if (dims('observation.state') !== Number(proprio)) throw fail(`proprio_dim is ${proprio}`);
		if (dims('action') !== Number(action)) throw fail(`action_dim is ${action}`);
	}
}

function checkTraining(release, what, given, features) {
	const {registry, name, fields, model} = what;
	const pushes = given.get(`${registry}.push_to_hub`) ?? String(registry === 'policy');
	if (pushes === 'true' && !given.has(`${registry}.repo_id`)) {
		throw raised(
			'ValueError',
			"'policy.repo_id' argument missing. Please specify it to push the model to the hub.",
		);
	}
	const base = given.get('policy.base_model_path') ?? '';
	if (!isOld(release) && name === 'groot' && /n1[._d]?5/i.test(base)) {
		throw raised('ValueError', 'GR00T N1.5 support was removed from LeRobot. Pin lerobot==0.5.1');
	}
	if (!isOld(release) && ['robometer', 'topreward'].includes(name)) {
		throw raised('ValueError', `Reward model '${name}' is zero-shot and cannot be trained.`);
	}
	if (['sac', 'gaussian_actor'].includes(name)) {
		throw raised('NotImplementedError', `${name} is trained by the RL learner`);
	}
	const pretrained = model !== undefined || given.has(`${registry}.pretrained_path`);
	if (!isOld(release) && (given.get('rename_map') ?? '{}') !== '{}' && !pretrained) {
		throw raised('ValueError', '`rename_map` requires a pretrained policy checkpoint.');
	}
	if (given.get('use_rabc') === 'true' || given.get('sample_weighting.type') === 'rabc') {
		if (!fields.includes('chunk_size')) throw raised('ValueError', 'chunk_size is required for RA-BC');
		const head = given.get('rabc_head_mode') ?? given.get('sample_weighting.head_mode') ?? 'sparse';
		if (!['sparse', 'dense'].includes(head)) throw raised('ValueError', `progress_${head} is no column`);
		const progress = given.get('rabc_progress_path') ?? given.get('sample_weighting.progress_path') ?? '';
		if (!existsSync(progress)) throw raised('FileNotFoundError', progress);
	}
	const held = Number(given.get('dataset.eval_split') ?? 0);
	if (Number(given.get('eval_steps') ?? 0) > 0 && held === 0) {
		throw raised('ValueError', 'eval_steps > 0 requires dataset.eval_split > 0.0 to hold out eval data.');
	}
	checkFeatures(release, what, given, features);
}

/** A count as LeRobot prints it. */
const rounded = count => (count < 1000 ? `${count}` : `${Math.round(count / 1000)}K`);

function metrics(release, step, batch) {
	const counts = `step:${rounded(step)} smpl:${rounded(step * batch)} ep:${rounded(Math.ceil(step / 4))} epch:0.25`;
	const loss = `loss:${(4 / step).toFixed(3)} grdn:0.750 lr:1.0e-05`;
	if (isOld(release)) return `${counts} ${loss} updt_s:0.090 data_s:0.010`;
	if (release === '0.6.1')
		return `${counts} ${loss} updt_s:0.090 data_s:0.010 smp/s:80 mem_gb:1.25 l1_loss:0.500`;
	return `${counts} ${loss} data_s:0.010 prep_s:0.002 updt_s:0.090 step_s:0.102 smp/s:80 l1_loss:0.500`;
}

function train(release, given, say) {
	const number = (name, usual) => Number(given.get(name) ?? usual);
	const [steps, save, every] = [
		number('steps', 100_000),
		number('save_freq', 20_000),
		number('log_freq', 200),
	];
	const output = given.get('output_dir');
	if (existsSync(output)) throw raised('FileExistsError', `Output directory ${output} already exists`);
	for (const part of ['dataset', 'policy', 'optimizer and scheduler']) say(`Creating ${part}`);
	say('Start offline training on a fixed dataset, with effective batch size: 8');
	for (let step = 1; step <= steps; step++) {
		if (step % every === 0) say(metrics(release, step, number('batch_size', 8)));
		if (number('eval_steps', 0) > 0 && step % number('eval_steps', 0) === 0)
			say(`step ${step}: eval_loss=0.250`);
		if (step % save === 0 || step === steps) {
			say(`Checkpoint policy after step ${step}`);
			const folder = path.join(output, 'checkpoints', String(step).padStart(6, '0'), 'pretrained_model');
			mkdirSync(folder, {recursive: true});
			writeFileSync(path.join(folder, 'train_config.json'), '{}');
			writeFileSync(path.join(folder, 'model.safetensors'), '');
			rmSync(path.join(output, 'checkpoints', 'last'), {force: true});
			symlinkSync(path.basename(path.dirname(folder)), path.join(output, 'checkpoints', 'last'));
		}
	}
	say('End of training');
}

function helpOf(release) {
	const types = typesOf(release);
	const flags = known[release].flags.split(' ').map(flag => `  --${flag} str`);
	const choices = Object.entries(types)
		.filter(([, names]) => names.length > 0)
		.map(([registry, names]) => `  --${registry}.type {${names.join(',')}}`);
	return ['usage: lerobot-train [-h] [--config_path str]', ...flags, ...choices, ''].join('\n');
}

/** Runs the command. @returns its exit code; what it would print goes to `print`, a piece at a time */
export function run(release, args, print, onlyChecks = false) {
	const say = message => print(`INFO 2026-08-23 10:11:12 ot_train.py:214 ${message}\n`);
	try {
		if (args.includes('--help') || args.includes('-h')) {
			print(helpOf(release));
			return 0;
		}
		const given = parsed(args);
		checkFlags(release, given);
		const root = given.get('dataset.root');
		const info = path.join(root ?? '', 'meta/info.json');
		if (!root || !existsSync(info)) throw raised('FileNotFoundError', info);
		if (given.get('resume') !== 'true') {
			const {features} = JSON.parse(readFileSync(info, 'utf8'));
			checkTraining(release, modelOf(release, given), given, features);
		} else if (!existsSync(given.get('config_path') ?? '')) {
			throw raised('NotADirectoryError', given.get('config_path'));
		}
		if (!onlyChecks) train(release, given, say);
		return 0;
	} catch (error) {
		print(`${error.message}\n`);
		return error.code ?? 1;
	}
}

export function main(release) {
	const isHelp = process.argv.includes('--help');
	process.exitCode = run(release, process.argv.slice(2), text =>
		(isHelp ? process.stdout : process.stderr).write(text),
	);
}
