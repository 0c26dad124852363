import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {finetuneRequest} from '../../../source/contract/finetune.ts';
import {resumeArguments, startArguments, stepsOf} from '../../../source/service/jobs/lerobot/command-line.ts';
import type {Job} from '../../../source/service/jobs/records/job.ts';
import {findTrainer} from '../../../source/service/jobs/trainers/find-trainer.ts';
import {standIn, standInFolder} from '../../support/trainer/stand-in.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-command-'));
process.env.XDG_CONFIG_HOME = folder;
afterAll(() => rmSync(folder, {recursive: true}));

const front = 'observation.images.front';

function job(fields: Record<string, unknown>, baseModel: string | null = null): Job {
	const order = finetuneRequest.parse({
		project_id: '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d',
		vla_type: 'act',
		dataset_id: 'cups',
		hours: 2,
		camera_mappings: {top: front},
		...fields,
	});
	const named = {jobId: 'id', name: order.name ?? 'id', datasetName: 'cups', datasetFolder: folder};
	return {...named, order, baseModel} as unknown as Job;
}

const run = [
	'--dataset.repo_id=local/cups',
	`--dataset.root=${folder}`,
	'--batch_size=32',
	'--save_freq=1000',
	'--log_freq=20',
	'--seed=1000',
	'--num_workers=4',
	'--steps=144000',
	'--output_dir=/out',
	'--job_name=id',
];

test('a new ACT takes the dataset’s own keys: nothing is renamed', () => {
	expect(startArguments(job({}), '/out')).toEqual([
		'--policy.type=act',
		'--policy.push_to_hub=false',
		...run,
	]);
});

test.each([
	[2, {}, 1000],
	[0.5, {}, 540],
	[0.05, {}, 54],
	[1 / 3600, {}, 1],
	[0.05, {save_freq: 500}, 500],
])('in %s hours with %j a checkpoint is written every %s steps', (hours, vla_hyper_spec, every) => {
	expect(startArguments(job({hours, vla_hyper_spec}), '/out')).toContain(`--save_freq=${every}`);
});

test('a base model by its path has keys renamed to its slots, and the rest left empty', () => {
	const asked = {
		vla_type: 'pi0',
		camera_mappings: {base_0_rgb: front},
		vla_hyper_spec: {dtype: 'bfloat16', steps: 7},
	};
	const args = startArguments(job(asked, 'lerobot/pi0_base'), '/out');
	expect(args).toContain('--policy.path=lerobot/pi0_base');
	expect(args).toContain('--policy.dtype=bfloat16');
	expect(args).toContain('--policy.empty_cameras=2');
	expect(args).toContain(`--rename_map={"${front}":"observation.images.base_0_rgb"}`);
	expect(args).toContain('--steps=7');
	expect(args.filter(word => word.startsWith('--policy.type'))).toEqual([]);
});

test('gr00t takes its base model by a field of its own', () => {
	const args = startArguments(job({vla_type: 'gr00t_n1_5'}, 'nvidia/GR00T-N1.5-3B'), '/out');
	expect(args.slice(0, 2)).toEqual(['--policy.type=groot', '--policy.base_model_path=nvidia/GR00T-N1.5-3B']);
});

const old = {version: '0.5.1', release: '0.5.1', configurations: undefined} as const;

test('a reward model is told which image it looks at, in the registry that the release has it in', () => {
	const sarm = job({vla_type: 'sarm', camera_mappings: {image_key: front}});
	for (const [lerobot, registry] of [
		[undefined, 'reward_model'],
		[old, 'policy'],
	] as const) {
		const args = startArguments(sarm, '/out', lerobot);
		expect(args.slice(0, 3)).toEqual([
			`--${registry}.type=sarm`,
			`--${registry}.push_to_hub=false`,
			`--${registry}.image_key=${front}`,
		]);
	}
	// A reward model has no slots that a key could be renamed to.
	const again = startArguments({...sarm, baseModel: '/models/sarm'}, '/out');
	expect(again).toContain('--reward_model.path=/models/sarm');
	expect(again.filter(word => /rename_map|\.type=/.test(word))).toEqual([]);
});

