import {readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {isDepthMap} from '../../lerobot/depth.ts';
import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import type {Feature} from '../../lerobot/info.ts';
import {locate, statsPath} from '../../lerobot/layout.ts';
import {
	type CameraStatsFound,
	readEpisodeCameraStats,
	readWholeCameraStats,
} from '../../lerobot/read-camera-stats.ts';
import type {ReadDatabase} from '../../lerobot/read-database.ts';
import type {DatasetFolder} from '../../lerobot/read-dataset.ts';
import type {WholeEpisode} from '../../lerobot/read-whole-episodes.ts';
import {PictureCounter, sampledCount, sampledFrames} from '../../lerobot/sample-pictures.ts';
import type {PictureStats} from '../../lerobot/write-description.ts';
import {asPicture, countedStats, DatasetStats, type FeatureStats} from '../../lerobot/write-stats.ts';
import type {FrameSpan} from '../../motion/pauses.ts';
import {decodePicture, PictureError} from '../../picture/decode.ts';
import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {FfmpegError} from '../ffmpeg/run-ffmpeg.ts';
import {sampleVideo} from '../ffmpeg/sample-video.ts';

const pictureBounds = {pixels: 24_000_000};

/** Why the pictures of cameras cannot be sampled, by camera: the first that fails is not tried again in another episode. */
export class UnsampledCameras {
	readonly #reasons = new Map<string, string>();
	readonly #lacking = new Set<string>();
	#videosReason: string | undefined;

	reason(camera: string): string | undefined {
		return this.#reasons.get(camera);
	}

	/** Why no video is looked at any more. */
	get videosReason(): string | undefined {
		return this.#videosReason;
	}

	giveUpVideos(reason: string): void {
		this.#videosReason = reason;
	}

	giveUp(camera: string, reason: string): void {
		this.#reasons.set(camera, reason);
	}

	/** Says that an episode was written without statistics of a camera. */
	lacks(camera: string): void {
		this.#lacking.add(camera);
	}

	get lacking(): readonly string[] {
		return [...this.#lacking];
	}

	/** A sentence about the cameras that a dataset has no statistics of; undefined where there is none. */
	note(): string | undefined {
		const [first] = this.#lacking;
		if (first === undefined) return undefined;
		const which = `${this.#lacking.size === 1 ? 'the camera' : 'the cameras'} ${[...this.#lacking].join(', ')}`;
		return `Not every episode has statistics of ${which}: the parents have none, and their pictures cannot be sampled (${this.#reasons.get(first)}). LeRobot deletes no episodes of such a dataset, and up to 0.6.1 trains with a camera only where meta/stats.json has it.`;
	}
}

type Parts = {
	readonly dataset: DatasetFolder;
	readonly database: ReadDatabase;
	/** Undefined where there is none. */
	readonly ffmpeg: Ffmpeg | undefined;
	/** Shared by the parents of one dataset. */
	readonly unsampled: UnsampledCameras;
};

/**
 * Statistics of the pictures of a parent's episodes: those that the parent has of the episode, else of pictures sampled as
 * LeRobot samples them. Those of an episode that is trimmed are its parent's, where that has them: the same scene, with
 * somewhat more of it at rest.
 */
export class CameraStats {
	readonly #parts: Parts;
	readonly #found: CameraStatsFound;

	private constructor(parts: Parts, found: CameraStatsFound) {
		this.#parts = parts;
		this.#found = found;
	}

	static async open(parts: Parts): Promise<CameraStats> {
		return new CameraStats(parts, await readEpisodeCameraStats(parts.database, parts.dataset));
	}

	/** @returns an entry a camera of which there are any */
	async of(
		episode: WholeEpisode,
		listing: EpisodeListing | undefined,
		span: FrameSpan,
	): Promise<Record<string, PictureStats>> {
		const found: Record<string, PictureStats> = {};
		for (const camera of this.#parts.dataset.layout.cameras) {
			const own = this.#found.get(camera)?.get(episode.episodeIndex);
			const isWhole = own && !own.q01.includes(null) && !own.q99.includes(null);
			const sampled = isWhole ? undefined : await this.#sampled(camera, episode, listing, span);
			if (sampled) found[camera] = sampled;
			else if (own) found[camera] = {stats: countedInPictures(own, episode.frames)};
			else this.#parts.unsampled.lacks(camera);
		}
		return found;
	}

	async #sampled(
		camera: string,
		episode: WholeEpisode,
		listing: EpisodeListing | undefined,
		span: FrameSpan,
	): Promise<PictureStats | undefined> {
		const {dataset, unsampled} = this.#parts;
		if (unsampled.reason(camera) !== undefined) return undefined;
		try {
			if (isOfOneChannel(dataset.info.features[camera])) throw new PictureError('it is a depth camera');
			const counter = dataset.videos.includes(camera)
				? await this.#ofVideo(camera, listing, span)
				: await ofData(episode.values(camera, span.from, span.until) as readonly Uint8Array[]);
			const {counts, pictures} = counter;
			return {stats: countedStats(counts, pictures), counts};
		} catch (error) {
			// A video that hangs once does so again.
			if (error instanceof FfmpegError && error.kind !== 'failed') unsampled.giveUpVideos(error.message);
			const isExpected = error instanceof PictureError || error instanceof FfmpegError;
			unsampled.giveUp(camera, isExpected ? error.message : 'its video cannot be read');
			return undefined;
		}
	}

	async #ofVideo(
		camera: string,
		listing: EpisodeListing | undefined,
		{from, until}: FrameSpan,
	): Promise<PictureCounter> {
		const {dataset, ffmpeg, unsampled} = this.#parts;
		if (unsampled.videosReason !== undefined) throw new PictureError(unsampled.videosReason);
		const video = listing?.videos.find(({key}) => key === camera);
		if (!ffmpeg) throw new PictureError('ffmpeg is not on the path of the service');
		if (video?.file === undefined) throw new PictureError('the metadata does not say where its video lies');
		const located = await locate(dataset.root, video.file);
		if (!located.found) throw new PictureError(`a video file is ${located.reason}`);
		const {fps} = dataset.info;
		return sampleVideo(ffmpeg, {
			file: located.path,
			bytes: (await stat(located.path)).size,
			from: (video.from ?? 0) + from / fps,
			fps,
			frames: until - from,
		});
	}
}

