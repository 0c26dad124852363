import {cp, lstat, realpath, rename, rm, statfs} from 'node:fs/promises';
import path from 'node:path';
import {hubSnapshot} from '../../files/hub-cache.ts';
import {differenceOf} from '../check/check-tasks.ts';
import type {DamageId} from '../check/damage.ts';
import {DatasetError} from '../dataset-error.ts';
import {Draft} from './draft.ts';
import {Repairs, repairsFolder} from './journal.ts';
import * as episodes from './repair-episodes.ts';
import * as frames from './repair-frames.ts';
import * as info from './repair-info.ts';
import * as leftovers from './repair-leftovers.ts';
import * as stats from './repair-stats.ts';
import * as tasks from './repair-tasks.ts';
import * as videos from './repair-videos.ts';

type Repair = {
	readonly ids: readonly DamageId[];
	/** Changes the draft. @param wanted every id that is mended @returns what it changed, in sentences; none where there is nothing to mend */
	readonly mend: (draft: Draft, wanted: readonly DamageId[]) => Promise<string[]>;
};

/** Every repair, in the order that they are made in: each may count on those before it. */
const repairs: readonly Repair[] = [
	{ids: ['parquet-without-footer'], mend: episodes.keepWholePrefix},
	{ids: ['data-file-stray'], mend: leftovers.putStrayDataAside},
	{ids: ['videos-swapped', 'videos-shifted'], mend: videos.unswapVideos},
	{ids: ['episode-listed-twice'], mend: episodes.removeSecondRows},
	{ids: ['episode-order'], mend: episodes.sortEpisodes},
	{ids: ['episode-without-frames'], mend: episodes.removeEpisodesWithoutFrames},
	{ids: ['episode-gap', 'episode-without-frames', 'parquet-without-footer'], mend: frames.closeEpisodeGap},
	{ids: ['episode-length-wrong'], mend: episodes.writeLengths},
	{ids: ['episode-file-wrong'], mend: episodes.writeDataFiles},
	{ids: ['episode-bounds-wrong', 'parquet-without-footer', 'data-file-stray'], mend: episodes.writeBounds},
	{ids: ['frame-index-wrong'], mend: frames.countFrameIndex},
	{ids: ['index-wrong', 'parquet-without-footer', 'data-file-stray'], mend: frames.countIndex},
	{
		ids: ['timestamps-drift', 'timestamps-shifted', 'timestamps-uneven'],
		mend: frames.snapTimestamps,
	},
	{ids: ['tasks-missing'], mend: tasks.writeTasks},
	{ids: ['task-order'], mend: tasks.sortTasks},
	{ids: ['task-text-twice'], mend: tasks.mergeEqualTasks},
	{
		ids: ['task-texts-similar'],
		mend: draft => tasks.mergeSimilarTasks(draft, (one, other) => differenceOf(one, other) !== undefined),
	},
	{ids: ['task-index-unknown'], mend: frames.findTasks},
	{ids: ['task-unused'], mend: tasks.removeUnusedTasks},
	{ids: ['episode-tasks-differ'], mend: tasks.writeEpisodeTasks},
	{
		ids: ['video-span-past-end', 'video-spans-overlap', 'video-span-length'],
		mend: videos.rewriteSpans,
	},
	{ids: ['video-span-off-grid'], mend: videos.snapSpans},
	{ids: ['video-unused'], mend: leftovers.putUnusedVideosAside},
	{ids: ['leftover-temporary'], mend: leftovers.putTemporaryAside},
	{ids: ['progress-wrong'], mend: leftovers.putStaleProgressAside},
	{ids: ['feature-column-missing'], mend: info.removeFeaturesWithoutData},
	{ids: ['column-undeclared'], mend: info.declareColumns},
	{ids: ['feature-shape-differs'], mend: info.writeShapes},
	{ids: ['camera-names-missing'], mend: info.nameCameraDimensions},
	{ids: ['camera-shape-differs'], mend: info.writeCameraShapes},
	{ids: ['video-codec-differs'], mend: info.writeCodecs},
	{
		ids: ['total-episodes-wrong', 'parquet-without-footer', 'episode-without-frames'],
		mend: info.writeTotalEpisodes,
	},
	{ids: ['total-frames-wrong', 'parquet-without-footer', 'data-file-stray'], mend: info.writeTotalFrames},
	{
		ids: ['total-tasks-wrong', 'task-unused', 'task-text-twice', 'task-texts-similar'],
		mend: info.writeTotalTasks,
	},
	{ids: ['splits-wrong', 'parquet-without-footer', 'episode-without-frames'], mend: info.writeSplits},
	{
		ids: [
			'stats-missing',
			'stats-unreadable',
			'stats-feature-missing',
			'stats-incomplete',
			'stats-quantiles-missing',
			'stats-width-wrong',
			'stats-mean-wrong',
			'stats-range-wrong',
			'stats-quantiles-wrong',
			'stats-quantiles-inexact',
			'stats-count-wrong',
			'stats-index-stale',
			'parquet-without-footer',
			'data-file-stray',
		],
		mend: (draft, wanted) =>
			stats.recomputeStats(
				draft,
				wanted.includes('stats-quantiles-wrong') || wanted.includes('stats-quantiles-inexact'),
			),
	},
	{
		ids: ['stats-camera-missing', 'stats-camera-implausible', 'stats-missing', 'stats-unreadable'],
		mend: stats.writeCameraStats,
	},
	{ids: ['episode-stats-wrong'], mend: draft => stats.recomputeEpisodeStats(draft, true)},
];

