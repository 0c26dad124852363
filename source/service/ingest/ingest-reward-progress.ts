import {rm} from 'node:fs/promises';
import path from 'node:path';
import {ReadDatabase} from '../../lerobot/read-database.ts';
import {
	progressModelOf,
	progressRoot,
	type RewardProgress,
	readRewardProgress,
} from '../../lerobot/read-reward-progress.ts';
import {memoryLimit} from '../workers/inside-child.ts';
import type {Reporter} from '../workers/reporter.ts';
import type {ChildRequest} from './child-request.ts';
import {StagingWriter} from './staging-writer.ts';

/**
 * Reads the progress that a reward model gave a dataset's frames, whose file is the request's folder. It is an
 * artifact of its own: the lake lists it and gets no episodes from it, since its rows are about another dataset's.
 *
 * @throws {DatasetError} where it is no such file.
 */
export async function ingestRewardProgress(
	request: ChildRequest,
	reporter: Reporter,
): Promise<{episodeCount: number; totalFrames: number}> {
	const root = await progressRoot(request.folder);
	const name = path.basename(request.folder);
	reporter.progress({done: 0, total: 1, step: 'reading', detail: name});
	const spillFolder = path.join(request.staging, 'spill');
	const database = await ReadDatabase.open({
		folders: [root, request.staging],
		memoryLimit,
		spillFolder,
	});
	try {
		const progress = await readRewardProgress(database, {root, name}, reporter.problem);
		const writer = await StagingWriter.open(database, request.staging, []);
		reporter.progress({done: 1, total: 1, step: 'writing'});
		await writer.finish(description(progressModelOf(name), progress, reporter));
		return {episodeCount: 0, totalFrames: 0};
	} finally {
		database.close();
		await rm(spillFolder, {recursive: true, force: true});
	}
}

function description(
	model: string | undefined,
	{rows, episodes, heads, values, rewardModelPath, vlmName, columns}: RewardProgress,
	reporter: Reporter,
): object {
	return {
		// The interface has one word for progress (section 2.4); the metadata says whose it is.
		subtype: 'sarm_progress',
		total_episodes: 0,
		total_frames: 0,
		features: Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, {dtype: type}])),
		metadata: {
			reward_model: model,
			rows,
			episodes,
			heads,
			progress: values,
			reward_model_path: rewardModelPath,
			...(vlmName !== null && {vlm_name: vlmName}),
		},
		problems: reporter.problems,
	};
}
