import {mkdir, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import type {IngestProgress} from '../../contract/local.ts';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import {DatasetError} from '../../lerobot/dataset-error.ts';
import {locate} from '../../lerobot/layout.ts';
import {parquetDamage, ReadDatabase} from '../../lerobot/read-database.ts';
import {openDataset, readIndex} from '../../lerobot/read-dataset.ts';
import {quotedString} from '../../lerobot/sql.ts';
import {writeDataset} from '../../lerobot/write-dataset.ts';
import type {DatasetToWrite, EpisodeToWrite} from '../../lerobot/write-description.ts';
import {addWholeCameraStats, CameraStats, UnsampledCameras} from '../augmentation/camera-stats.ts';
import {checkWritten, unsampledDamages} from '../augmentation/check-written.ts';
import {VideoNumbers, videoFileIn} from '../augmentation/shared-videos.ts';
import {cutPlan, markerForms, ownFeatures} from '../augmentation/trim-plan.ts';
import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {memoryLimit} from '../workers/inside-child.ts';
import type {ComposeWork} from './compose-messages.ts';
import {type CutOutcome, VideoCutter} from './cut-videos.ts';
import {compareParents} from './differences.ts';
import {type Parent, parentEpisodes} from './parent-episodes.ts';
import {ParentVideos} from './parent-videos.ts';
import {wantedFiles} from './wanted-files.ts';

/** Folders beside the new dataset while it is written; no dataset's name begins with a dot. */
const spillName = '.spill';
const cutName = '.cut';

/** Bytes of a video file, as `video_files_size_in_mb` of the new dataset says. */
const mostVideoBytes = 500 * 1024 * 1024;

/**
 * Writes one dataset of episodes of several. It appears whole or not at all. Of video files that hold other episodes too,
 * the chosen ones are cut out, not encoded anew; all others, and those where that cannot be done, are the parents' own,
 * linked, cloned or copied: a span of LeRobot v3.0 may begin anywhere in its file.
 *
 * @param ffmpeg what cuts videos; undefined where there is none
 * @throws {DatasetError} where an episode cannot be taken over as it is, or the datasets are not alike
 */
export async function composeDataset(
	work: ComposeWork,
	onProgress: (progress: IngestProgress) => void,
	ffmpeg: Ffmpeg | undefined,
): Promise<ComposeSummary> {
	const folder = path.dirname(work.target);
	await mkdir(folder, {recursive: true, mode: 0o700});
	const spillFolder = path.join(folder, spillName);
	const cutFolder = path.join(folder, cutName);
	const parents: Parent[] = [];
	try {
		const numbers = new VideoNumbers();
		const leftOut = new Set(work.left_out);
		const unsampled = new UnsampledCameras();
		const made = {numbers, folder, leftOut, ffmpeg, unsampled};
		for (const parent of work.parents) parents.push(await openParent(parent, made));
		const total = work.parents.reduce((sum, {episodes}) => sum + episodes.length, 0);
		const described = description(work.name, parents);
		await checkLengths(parents);
		const cut = await new VideoCutter({
			ffmpeg,
			fps: described.fps,
			mostBytes: mostVideoBytes,
			folder: cutFolder,
			numbers,
			onProgress: (done, total) => onProgress({done, total, unit: 'spans', step: 'cutting videos'}),
		}).cut(await wantedFiles(parents));
		if (cut.givenUp !== undefined) unsampled.giveUpVideos(cut.givenUp);
		let videos: VideoSummary = {videos: 0, videos_absent: 0};
		const written = await writeDataset(work.target, described, allEpisodes(parents), {
			onEpisode: done =>
				onProgress({done, total, unit: 'episodes', step: 'composing', detail: `${done} of ${total}`}),
			beforePublish: async partial => {
				onProgress({done: total, total, unit: 'episodes', step: 'videos'});
				videos = await putVideos(partial, parents, cut);
				await addWholeCameraStats(partial, parents.map(takenOf), unsampled.lacking);
				onProgress({done: total, total, unit: 'episodes', step: 'checking'});
				const [first] = parents;
				if (first) await check(partial, first.database, parents, unsampled);
			},
		});
		const {totalEpisodes: episodes, totalFrames: frames} = written;
		return {episodes, frames, ...videos, camera_stats_note: unsampled.note() ?? null};
	} finally {
		for (const {database} of parents) database.close();
		for (const made of [spillFolder, cutFolder]) await rm(made, {recursive: true, force: true});
	}
}

/** @throws {DatasetError} where the new dataset has a damage that its parents have not */
function check(
	folder: string,
	database: ReadDatabase,
	parents: readonly Parent[],
	unsampled: UnsampledCameras,
): Promise<void> {
	return checkWritten({
		folder,
		database,
		parents: parents.map(({dataset, database: own}) => ({folder: dataset.root, database: own})),
		told: unsampled.lacking.length > 0 ? unsampledDamages : [],
	});
}

/** The properties that all parents share. */
type Made = {
	readonly numbers: VideoNumbers;
	readonly folder: string;
	readonly leftOut: ReadonlySet<string>;
	readonly ffmpeg: Ffmpeg | undefined;
	readonly unsampled: UnsampledCameras;
};

async function openParent(
	work: ComposeWork['parents'][number],
	{numbers, folder, leftOut, ffmpeg, unsampled}: Made,
): Promise<Parent> {
	const found = await openDataset(work.folder);
	const dataset = {...found, info: {...found.info, features: without(found.info.features, leftOut)}};
	const spillFolder = path.join(folder, spillName);
	const database = await ReadDatabase.open({folders: [dataset.root, folder], memoryLimit, spillFolder});
	const index = await readIndex(database, dataset, () => undefined);
	const plan = cutPlan(dataset, index, work, 'composed of');
	return {
		work,
		dataset,
		index,
		plan,
		database,
		files: new ParentVideos(dataset.root, numbers),
		cameraStats: await CameraStats.open({dataset, database, ffmpeg, unsampled}),
	};
}

/** A parent, and how many frames are taken of it. */
function takenOf({dataset, index, work}: Parent) {
	const lengths = work.episodes.map(({episode_index}) => index.listings.get(episode_index)?.length ?? 0);
	return {dataset, frames: lengths.reduce((sum, length) => sum + length, 0)};
}

function without<Value>(features: Readonly<Record<string, Value>>, leftOut: ReadonlySet<string>) {
	return Object.fromEntries(Object.entries(features).filter(([key]) => !leftOut.has(key)));
}

async function* allEpisodes(parents: readonly Parent[]): AsyncGenerator<EpisodeToWrite> {
	for (const parent of parents) yield* parentEpisodes(parent);
}

function description(name: string, parents: readonly Parent[]): DatasetToWrite {
	const [first] = parents;
	if (!first) throw new DatasetError('there are no episodes to compose');
	const described = parents.map(({work, dataset}) => ({
		dataset_name: work.dataset_name,
		robot_type: dataset.info.robot_type,
		fps: dataset.info.fps,
		features: dataset.info.features,
	}));
	const {refused, leftOut} = compareParents(described);
	const [difference = leftOut.map(key => `"${key}" is not the same in all of them`)[0]] = refused;
	if (difference !== undefined)
		throw new DatasetError(`The datasets changed and are not alike: ${difference}.`);
	const listings = parents.flatMap(({work, index}) =>
		work.episodes.flatMap(({episode_index}) => index.listings.get(episode_index) ?? []),
	);
	const {info} = first.dataset;
	return {
		robotType: info.robot_type ?? null,
		fps: info.fps,
		features: Object.fromEntries(ownFeatures(info)),
		markers: markerForms(
			listings,
			parents.some(({dataset}) => dataset.layout.hasSubtaskIndex),
		),
		lineage: true,
		tags: listings.some(({tags}) => tags.length > 0),
		card: card(name, parents),
	};
}

function card(name: string, parents: readonly Parent[]): string {
	const lines = parents.map(
		({work}) => `- \`${work.dataset_name}\`: ${work.episodes.map(at => at.episode_index).join(', ')}`,
	);
	return `---
tags:
- LeRobot
- composed
---

# ${name}

Composed by lakescope. Each episode is one of another dataset, unchanged, and names it in the columns
\`lakescope/parent_dataset\` and \`lakescope/parent_episode_index\`:

${lines.join('\n')}
`;
}

/** So many episodes are named of a dataset. */
const mostNamed = 20;

/**
 * Checks that all wanted episodes have the frames that the metadata lists, before anything is cut or written: found one
 * by one, each would cost another attempt. The reader reports the frame count of a single one itself.
 *
 * @throws {DatasetError} that names all of several that have not
 */
async function checkLengths(parents: readonly Parent[]): Promise<void> {
	const found: {readonly name: string; readonly episodes: readonly number[]}[] = [];
	for (const parent of parents) {
		const episodes = await oddLengths(parent);
		if (episodes.length > 0) found.push({name: parent.work.dataset_name, episodes});
	}
	const count = found.reduce((sum, {episodes}) => sum + episodes.length, 0);
	if (count < 2) return;
	const named = found.map(({name, episodes}) => {
		const more = episodes.length > mostNamed ? ` and ${episodes.length - mostNamed} more` : '';
		return `${episodes.slice(0, mostNamed).join(', ')}${more} of ${name}`;
	});
	throw new DatasetError(
		`${count} episodes do not have the frames that the metadata states and cannot be composed: ${named.join('; ')}. Leave them out (tier:retrainable does), or repair them.`,
	);
}

async function oddLengths({work, dataset, index, database}: Parent): Promise<readonly number[]> {
	const listed = work.episodes.flatMap(({episode_index}) => {
		const {dataFile, length} = index.listings.get(episode_index) ?? {};
		return dataFile === undefined || length === undefined ? [] : [{episode_index, dataFile, length}];
	});
	const odd: number[] = [];
	for (const [file, members] of Map.groupBy(listed, ({dataFile}) => dataFile)) {
		const located = await locate(dataset.root, file);
		// The reader reports a file that is damaged as a whole.
		if (!located.found || (await parquetDamage(located.path)) !== null) continue;
		const counts = `SELECT episode_index::DOUBLE, count(*)::DOUBLE FROM read_parquet(${quotedString(located.path)}) GROUP BY ALL`;
		const rows = await database.query(counts).catch(() => undefined);
		if (rows === undefined) continue;
		const frames = new Map(rows.getRows().map(([episode, count]) => [Number(episode), Number(count)]));
		const those = members.filter(({episode_index, length}) => frames.get(episode_index) !== length);
		odd.push(...those.map(({episode_index}) => episode_index));
	}
	return odd.sort((a, b) => a - b);
}

type VideoSummary = Pick<
	ComposeSummary,
	'videos' | 'videos_absent' | 'videos_cut' | 'video_bytes' | 'video_bytes_linked' | 'videos_note'
>;

/** Puts the videos into the folder of a new dataset: those that were cut, and those that are the parents' own. */
async function putVideos(
	folder: string,
	parents: readonly Parent[],
	{made, whole, reason}: CutOutcome,
): Promise<VideoSummary> {
	let bytes = 0;
	for (const {file, camera, place} of made) {
		const target = videoFileIn(folder, camera, place);
		await mkdir(path.dirname(target), {recursive: true});
		await rename(file, target);
		bytes += (await stat(target)).size;
	}
	const taken = {files: 0, absent: 0, bytes: 0, linked: 0};
	for (const {files} of parents) {
		const shared = await files.whole.share(folder, {copying: true});
		taken.files += shared.shared;
		taken.absent += shared.absent;
		taken.bytes += shared.bytes;
		taken.linked += shared.linkedBytes;
	}
	return {
		videos: made.length + taken.files,
		videos_absent: taken.absent,
		videos_cut: made.length,
		video_bytes: bytes + taken.bytes,
		video_bytes_linked: taken.linked,
		videos_note: reason === undefined ? null : noteOf(whole, reason),
	};
}

function noteOf(whole: number, reason: string): string {
	const files = whole === 1 ? '1 video file was' : `${whole} video files were`;
	return `${files} taken whole, with the episodes that were not chosen: ${reason}.`;
}