/** Changes what may be meant so: only where it is asked for. */
const asked: ReadonlySet<DamageId> = new Set(['task-texts-similar']);

/** The damages that can be repaired. */
export const repairableIds: readonly DamageId[] = [...new Set(repairs.flatMap(({ids}) => ids))];

type Renaming = {readonly was: string; readonly now: string};

/** The wish: damages by their ids (none: all that are safe without a word), and names to change. */
export type RepairWish = {
	readonly ids: readonly DamageId[];
	readonly tasks?: readonly Renaming[];
	readonly feature?: Renaming;
};

export type PlannedRepair = {readonly id: string; readonly changes: readonly string[]};

/** The changes that a repair would make. */
export type RepairPlan = {
	readonly repairs: readonly PlannedRepair[];
	/** Files that change, relative to the root; those that are put aside among them. */
	readonly files: readonly string[];
	/** Bytes that are needed while the old files are kept. */
	readonly bytes: number;
};

async function draw(draft: Draft, {ids, tasks: renamed = [], feature}: RepairWish): Promise<RepairPlan> {
	const made: PlannedRepair[] = [];
	const note = (id: string, changes: readonly string[]) => {
		if (changes.length > 0) made.push({id, changes});
	};
	for (const {was, now} of renamed) {
		const changes = await tasks.renameTask(draft, was, now);
		if (changes.length === 0) throw new DatasetError(`The dataset has no task ${JSON.stringify(was)}.`);
		note('rename-task', changes);
	}
	const isAll = ids.length === 0 && renamed.length === 0 && !feature;
	const wanted = isAll ? (await draft.damages()).filter(id => !asked.has(id)) : ids;
	for (const repair of repairs) {
		const id = repair.ids.find(each => wanted.includes(each));
		if (id !== undefined) note(id, await repair.mend(draft, wanted));
	}
	const followed = await frames.followCounters(draft);
	note('follows', followed);
	// Last, as all else goes by the names that the files have.
	if (feature) note('rename-feature', info.renameFeature(draft, feature.was, feature.now));
	return {repairs: made, files: await draft.changedFiles(), bytes: await draft.bytesNeeded()};
}

/** Plans a repair; nothing is written. */
export async function planRepair(folder: string, wish: RepairWish): Promise<RepairPlan> {
	const draft = await Draft.open(folder);
	try {
		return await draw(draft, wish);
	} finally {
		await draft.close();
	}
}

