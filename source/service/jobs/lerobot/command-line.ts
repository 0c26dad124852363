import {saveFreqWithin} from '../../../contract/hyperparameters.ts';
import type {Checkpoint, FinetuneOrder, Job} from '../records/job.ts';
import {emptySlots, policyKey, sarmImageKey} from '../rules/camera-rules.ts';
import {datasetPath, progressFileOf} from '../rules/training-dataset.ts';
import {isAtLeast, type Lerobot, type Registry, registryOf, unknownLerobot} from '../vla/releases.ts';
import {heldOutFlags, trainerSettings} from '../vla/trainer-settings.ts';
import {hyperparameterDefaults} from '../vla/validate-hyperparameters.ts';
import {typeFacts} from '../vla/vla-types.ts';
import {resumeConfigOf} from './checkpoints.ts';

/** LeRobot's own number of steps, and a rate that is beyond most machines: the hours are to end a training. */
const usualSteps = 100_000;
const fastStepsPerSecond = 20;

/** The steps that a job asks its trainer for: those it was ordered with, else more than its hours have room for. */
export function stepsOf({vla_hyper_spec, hours}: FinetuneOrder): number {
	const given = vla_hyper_spec?.steps;
	if (typeof given === 'number') return given;
	return Math.max(usualSteps, Math.ceil(hours * 3600 * fastStepsPerSecond));
}

/** The steps between two checkpoints: those that were ordered, else the usual ones, or fewer where the hours are few. */
function saveFreqOf({vla_type, vla_hyper_spec, hours}: FinetuneOrder): unknown {
	const usual = Number(hyperparameterDefaults(vla_type).save_freq);
	return vla_hyper_spec?.save_freq ?? Math.min(usual, saveFreqWithin(hours));
}

/** The steps between two lines of the log. */
export function logEvery({vla_type, vla_hyper_spec}: FinetuneOrder): number {
	return Number({...hyperparameterDefaults(vla_type), ...vla_hyper_spec}.log_freq);
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const isSetting = (name: string) => Object.hasOwn(trainerSettings, name);

/** The job's name where the trainer uses it, in file names and titles: printable and short. */
function jobName({name, jobId}: Job): string {
	const printable = name
		.replace(/[^\p{L}\p{N} ._-]/gu, '_')
		.trim()
		.slice(0, 100);
	return printable === '' ? jobId : printable;
}

/** The loss on what is held out is told as often as a checkpoint is written, on few samples: hours are for training. */
const mostHeldOutSamples = 512;

function heldOutSettings({vla_hyper_spec = {}}: FinetuneOrder, saveFreq: unknown): Record<string, unknown> {
	const {eval_split} = vla_hyper_spec;
	if (typeof eval_split !== 'number' || eval_split === 0) return {};
	return {eval_steps: saveFreq, max_eval_samples: mostHeldOutSamples};
}

function runArguments(job: Job, output: string): string[] {
	const {order} = job;
	const save_freq = saveFreqOf(order);
	const settings = {
		...hyperparameterDefaults(order.vla_type),
		...heldOutSettings(order, save_freq),
		...order.vla_hyper_spec,
		steps: stepsOf(order),
		save_freq,
	};
	return [
		`--dataset.repo_id=${datasetPath(job.datasetName)}`,
		`--dataset.root=${job.datasetFolder}`,
		`--batch_size=${order.batch_size}`,
		...Object.entries(settings)
			.filter(([name]) => isSetting(name))
			.map(([name, value]) => `--${heldOutFlags[name] ?? name}=${text(value)}`),
		`--output_dir=${output}`,
		`--job_name=${jobName(job)}`,
	];
}

/** The name of a type in the registry of the LeRobot that trains it. */
function registryFor(lerobot: Lerobot, type: string): Registry {
	const registry = registryOf(lerobot, type);
	if (registry) return registry;
	throw new Error(`the LeRobot of this machine does not know ${type} any more`);
}

/**
 * A base model's own configuration holds but for what was ordered otherwise; a new one has LeRobot's defaults. LeRobot
 * takes a type or a path, never both.
 */
function modelArguments({order, baseModel}: Job, lerobot: Lerobot): string[] {
	const facts = typeFacts(order.vla_type);
	const of = registryFor(lerobot, facts.policyType);
	const byPath = baseModel !== null && facts.modelBy === 'path';
	const given = Object.entries(order.vla_hyper_spec ?? {}).filter(
		([name]) => !isSetting(name) && name !== 'image_key',
	);
	const empty = emptySlots(order);
	const {key} = facts.cameras.kind === 'one' ? sarmImageKey(order) : {key: undefined};
	return [
		byPath ? `--${of}.path=${baseModel}` : `--${of}.type=${facts.policyType}`,
		...(baseModel !== null && !byPath ? [`--${of}.${facts.modelBy}=${baseModel}`] : []),
		`--${of}.push_to_hub=false`,
		...given.map(([name, value]) => `--${of}.${name}=${text(value)}`),
		...(empty > 0 ? [`--${of}.empty_cameras=${empty}`] : []),
		...(key === undefined ? [] : [`--${of}.image_key=${key}`]),
		// A policy with a new layout takes the dataset's own keys, and LeRobot refuses to rename any for it.
		...(byPath && facts.cameras.kind !== 'one' ? renameArguments(order) : []),
	];
}

/** LeRobot renames a dataset's keys to its policy's: the inverse of the interface's mapping. */
function renameArguments({camera_mappings}: FinetuneOrder): string[] {
	const renamed = Object.entries(camera_mappings).map(([slot, key]) => [key, policyKey(slot)]);
	return renamed.length === 0 ? [] : [`--rename_map=${JSON.stringify(Object.fromEntries(renamed))}`];
}

function rewardArguments({order, datasetFolder}: Job, {release}: Lerobot): string[] {
	if (!order.use_rabc) return [];
	const progress = progressFileOf({folder: datasetFolder});
	if (!isAtLeast(release, '0.6.0')) {
		return [
			'--use_rabc=true',
			`--rabc_head_mode=${order.rabc_head_mode}`,
			...(progress ? [`--rabc_progress_path=${progress}`] : []),
		];
	}
	return [
		'--sample_weighting.type=rabc',
		`--sample_weighting.head_mode=${order.rabc_head_mode}`,
		...(progress ? [`--sample_weighting.progress_path=${progress}`] : []),
	];
}

/**
 * The arguments that start a job from its beginning.
 *
 * @param lerobot the one that trains; the newest one's line for one that does not tell which it is
 * @throws where that does not know the job's type
 */
export function startArguments(
	job: Job,
	output: string,
	lerobot: Lerobot = unknownLerobot,
): readonly string[] {
	return [...modelArguments(job, lerobot), ...runArguments(job, output), ...rewardArguments(job, lerobot)];
}

/** The arguments that resume a job from a checkpoint, whose configuration holds the rest. */
export function resumeArguments(job: Job, output: string, checkpoint: Checkpoint): readonly string[] {
	return [`--config_path=${resumeConfigOf(checkpoint)}`, '--resume=true', ...runArguments(job, output)];
}