test('episodes that are held out are looked at with each checkpoint, by a few samples', () => {
	const args = startArguments(job({vla_hyper_spec: {eval_split: 0.1, save_freq: 300}}), '/out');
	expect(args).toEqual(
		expect.arrayContaining(['--dataset.eval_split=0.1', '--eval_steps=300', '--max_eval_samples=512']),
	);
	const own = {eval_split: 0.1, eval_steps: 50, max_eval_samples: 0};
	expect(startArguments(job({vla_hyper_spec: own}), '/out')).toEqual(
		expect.arrayContaining(['--eval_steps=50', '--max_eval_samples=0']),
	);
});

test('reward-aware cloning is given the progress of the dataset', () => {
	writeFileSync(path.join(folder, 'sarm_progress.parquet'), '');
	const weighed = job({use_rabc: true, rabc_head_mode: 'dense'});
	const args = startArguments(weighed, '/out');
	const before = startArguments(weighed, '/out', old);
	rmSync(path.join(folder, 'sarm_progress.parquet'));
	expect(args.slice(-3)).toEqual([
		'--sample_weighting.type=rabc',
		'--sample_weighting.head_mode=dense',
		`--sample_weighting.progress_path=${folder}/sarm_progress.parquet`,
	]);
	expect(before.slice(-3)).toEqual([
		'--use_rabc=true',
		'--rabc_head_mode=dense',
		`--rabc_progress_path=${folder}/sarm_progress.parquet`,
	]);
});

test('what is resumed has its policy from the checkpoint', () => {
	const checkpoint = {step: 20, folder: '/out/checkpoints/000020'};
	expect(resumeArguments(job({}), '/out', checkpoint)).toEqual([
		'--config_path=/out/checkpoints/000020/pretrained_model/train_config.json',
		'--resume=true',
		...run,
	]);
});

test('a job’s name reaches the trainer without what a file name or a screen could stumble over', () => {
	const args = startArguments(job({name: '../x\u0000\u001b[31m 🤖'}), '/out');
	expect(args.find(word => word.startsWith('--job_name='))).toBe('--job_name=.._x___31m _');
});

test('steps that are not given are more than the hours have room for', () => {
	expect(stepsOf(job({hours: 168}).order)).toBe(168 * 3600 * 20);
	expect(stepsOf(job({hours: 0.1}).order)).toBe(100_000);
});

test('the trainer is found on the PATH, by LAKESCOPE_TRAINER, and by the configuration', async () => {
	expect(await findTrainer({PATH: `/nowhere:${standInFolder}`})).toMatchObject({
		kind: 'found',
		command: [standIn],
	});
	expect(await findTrainer({PATH: folder})).toMatchObject({kind: 'absent'});
	expect(await findTrainer({PATH: '', LAKESCOPE_TRAINER: standIn})).toMatchObject({command: [standIn]});
	const words = {PATH: standInFolder, LAKESCOPE_TRAINER: `lerobot-train "--a b" '--c'`};
	expect(await findTrainer(words)).toMatchObject({command: [standIn, '--a b', '--c']});
	expect(await findTrainer({PATH: '', LAKESCOPE_TRAINER: 'nothing here'})).toMatchObject({
		kind: 'broken',
		message: expect.stringContaining('no program "nothing" is on the PATH'),
	});
	expect(await findTrainer({LAKESCOPE_TRAINER: folder})).toMatchObject({kind: 'broken'});
	mkdirSync(path.join(folder, 'lakescope'));
	writeFileSync(path.join(folder, 'lakescope/config.json'), JSON.stringify({trainer: standIn}));
	expect(await findTrainer({PATH: ''})).toMatchObject({command: [standIn]});
});
