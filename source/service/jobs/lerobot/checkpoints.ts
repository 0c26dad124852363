import {readdir, realpath, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import type {Checkpoint} from '../records/job.ts';

/** Where LeRobot keeps the policy of a checkpoint. */
const policyFolder = 'pretrained_model';

const checkpointsOf = (output: string) => path.join(output, 'checkpoints');

/** The configuration that a training is resumed with. */
export const resumeConfigOf = ({folder}: Checkpoint): string =>
	path.join(folder, policyFolder, 'train_config.json');

async function isFolder(folder: string): Promise<boolean> {
	return stat(folder).then(
		found => found.isDirectory(),
		() => false,
	);
}

async function numbered(output: string): Promise<Checkpoint[]> {
	const folder = checkpointsOf(output);
	const names = await readdir(folder).catch(() => []);
	return names
		.filter(name => /^\d{1,15}$/.test(name))
		.map(name => ({step: Number(name), folder: path.join(folder, name)}))
		.sort((left, right) => right.step - left.step);
}

/**
 * The last whole checkpoint under a trainer's output folder. LeRobot points the link `last` at a checkpoint once that
 * is written; where there is no such link, the highest number that holds a policy counts.
 */
export async function lastCheckpoint(output: string): Promise<Checkpoint | undefined> {
	const linked = await realpath(path.join(checkpointsOf(output), 'last')).catch(() => undefined);
	if (linked !== undefined && /^\d{1,15}$/.test(path.basename(linked))) {
		return {step: Number(path.basename(linked)), folder: linked};
	}
	for (const checkpoint of await numbered(output)) {
		if (await isFolder(path.join(checkpoint.folder, policyFolder))) return checkpoint;
	}
	return undefined;
}

/** The folder of the policy that a training left: its last checkpoint's, or one beside the checkpoints. */
export async function trainedModel(output: string): Promise<string | undefined> {
	const checkpoint = await lastCheckpoint(output);
	const candidates = [
		checkpoint && path.join(checkpoint.folder, policyFolder),
		path.join(output, policyFolder),
	];
	for (const folder of candidates) if (folder !== undefined && (await isFolder(folder))) return folder;
	const names = await readdir(output).catch(() => []);
	return names.some(name => name.endsWith('.safetensors')) ? output : undefined;
}

/**
 * Removes the checkpoints before the newest `kept`, none of them newer than `last`.
 *
 * @param spared a folder that stays, as a listed model lies in it
 */
export async function pruneCheckpoints(
	output: string,
	last: Checkpoint,
	kept: number,
	spared: string | undefined,
): Promise<void> {
	const whole = (await numbered(output)).filter(({step}) => step <= last.step);
	for (const {folder} of whole.slice(kept)) {
		if (!spared?.startsWith(`${folder}${path.sep}`)) await rm(folder, {recursive: true, force: true});
	}
}