/**
 * Repairs a dataset: every changed file is kept for an undo.
 *
 * @param onStep called between the steps of putting files in their places
 * @throws {DatasetError} where it cannot be written, or there is no room
 */
export async function repairDataset(
	folder: string,
	wish: RepairWish,
	onStep?: () => void,
): Promise<RepairPlan> {
	const root = await realpath(folder);
	if (hubSnapshot(root)) {
		throw new DatasetError(
			`${folder} is a snapshot of the Hub's cache, which is never written: copy it out first.`,
		);
	}
	const journal = await Repairs.open(root);
	try {
		const draft = await Draft.open(root);
		try {
			const plan = await draw(draft, wish);
			if (plan.files.length === 0) return plan;
			const {bavail, bsize} = await statfs(root);
			if (bavail * bsize < plan.bytes * 1.1) {
				throw new DatasetError(
					`The repair needs about ${plan.bytes} bytes beside the dataset, and ${bavail * bsize} are free. Nothing was changed.`,
				);
			}
			const staging = await journal.stage();
			try {
				const changes = await draft.write(staging.folder);
				await journal.apply(
					staging,
					plan.repairs.map(({id}) => id),
					changes,
					onStep,
				);
			} catch (error) {
				if (!(await journal.isCommitted(staging))) await journal.discard(staging);
				throw error;
			}
			return plan;
		} finally {
			await draft.close();
		}
	} finally {
		await journal.close();
	}
}

/** Finishes a repair or an undo that was killed. @returns which it was; undefined where there was none */
export async function finishRepair(folder: string): Promise<'repair' | 'undo' | undefined> {
	const root = await realpath(folder).catch(() => folder);
	if (!(await lstat(repairsFolder(root)).catch(() => undefined))) return undefined;
	const journal = await Repairs.open(root);
	await journal.close();
	return journal.finished;
}

/** Takes the newest repair of a dataset back. @returns what it was, and the files that are as before */
export async function undoRepair(
	folder: string,
	onStep?: () => void,
): Promise<{repairs: readonly string[]; files: readonly string[]}> {
	const root = await realpath(folder);
	if (!(await lstat(repairsFolder(root)).catch(() => undefined))) {
		throw new DatasetError(`${folder} has no repair to take back.`);
	}
	const journal = await Repairs.open(root);
	try {
		const newest = await journal.newest();
		await journal.undo(onStep);
		return {repairs: newest?.repairs ?? [], files: newest?.files ?? []};
	} finally {
		await journal.close();
	}
}

/** Where a snapshot of the Hub's cache is copied out to; undefined where a folder is none. */
export async function copyOutTarget(folder: string, lerobotHome: string): Promise<string | undefined> {
	const root = await realpath(folder).catch(() => folder);
	const snapshot = hubSnapshot(root);
	if (!snapshot) return undefined;
	const cache = path.dirname(snapshot.repository);
	const home = path.basename(cache) === 'hub' ? path.dirname(cache) : lerobotHome;
	// The common cache of the Hub is no place of LeRobot's datasets.
	const isLerobots =
		(await realpath(lerobotHome).catch(() => lerobotHome)) === home || path.basename(home) === 'lerobot';
	return path.join(isLerobots ? home : lerobotHome, ...snapshot.repoId.split('/'));
}

/** Copies a snapshot out, its links followed. @throws {DatasetError} where something is there already */
export async function copyOut(folder: string, target: string): Promise<void> {
	if (await lstat(target).catch(() => undefined)) {
		throw new DatasetError(
			`${folder} is a snapshot of the Hub's cache, which is never written, and ${target} is there already: repair that.`,
		);
	}
	const half = path.join(path.dirname(target), `.${path.basename(target)}.lakescope-copy`);
	await rm(half, {recursive: true, force: true});
	await cp(await realpath(folder), half, {recursive: true, dereference: true});
	await rename(half, target);
}

/** A folder without links; itself where there is none. */
export const realFolder = (folder: string): Promise<string> => realpath(folder).catch(() => folder);

export {isDamageId} from '../check/damage.ts';
