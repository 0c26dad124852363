import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {finetuneRequest} from '../../../source/contract/finetune.ts';
import {startArguments} from '../../../source/service/jobs/lerobot/command-line.ts';
import {installedPackage, readConfigurations} from '../../../source/service/jobs/lerobot/installed.ts';
import type {FinetuneOrder, Job} from '../../../source/service/jobs/records/job.ts';
import {orderProblems} from '../../../source/service/jobs/rules/finetune-rules.ts';
import {TrainerHelp} from '../../../source/service/jobs/trainers/trainer-options.ts';
import {type Lerobot, releaseOf, typesOf} from '../../../source/service/jobs/vla/releases.ts';
import type {DatasetDetails} from '../../../source/service/lake/engine.ts';
import {installRelease, versionOf} from '../../support/lerobot-releases/install.ts';
import {registeredIn, releases, run} from '../../support/lerobot-releases/release.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-releases-'));
afterAll(() => rmSync(folder, {recursive: true}));

beforeEach(() => {
	vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(path.join(folder, 'cache-')));
	onTestFinished(() => void vi.unstubAllEnvs());
});

type Shapes = Record<string, readonly number[]>;

/** A dataset with images of these shapes, as far as a trainer looks at it before it trains. */
function dataset(
	name: string,
	images: Shapes,
	dims = 6,
	edit: (features: Record<string, unknown>) => void = () => undefined,
): DatasetDetails {
	const root = path.join(folder, name);
	const vector = {dtype: 'float32', shape: [dims], names: null};
	const features: Record<string, unknown> = {'observation.state': vector, action: vector};
	const names = ['height', 'width', 'channels'];
	for (const [key, shape] of Object.entries(images)) features[key] = {dtype: 'video', shape, names};
	edit(features);
	mkdirSync(path.join(root, 'meta'), {recursive: true});
	writeFileSync(path.join(root, 'meta/info.json'), JSON.stringify({features}));
	writeFileSync(path.join(root, 'sarm_progress.parquet'), '');
	return {
		dataset_name: name,
		folder: root,
		subtype: 'lerobot_v3',
		format: 'v3.0',
		cameras: Object.keys(images),
		features,
	} as unknown as DatasetDetails;
}

const [front, wrist] = ['observation.images.front', 'observation.images.wrist'];
const wide = [480, 640, 3];
const square = [96, 96, 3];
const datasets = {
	two: dataset('two', {[front]: wide, [wrist]: wide}),
	one: dataset('one', {[front]: square}),
	mixed: dataset('mixed', {[front]: wide, [wrist]: square}),
	four: dataset('four', Object.fromEntries([1, 2, 3, 4].map(at => [`observation.images.c${at}`, square]))),
	blind: dataset('blind', {}),
	many: dataset('many', {[front]: square}, 40),
	small: dataset('small', {[front]: [64, 64, 3]}),
	stateless: dataset('stateless', {[front]: square}, 6, features => delete features['observation.state']),
	environment: dataset('environment', {}, 6, features => {
		features['observation.environment_state'] = {dtype: 'float32', shape: [4], names: null};
	}),
	unnamed: dataset('unnamed', {[front]: square}, 6, features => {
		features[front] = {dtype: 'video', shape: square, names: null};
	}),
	arm: {...dataset('arm', {[front]: square}, 7)},
};

/** What is mapped for a type: its own slots where it has some. */
const mappings: Record<string, Record<string, string>> = {
	smolvla: {camera1: front},
	pi0: {base_0_rgb: front},
	pi05: {base_0_rgb: front},
	sarm: {image_key: front},
};

const models: Record<string, string> = {
	smolvla: 'lerobot/smolvla_base',
	pi0: 'lerobot/pi0_base',
	pi05: 'lerobot/pi05_base',
};

function order(type: string, fields: Record<string, unknown> = {}): FinetuneOrder {
	const parsed = finetuneRequest.parse({
		project_id: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
		vla_type: 'act',
		dataset_id: 'cups',
		hours: 1,
		camera_mappings: mappings[type] ?? {front},
		...(models[type] !== undefined && {model_id: models[type]}),
		...fields,
	});
	return {...parsed, vla_type: type};
}

const jobOf = (asked: FinetuneOrder, {folder: root}: DatasetDetails): Job =>
	({
		jobId: 'id',
		name: 'id',
		order: asked,
		datasetName: 'cups',
		datasetFolder: root,
		baseModel: asked.model_id ?? null,
	}) as unknown as Job;

const lerobotOf = (release: string): Lerobot => {
	const version = versionOf[release] ?? '';
	return {version, release: releaseOf(version), configurations: undefined};
};

type Tried = {readonly here: string[]; readonly there: number | undefined; readonly said: string};

/** Whether a request is accepted here and, where it is, what the release makes of its line. */
function tried(release: string, asked: FinetuneOrder, on: DatasetDetails): Tried {
	const here = orderProblems(asked, on, true, lerobotOf(release)).map(({message}) => message);
	if (here.length > 0) return {here, there: undefined, said: ''};
	const line = startArguments(jobOf(asked, on), path.join(folder, 'out'), lerobotOf(release));
	let said = '';
	const there = run(release, line, text => (said += text), true);
	return {here, there, said};
}

