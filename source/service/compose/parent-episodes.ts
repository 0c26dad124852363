import {DatasetError} from '../../lerobot/dataset-error.ts';
import {locate} from '../../lerobot/layout.ts';
import {findDataColumns} from '../../lerobot/read-data-columns.ts';
import {readDataFile} from '../../lerobot/read-data-file.ts';
import {parquetDamage, type ReadDatabase} from '../../lerobot/read-database.ts';
import type {DatasetFolder, DatasetIndex} from '../../lerobot/read-dataset.ts';
import {readWholeEpisodes, type WholeEpisode} from '../../lerobot/read-whole-episodes.ts';
import type {EpisodeToWrite, FrameValues} from '../../lerobot/write-description.ts';
import type {CameraStats} from '../augmentation/camera-stats.ts';
import {type CutPlan, cutEpisode} from '../augmentation/trim-episode.ts';
import {taskOf} from '../ingest/episode-intake.ts';
import {revisionOf} from '../ingest/revision.ts';
import {streamPlan} from '../ingest/stream-plan.ts';
import type {ComposeWork} from './compose-messages.ts';
import type {ParentVideos} from './parent-videos.ts';

export type Parent = {
	readonly work: ComposeWork['parents'][number];
	readonly dataset: DatasetFolder;
	readonly index: DatasetIndex;
	readonly plan: CutPlan;
	readonly files: ParentVideos;
	readonly database: ReadDatabase;
	readonly cameraStats: CameraStats;
};

/**
 * The wanted episodes of one dataset as they are to be written, in the order of their indices.
 *
 * @throws {DatasetError} where one of them is not as it was ingested, or not whole
 */
export async function* parentEpisodes(parent: Parent): AsyncGenerator<EpisodeToWrite> {
	const {work, index} = parent;
	const homes = Map.groupBy(work.episodes, ({episode_index}) => {
		const file = index.listings.get(episode_index)?.dataFile;
		if (file !== undefined) return file;
		throw refusal(parent, episode_index, 'the metadata does not say where it lies');
	});
	// Recorders write files in the order of their episodes; others are read in the order of the indices.
	const runs = consecutive(
		work.episodes.map(({episode_index}) => episode_index),
		homes,
	);
	for (const {file, episodes} of runs) {
		const located = await locate(parent.dataset.root, file);
		const damage = located.found ? await parquetDamage(located.path) : `is ${located.reason}`;
		if (!located.found || damage !== null) {
			throw new DatasetError(`${file} of ${work.dataset_name} (${work.folder}) ${damage}.`);
		}
		yield* episodesIn(parent, located.path, episodes);
	}
}

/** Stretches of episodes that lie in one file. */
function consecutive(
	order: readonly number[],
	homes: ReadonlyMap<string, readonly {episode_index: number}[]>,
): {file: string; episodes: number[]}[] {
	const fileOf = new Map(
		[...homes].flatMap(([file, members]) => members.map(at => [at.episode_index, file])),
	);
	const runs: {file: string; episodes: number[]}[] = [];
	for (const episode of order) {
		const file = fileOf.get(episode) ?? '';
		const last = runs.at(-1);
		if (last?.file === file) last.episodes.push(episode);
		else runs.push({file, episodes: [episode]});
	}
	return runs;
}

async function* episodesIn(
	parent: Parent,
	file: string,
	wanted: readonly number[],
): AsyncGenerator<EpisodeToWrite> {
	const {database, plan, dataset, index, work, files, cameraStats} = parent;
	const {hasSubtaskIndex} = dataset.layout;
	const revisions = new Map(work.episodes.map(({episode_index, revision}) => [episode_index, revision]));
	const left = new Set(wanted);
	const where = `"episode_index" BETWEEN ${wanted[0]} AND ${wanted.at(-1)}`;
	const isWanted = new Set(wanted);
	for await (const episode of readWholeEpisodes(database, file, plan.features, hasSubtaskIndex, where)) {
		const {episodeIndex} = episode;
		if (!isWanted.has(episodeIndex)) continue;
		const listing = index.listings.get(episodeIndex);
		const flaw =
			episode.flaws[0] ??
			(left.has(episodeIndex) ? undefined : 'its frames lie apart from each other') ??
			(listing?.length === undefined || listing.length === episode.frames
				? undefined
				: `it has ${episode.frames} frames where the metadata says ${listing.length}`);
		if (flaw !== undefined) throw refusal(parent, episodeIndex, flaw);
		if (!(await isAsTakenIn(parent, file, episode, revisions.get(episodeIndex) ?? ''))) {
			throw refusal(parent, episodeIndex, 'it is not as it was ingested: ingest the dataset again first');
		}
		const whole = {from: 0, until: episode.frames};
		const cut = cutEpisode(episode, listing, whole, plan, files);
		if (typeof cut === 'string') throw refusal(parent, episodeIndex, cut);
		left.delete(episodeIndex);
		yield {...cut, pictures: await cameraStats.of(episode, listing, whole)};
	}
	const [lost] = left;
	if (lost !== undefined) throw refusal(parent, lost, 'its frames are not there, or cannot be read');
}

/**
 * Checks that an episode still has the content that was ingested. If it is stored as `info.json` declares, the values at hand
 * suffice; otherwise it is read once more as an ingest does.
 */
async function isAsTakenIn(
	{database, dataset, index}: Parent,
	file: string,
	episode: WholeEpisode,
	revision: string,
): Promise<boolean> {
	const {episodeIndex} = episode;
	if (declaredRevision(dataset, index, episode) === revision) return true;
	const {wanted, expected} = streamPlan(dataset.layout);
	const columns = await findDataColumns(database, file, wanted, expected);
	for await (const frames of readDataFile(database, file, columns, episodeIndex)) {
		const found = revisionOf({
			fps: dataset.info.fps,
			task: taskOf(frames, index.listings.get(episodeIndex), index.tasks),
			features: wanted.map(({feature}, place) => [feature, frames.signals[place]]),
			timestamps: frames.timestamps,
		});
		return found === revision;
	}
	return false;
}

function declaredRevision(dataset: DatasetFolder, index: DatasetIndex, episode: WholeEpisode): string {
	const {episodeIndex, frames, timestamps, tasks} = episode;
	const {wanted} = streamPlan(dataset.layout);
	return revisionOf({
		fps: dataset.info.fps,
		task: taskOf({taskIndex: tasks[0]}, index.listings.get(episodeIndex), index.tasks),
		features: wanted.map(({feature}) => [feature, asRead(episode.values(feature.key, 0, frames))]),
		timestamps,
	});
}

/** Numbers as an ingest reads them: floats as they are, all others as doubles. */
function asRead(values: FrameValues): Float32Array | Float64Array {
	if (values instanceof Float32Array || values instanceof Float64Array) return values;
	return Float64Array.from(values as Iterable<unknown>, Number);
}

function refusal({work}: Parent, episode: number, reason: string): DatasetError {
	return new DatasetError(
		`Episode ${episode} of ${work.dataset_name} (${work.folder}) cannot be taken over: ${reason}. Leave it out, or repair it.`,
	);
}
