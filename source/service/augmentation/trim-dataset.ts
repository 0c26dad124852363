import {mkdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {AugmentationProgress, AugmentationSummary} from '../../contract/local-augmentations.ts';
import {DatasetError, type ReportProblem} from '../../lerobot/dataset-error.ts';
import {locate, statsPath} from '../../lerobot/layout.ts';
import {damageReason, parquetDamage, ReadDatabase} from '../../lerobot/read-database.ts';
import {type DatasetFolder, type DatasetIndex, openDataset, readIndex} from '../../lerobot/read-dataset.ts';
import {readWholeEpisodes, type WholeEpisode} from '../../lerobot/read-whole-episodes.ts';
import {writeDataset} from '../../lerobot/write-dataset.ts';
import type {EpisodeToWrite} from '../../lerobot/write-description.ts';
import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {memoryLimit} from '../workers/inside-child.ts';
import {addWholeCameraStats, CameraStats, UnsampledCameras} from './camera-stats.ts';
import {checkWritten, unsampledDamages} from './check-written.ts';
import {type SharedVideos, VideoFilesOfParent} from './shared-videos.ts';
import {cutEpisode, keptFrames, type TrimPlan} from './trim-episode.ts';
import {trimmedDataset, trimPlan} from './trim-plan.ts';
import type {TrimRequest} from './trim-report.ts';

export type TrimReporter = {
	readonly progress: (progress: AugmentationProgress) => void;
	readonly problem: ReportProblem;
};

/**
 * Writes a dataset anew in which each episode is cut to where it moves. Episodes that are not whole are reported and
 * left out. The new folder appears whole or not at all.
 *
 * @param ffmpeg what reads pictures of videos; undefined where there is none
 * @throws {DatasetError} where the folder is no dataset, or not one that can be trimmed
 */
export async function trimDataset(
	request: TrimRequest,
	reporter: TrimReporter,
	ffmpeg: Ffmpeg | undefined,
): Promise<AugmentationSummary> {
	const dataset = await openDataset(request.folder);
	const work = path.dirname(request.target);
	await mkdir(work, {recursive: true, mode: 0o700});
	const spillFolder = path.join(work, 'spill');
	const database = await ReadDatabase.open({folders: [dataset.root, work], memoryLimit, spillFolder});
	try {
		const index = await readIndex(database, dataset, reporter.problem);
		const plan = trimPlan(dataset, index, request);
		const files = new VideoFilesOfParent(dataset.root);
		const leftOut = new Set(request.left_out);
		const unsampled = new UnsampledCameras();
		const cameraStats = await CameraStats.open({dataset, database, ffmpeg, unsampled});
		const trimming = new Trimming({database, dataset, index, plan, files, leftOut, cameraStats, reporter});
		let videos: SharedVideos | undefined;
		const written = await writeDataset(
			request.target,
			trimmedDataset(dataset, index, plan),
			trimming.episodes(),
			{
				beforePublish: async folder => {
					videos = await files.share(folder);
					const parent = {dataset, frames: trimming.framesAfter};
					await addWholeCameraStats(folder, [parent], unsampled.lacking);
					await checkWritten({
						folder,
						database,
						parents: [{folder: dataset.root, database}],
						told: [
							...(unsampled.lacking.length > 0 ? unsampledDamages : []),
							...(videos.unshared.length > 0 ? (['video-missing'] as const) : []),
						],
					});
				},
			},
		);
		const note = unsampled.note();
		if (note !== undefined) reporter.problem({file: statsPath, message: note});
		if (videos && videos.unshared.length > 0) reportUnshared(videos, reporter.problem);
		return {
			episodes: written.totalEpisodes,
			frames_before: trimming.framesBefore,
			frames_after: written.totalFrames,
			videos_shared: videos?.shared ?? 0,
			videos_absent: (videos?.absent ?? 0) + (videos?.unshared.length ?? 0),
		};
	} finally {
		database.close();
		await rm(spillFolder, {recursive: true, force: true});
	}
}

function reportUnshared({unshared, reason}: SharedVideos, report: ReportProblem): void {
	const [file = ''] = unshared;
	const others = unshared.length === 1 ? '' : ` and ${unshared.length - 1} more`;
	report({
		file,
		message: `${file}${others} could be neither linked nor cloned (${reason}): the new dataset names its part of them and lacks the files. Keep lake and dataset on one disk to have them.`,
	});
}

type Parts = {
	readonly database: ReadDatabase;
	readonly dataset: DatasetFolder;
	readonly index: DatasetIndex;
	readonly plan: TrimPlan;
	readonly files: VideoFilesOfParent;
	readonly leftOut: ReadonlySet<number>;
	readonly cameraStats: CameraStats;
	readonly reporter: TrimReporter;
};

/** The episodes of a dataset, one after the other, each cut to what is kept of it. */
class Trimming {
	readonly #parts: Parts;
	readonly #taken = new Set<number>();
	#seen = 0;
	#framesSeen = 0;
	/** Frames that the episodes taken had. */
	framesBefore = 0;
	/** Frames that are kept of them. */
	framesAfter = 0;

	constructor(parts: Parts) {
		this.#parts = parts;
		this.#progress();
	}

	async *episodes(): AsyncGenerator<EpisodeToWrite> {
		const {index, reporter} = this.#parts;
		for (const file of index.dataFiles) {
			try {
				yield* this.#episodesOf(file);
			} catch (error) {
				const message = `${file} cannot be read to its end (${damageReason(error, file)}); its episodes from there on are left out.`;
				reporter.problem({file, message});
			}
		}
		if (this.#taken.size > 0) return;
		throw new DatasetError('it has no whole episode');
	}

	async *#episodesOf(file: string): AsyncGenerator<EpisodeToWrite> {
		const {database, dataset, index, plan, files, leftOut, cameraStats, reporter} = this.#parts;
		const located = await locate(dataset.root, file);
		const damage = located.found ? await parquetDamage(located.path) : `is ${located.reason}`;
		if (!located.found || damage !== null) {
			reporter.problem({file, message: `${file} ${damage}; its episodes are left out.`});
			return;
		}
		const {hasSubtaskIndex} = dataset.layout;
		for await (const episode of readWholeEpisodes(database, located.path, plan.features, hasSubtaskIndex)) {
			this.#seen++;
			// Nothing is done with its frames, so that they cost nothing either.
			if (leftOut.has(episode.episodeIndex)) {
				this.#progress();
				continue;
			}
			this.#framesSeen += episode.frames;
			const {episodeIndex} = episode;
			const flaw = this.#flawOf(episode, file);
			const listing = index.listings.get(episodeIndex);
			const span = flaw === undefined ? keptFrames(episode, plan) : {from: 0, until: 0};
			const cut = flaw ?? cutEpisode(episode, listing, span, plan, files);
			if (typeof cut === 'string') {
				const place = episodeIndex >= 0 ? {episodeIndex} : {};
				reporter.problem({file, ...place, message: `Episode ${episodeIndex} is left out: ${cut}.`});
			} else {
				this.#taken.add(episodeIndex);
				this.framesBefore += episode.frames;
				this.framesAfter += cut.length;
				yield {...cut, pictures: await cameraStats.of(episode, listing, span)};
			}
			this.#progress();
		}
	}

	/** Why an episode is not whole. */
	#flawOf({episodeIndex, frames, flaws}: WholeEpisode, file: string): string | undefined {
		const listing = this.#parts.index.listings.get(episodeIndex);
		const [flaw] = flaws;
		if (!Number.isInteger(episodeIndex) || episodeIndex < 0) return 'no episode can have that index';
		if (this.#taken.has(episodeIndex)) return 'it was there before';
		if (listing?.dataFile !== undefined && listing.dataFile !== file) {
			return `it lies in ${file} where the metadata says ${listing.dataFile}`;
		}
		if (flaw !== undefined) return flaw;
		if (listing?.length !== undefined && listing.length !== frames) {
			return `it has ${frames} frames where the metadata says ${listing.length}`;
		}
		return undefined;
	}

	#progress(): void {
		const {index, dataset, reporter} = this.#parts;
		const total = Math.max(index.listings.size || (dataset.info.total_episodes ?? 0), this.#seen);
		reporter.progress({done: this.#seen, total, frames: this.#framesSeen});
	}
}