const six = ['act', 'smolvla', 'pi0', 'pi05', 'gr00t_n1_5', 'sarm'];
const allTypes = [
	...new Set([
		...six,
		...releases.flatMap(release => Object.values(registeredIn(release)).flat()),
		'no_such_policy',
	]),
];

const variants: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
	['plain', {}],
	['with rewards', {use_rabc: true, rabc_head_mode: 'dense'}],
	['with held-out episodes', {vla_hyper_spec: {eval_split: 0.1}}],
	['with an evaluation of nothing', {vla_hyper_spec: {eval_steps: 10}}],
	['with a model', {model_id: path.join(folder, 'model')}],
	['with GR00T N1.5', {model_id: 'nvidia/GR00T-N1.5-3B'}],
	['without a mapping', {camera_mappings: {}}],
	['with more room', {vla_hyper_spec: {max_state_dim: 64, max_action_dim: 64}}],
	['with another crop', {vla_hyper_spec: {crop_shape: [48, 48]}}],
	['with a hyperparameter', {vla_hyper_spec: {n_obs_steps: 1, chunk_size: 20, n_action_steps: 10}}],
];

describe.each(releases)('LeRobot %s', release => {
	test.each(allTypes)('refuses no line for %s that is accepted here', type => {
		const policy = type === 'gr00t_n1_5' ? 'groot' : type;
		mkdirSync(path.join(folder, 'model'), {recursive: true});
		writeFileSync(path.join(folder, 'model/config.json'), JSON.stringify({type: policy}));
		for (const [name, fields] of variants) {
			for (const on of Object.values(datasets)) {
				// A hub model of another type is the caller's own mistake, which nothing here can know of.
				if (name === 'with GR00T N1.5' && policy !== 'groot') continue;
				const {here, there, said} = tried(release, order(type, fields), on);
				const what = `${type} ${name} on ${on.dataset_name}: ${said}`;
				expect([what, here.length > 0 || there === 0]).toEqual([what, true]);
				for (const sentence of here) expect(sentence).toMatch(/^\S.{10,}$/);
			}
		}
	});

	test('trains all that it has registered and can train', () => {
		const accepted = allTypes.filter(type => {
			const on = type === 'fastwam' ? datasets.arm : datasets.one;
			const extra = type === 'fastwam' ? {vla_hyper_spec: {}} : {};
			return tried(release, order(type, extra), on).there === 0;
		});
		const {policy, reward_model} = registeredIn(release);
		const untrained = ['sac', 'gaussian_actor', 'robometer', 'topreward', 'fastwam'];
		const expected = [...new Set([...policy, ...reward_model])].filter(type => !untrained.includes(type));
		if (release === '0.5.1') expected.push('gr00t_n1_5');
		expect(accepted.sort()).toEqual(expected.sort());
	});

	test('takes cameras of several shapes where LeRobot does, and a camera without names nowhere', () => {
		const accepted = (on: DatasetDetails) =>
			allTypes.filter(type => tried(release, order(type), on).there === 0);
		const mixed = accepted(datasets.mixed);
		expect(mixed).toEqual(expect.arrayContaining(['act', 'smolvla', 'pi0', 'pi05', 'xvla', 'wall_x']));
		for (const type of ['diffusion', 'multi_task_dit', 'vqbet', 'tdmpc']) expect(mixed).not.toContain(type);
		expect(accepted(datasets.unnamed).filter(type => registeredIn(release).policy.includes(type))).toEqual(
			[],
		);
	});

	test('has the types registered here that it has', () => {
		const {policy, reward_model} = registeredIn(release);
		const types = typesOf(lerobotOf(release));
		const named = (registry: string) =>
			types.filter(each => each.registry === registry).map(({type}) => type);
		expect(named('policy')).toEqual([...policy].sort());
		expect(named('reward_model')).toEqual([...reward_model].sort());
	});
});

describe('what the installed version does not know is refused with the one that does', () => {
	test.each([
		['0.6.1', 'gr00t_n1_5', {}, /^LeRobot 0\.6\.1 has only GR00T N1\.7 .* LeRobot 0\.5\.1 trains/],
		['newest', 'gr00t_n1_5', {}, /^LeRobot 0\.6\.2 has only GR00T N1\.7/],
		['0.5.1', 'eo1', {}, /^LeRobot 0\.5\.1 has no eo1; LeRobot 0\.6\.0 and later have it$/],
		['0.6.1', 'sac', {}, /^LeRobot 0\.6\.1 has no sac; LeRobot 0\.5\.1 has it$/],
		['0.6.1', 'dreamer', {}, /^LeRobot 0\.6\.1 has no dreamer; no LeRobot that is known here has it$/],
		['0.6.1', 'robometer', {}, /^lerobot-train does not train robometer/],
		[
			'0.5.1',
			'act',
			{vla_hyper_spec: {eval_split: 0.2}},
			/^LeRobot 0\.5\.1 does not know --dataset\.eval_split; LeRobot 0\.6\.0 and later know it$/,
		],
		['0.6.1', 'groot', {model_id: 'nvidia/GR00T-N1.5-3B'}, /^LeRobot 0\.6\.1 refuses models of GR00T N1\.5/],
		['newest', 'vqbet', {}, /^vqbet takes at most 1 image, and two has /],
		['newest', 'tdmpc', {}, /^tdmpc takes at most 1 image/],
	])('%s: %s %j', (release, type, fields, sentence) => {
		expect(tried(release, order(type, fields), datasets.two).here[0]).toMatch(sentence);
	});
});