/** Where videos were encoded while recording, LeRobot counts pixels: those would outweigh all episodes of other datasets. */
function countedInPictures(stats: FeatureStats, frames: number): FeatureStats {
	return Number(stats.count[0]) > frames ? {...stats, count: [sampledCount(frames)]} : stats;
}

async function ofData(pictures: readonly Uint8Array[]): Promise<PictureCounter> {
	const counter = new PictureCounter();
	for (const frame of sampledFrames(pictures.length)) {
		counter.add(await decodePicture(pictures[frame] ?? new Uint8Array(0), pictureBounds));
	}
	return counter;
}

/** True for a camera of one channel, whose statistics LeRobot keeps in another form than those of colours. */
const isOfOneChannel = (feature: Feature | undefined): boolean =>
	isDepthMap(feature) || feature?.shape.at(-1) === 1;

/**
 * Adds to `meta/stats.json` of a new dataset what all of its parents say of a camera as a whole, where that is not known of
 * each episode: weighted by the frames taken of each.
 */
export async function addWholeCameraStats(
	folder: string,
	parents: readonly {readonly dataset: DatasetFolder; readonly frames: number}[],
	cameras: readonly string[],
): Promise<void> {
	if (cameras.length === 0) return;
	const merged = new DatasetStats();
	const parts = await Promise.all(parents.map(({dataset}) => readWholeCameraStats(dataset)));
	const known = cameras.filter(camera => parts.every(part => part.has(camera)));
	for (const camera of known) {
		for (const [place, part] of parts.entries()) {
			const stats = part.get(camera);
			if (stats) merged.add(camera, {...stats, count: [parents[place]?.frames ?? 0]});
		}
	}
	const file = path.join(folder, statsPath);
	const own = JSON.parse(await readFile(file, 'utf8')) as object;
	const added = known.map(camera => [camera, asPicture(merged.get(camera) ?? {})] as const);
	await writeFile(file, `${JSON.stringify({...own, ...Object.fromEntries(added)}, null, 4)}\n`);
}
