import {saveFreqWithin} from '../../../contract/hyperparameters.ts';
import type {Checkpoint, FinetuneOrder, Job} from '../records/job.ts';
import {emptySlots, policyKey, sarmImageKey} from '../rules/camera-rules.ts';
import {datasetPath, progressFileOf} from '../rules/training-dataset.ts';
import {trainerSettings} from '../vla/trainer-settings.ts';
import {hyperparameterDefaults} from '../vla/validate-hyperparameters.ts';
import {vlaTypeFacts} from '../vla/vla-types.ts';
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

function runArguments(job: Job, output: string): string[] {
	const {order} = job;
	const settings = {
		...hyperparameterDefaults(order.vla_type),
		...order.vla_hyper_spec,
		steps: stepsOf(order),
		save_freq: saveFreqOf(order),
	};
	return [
		`--dataset.repo_id=${datasetPath(job.datasetName)}`,
		`--dataset.root=${job.datasetFolder}`,
		`--batch_size=${order.batch_size}`,
		...Object.entries(settings)
			.filter(([name]) => isSetting(name))
			.map(([name, value]) => `--${name}=${text(value)}`),
		`--output_dir=${output}`,
		`--job_name=${jobName(job)}`,
	];
}

/** A base model's own configuration holds but for what was ordered otherwise; a new one has LeRobot's defaults. */
function policyArguments({order, baseModel}: Job): string[] {
	const facts = vlaTypeFacts[order.vla_type];
	const byPath = baseModel !== null && facts.modelBy === 'path';
	const given = Object.entries(order.vla_hyper_spec ?? {}).filter(
		([name]) => !isSetting(name) && name !== 'image_key',
	);
	const empty = emptySlots(order);
	const {key} = facts.cameras.kind === 'one' ? sarmImageKey(order) : {key: undefined};
	return [
		byPath ? `--policy.path=${baseModel}` : `--policy.type=${facts.policyType}`,
		...(baseModel !== null && !byPath ? [`--policy.${facts.modelBy}=${baseModel}`] : []),
		'--policy.push_to_hub=false',
		...given.map(([name, value]) => `--policy.${name}=${text(value)}`),
		...(empty > 0 ? [`--policy.empty_cameras=${empty}`] : []),
		...(key === undefined ? [] : [`--policy.image_key=${key}`]),
		// A policy that is laid out anew takes the dataset's own keys, and LeRobot refuses to rename any for it.
		...(byPath ? renameArguments(order) : []),
	];
}

/** LeRobot renames a dataset's keys to its policy's: the inverse of the interface's mapping. */
function renameArguments({camera_mappings}: FinetuneOrder): string[] {
	const renamed = Object.entries(camera_mappings).map(([slot, key]) => [key, policyKey(slot)]);
	return renamed.length === 0 ? [] : [`--rename_map=${JSON.stringify(Object.fromEntries(renamed))}`];
}

function rewardArguments({order, datasetFolder}: Job): string[] {
	if (!order.use_rabc) return [];
	const progress = progressFileOf({folder: datasetFolder});
	return [
		'--sample_weighting.type=rabc',
		`--sample_weighting.head_mode=${order.rabc_head_mode}`,
		...(progress ? [`--sample_weighting.progress_path=${progress}`] : []),
	];
}

/** The arguments that start a job from its beginning. */
export function startArguments(job: Job, output: string): readonly string[] {
	return [...policyArguments(job), ...runArguments(job, output), ...rewardArguments(job)];
}

/** The arguments that resume a job from a checkpoint, whose configuration holds the rest. */
export function resumeArguments(job: Job, output: string, checkpoint: Checkpoint): readonly string[] {
	return [`--config_path=${resumeConfigOf(checkpoint)}`, '--resume=true', ...runArguments(job, output)];
}