test.each([
	[
		'vqbet',
		'small',
		{},
		/^vqbet cuts 84 × 84 out of an image \(crop_shape\), and .*front of small is 64 × 64$/,
	],
	['xvla', 'stateless', {}, /^xvla needs observation\.state, and stateless has none$/],
	[
		'act',
		'unnamed',
		{},
		/front of unnamed has no names .* lakescope repair \S+ camera-names-missing writes them$/,
	],
	['diffusion', 'mixed', {}, /^diffusion takes images of one shape, and those of mixed are of several$/],
	['wall_x', 'many', {}, /^many has 40 state dimensions, and wall_x has room for 20$/],
] as const)('%s on a dataset that it cannot take, %s, is refused', (type, name, fields, sentence) => {
	expect(tried('newest', order(type, fields), datasets[name]).here[0]).toMatch(sentence);
});

describe('the LeRobot of a command', () => {
	test.each(releases)(
		'is told by its package, and by its flags where that is not found: %s',
		async release => {
			const command = await installRelease(path.join(folder, `env-${release}`), release);
			const version = versionOf[release];
			expect(await installedPackage(command)).toMatchObject({version});
			expect(await new TrainerHelp().lerobot([command])).toMatchObject({
				version,
				release: releaseOf(version ?? ''),
			});
			const bare = await installRelease(path.join(folder, `bare-${release}`), release, {hasMetadata: false});
			expect(await new TrainerHelp().lerobot([bare], 'all')).toMatchObject({
				version: null,
				release: releaseOf(version ?? ''),
			});
			expect(await new TrainerHelp().lerobot([bare], 'none')).toBeUndefined();
		},
	);

	test('has its own registry and defaults where its configurations can be read', async () => {
		const environment = path.join(folder, 'env-own');
		const command = await installRelease(environment, '0.6.1');
		const files = path.join(environment, 'lib/python3.12/site-packages/lerobot');
		const write = (name: string, text: string) => {
			mkdirSync(path.dirname(path.join(files, name)), {recursive: true});
			writeFileSync(path.join(files, name), text);
		};
		write(
			'configs/policies.py',
			'@dataclass\nclass PreTrainedConfig(abc.ABC):\n    """What\n    device: it is told.\n    """\n\n    n_obs_steps: int = 1\n    push_to_hub: bool = True\n',
		);
		const policy = (type: string, fields: string) =>
			write(
				`policies/${type}/configuration_${type}.py`,
				`@PreTrainedConfig.register_subclass("${type}")\n@dataclass\nclass Its(PreTrainedConfig):\n${fields}\n    def validate(self) -> None:\n        limit: int = 3\n`,
			);
		policy('act', '    chunk_size: int = 120  # steps\n    optimizer_lr: float = 2e-5\n');
		policy('diffusion', '    horizon: int = 64\n    crop: float | None = None\n    name: str = "x"\n');
		policy('xvla', '    chunk_size: int = 32\n    n_action_steps: int = 32\n');
		const configurations = await readConfigurations(files);
		expect(configurations?.policy.act).toEqual({
			n_obs_steps: {type: 'int', default: 1},
			push_to_hub: {type: 'bool', default: true},
			chunk_size: {type: 'int', default: 120},
			optimizer_lr: {type: 'float', default: 2e-5},
		});
		const found = await new TrainerHelp().lerobot([command]);
		expect(found).toMatchObject({configurations});
		const lerobot = found as Lerobot;
		const problems = (type: string, values: object) =>
			orderProblems(order(type, {vla_hyper_spec: values}), datasets.one, true, lerobot).map(
				({field, message}) => `${field}: ${message}`,
			);
		expect(problems('diffusion', {horizon: 32, crop: 0.5})).toEqual([]);
		expect(problems('diffusion', {horizon: 0.5, push_to_hub: true})).toEqual([
			expect.stringMatching(/^vla_hyper_spec\.horizon: must be a whole number/),
			expect.stringMatching(/^vla_hyper_spec\.push_to_hub: diffusion has no such hyperparameter/),
		]);
		expect(problems('xvla', {chunk_size: 16, n_action_steps: 8})).toEqual([]);
		expect(problems('xvla', {chunk_size: 16})).toEqual([
			'vla_hyper_spec.n_action_steps: must be at most chunk_size, which is 16, and is 32',
		]);
		// What this installation has not registered it cannot train, whatever its version.
		expect(problems('vqbet', {})).toEqual([expect.stringContaining('LeRobot 0.6.1 has no vqbet')]);
	});
});
