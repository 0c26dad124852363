import {rename, rm} from 'node:fs/promises';
import path from 'node:path';
import {encode} from 'fast-png';
import {defaultVideoPath, fillTemplate} from '../lerobot/layout.ts';
import {repeatPictures} from '../lerobot/mp4-repeats.ts';
import {sampledFrames} from '../lerobot/sample-pictures.ts';
import type {PictureStats, VideoSpan} from '../lerobot/write-description.ts';
import {countedStats} from '../lerobot/write-stats.ts';
import {indexed, PaintCounter} from './canvas.ts';
import {CameraPicture} from './draw-episode.ts';
import type {SampleEpisode} from './episode.ts';
import {pictureSize} from './robots.ts';
import type {TaskProgram} from './tasks.ts';
import {Workspace} from './workspace.ts';

/** An encoder of videos, where there is one on this machine. */
export type VideoEncoder = {
	/** As LeRobot names it. */
	readonly codec: string;
	/** Begins a file. */
	begin(file: string, video: {width: number; height: number; fps: number}): VideoInput;
};

/** A video that is being encoded. */
export type VideoInput = {
	/** Takes a copy of pictures in yuv420p, one behind the other, and settles once they are on their way into the file. */
	write(pictures: Uint8Array): Promise<void>;
	/** Settles once the file is complete. */
	end(): Promise<void>;
	/** Settles once nothing is written any more. */
	abort(): Promise<void>;
};

/** The pictures of an episode's cameras, as a dataset keeps them. */
type Filmed = {
	readonly videos: Record<string, VideoSpan>;
	readonly pictures: Record<string, PictureStats>;
	/** Pictures that the data files keep. */
	readonly values: Record<string, readonly Uint8Array[]>;
};

/** The cameras of a dataset while it is written. */
export type Film = {
	take(episode: SampleEpisode): Promise<Filmed>;
	/** Ends the videos and moves them into the dataset. */
	finish(root: string): Promise<void>;
	/** Gives them up. */
	abandon(): Promise<void>;
	/** True if the encoder failed. */
	readonly failed: boolean;
};

/** Pictures a second: each stands for some frames, as those of a slow camera do. */
const picturesASecond = 5;

/** Seconds of video after which a camera begins another file. */
const secondsAFile = 900;

const pictureBytes = (pictureSize.width * pictureSize.height * 3) / 2;

/** A camera and the video that it writes. */
class VideoCamera {
	readonly key: string;
	readonly #picture: CameraPicture;
	readonly #fps: number;
	readonly #encoder: VideoEncoder;
	readonly #folder: string;
	#input: VideoInput | undefined;
	#fileIndex = 0;
	#frames = 0;
	/** For each picture of the file, the frames that it stands for. */
	#held: number[] = [];
	/** Memory for the pictures of an episode. */
	#pictures = new Uint8Array();
	/** Episodes that are being encoded. */
	readonly #encoding: Promise<void>[] = [];

	constructor(
		{key, picture}: {key: string; picture: CameraPicture},
		fps: number,
		encoder: VideoEncoder,
		folder: string,
	) {
		this.key = key;
		this.#picture = picture;
		this.#fps = fps;
		this.#encoder = encoder;
		this.#folder = folder;
	}

	get #file(): string {
		const place = {video_key: this.key, chunk_index: 0, file_index: this.#fileIndex};
		return path.join(this.#folder, fillTemplate(defaultVideoPath, place));
	}

	/** Draws an episode and lays it behind those before it, as a recorder does. */
	async take(episode: SampleEpisode): Promise<{span: VideoSpan; stats: PictureStats}> {
		const fps = this.#fps;
		if (this.#frames > secondsAFile * fps) {
			await this.end();
			this.#fileIndex++;
			this.#frames = 0;
			this.#held = [];
		}
		this.#input ??= this.#encoder.begin(this.#file, {...pictureSize, fps: picturesASecond});
		const frames = Math.max(1, episode.length + Math.round((episode.cameraSkew[this.key] ?? 0) * fps));
		// Some may be on their way: neither side waits for each single one of the other's.
		if (this.#encoding.length > 32) await this.#encoding.shift();
		const bytes = Math.ceil((frames * picturesASecond) / fps) * pictureBytes;
		if (this.#pictures.length < bytes) this.#pictures = new Uint8Array(2 * bytes);
		const pictures = this.#pictures;
		let drawn = 0;
		const {data} = this.#picture.canvas;
		const stats = draw(this.#picture, episode, frames, fps / picturesASecond, (from, to) => {
			pictures.set(data, drawn++ * pictureBytes);
			this.#held.push(to - from);
		});
		this.#encoding.push(this.#input.write(pictures.subarray(0, drawn * pictureBytes)));
		const fromTimestamp = this.#frames / fps;
		this.#frames += frames;
		const toTimestamp = this.#frames / fps;
		return {span: {chunkIndex: 0, fileIndex: this.#fileIndex, fromTimestamp, toTimestamp}, stats};
	}

	async end(): Promise<void> {
		if (!this.#input) return;
		await this.#input.end();
		this.#input = undefined;
		await repeatPictures(this.#file, this.#held, this.#fps);
	}

	async abort(): Promise<void> {
		await this.#input?.abort();
	}
}

/** Cameras whose pictures go into videos, which lie in a folder of their own until the dataset takes them. */
export function filmToVideos(program: TaskProgram, encoder: VideoEncoder, folder: string): Film {
	const {fps} = program.robot;
	const cameras = camerasOf(program).map(camera => new VideoCamera(camera, fps, encoder, folder));
	let failed = false;
	const encoded = <Result>(work: Promise<Result>) =>
		work.catch(error => {
			failed = true;
			throw error;
		});
	return {
		get failed() {
			return failed;
		},
		async take(episode) {
			const filmed: Filmed = {videos: {}, pictures: {}, values: {}};
			for (const camera of cameras) {
				const {span, stats} = await encoded(camera.take(episode));
				filmed.videos[camera.key] = span;
				filmed.pictures[camera.key] = stats;
			}
			return filmed;
		},
		async finish(root) {
			for (const camera of cameras) await encoded(camera.end());
			await rename(path.join(folder, 'videos'), path.join(root, 'videos'));
			await rm(folder, {recursive: true});
		},
		async abandon() {
			for (const camera of cameras) await camera.abort();
			await rm(folder, {recursive: true, force: true});
		},
	};
}

/** Cameras whose pictures go into the data files. */
export function filmToData(program: TaskProgram): Film {
	const {fps} = program.robot;
	const cameras = camerasOf(program);
	return {
		async take(episode) {
			const filmed: Filmed = {videos: {}, pictures: {}, values: {}};
			for (const {key, picture} of cameras) {
				const files = new Array<Uint8Array>(episode.length);
				filmed.pictures[key] = draw(picture, episode, episode.length, fps / picturesASecond, (from, to) => {
					const {palette, data} = indexed(picture.canvas, picture.palette);
					files.fill(
						encode({...pictureSize, data, palette: palette.map(color => [...color]), channels: 1, depth: 8}),
						from,
						to,
					);
				});
				filmed.values[key] = files;
			}
			return filmed;
		},
		failed: false,
		finish: () => Promise.resolve(),
		abandon: () => Promise.resolve(),
	};
}

function camerasOf(program: TaskProgram): {key: string; picture: CameraPicture}[] {
	const workspace = new Workspace(program);
	return Object.entries(program.robot.cameras).map(([key, camera]) => ({
		key,
		picture: new CameraPicture(program.robot, camera, workspace),
	}));
}

/**
 * Draws the pictures of an episode.
 *
 * @param frames of the camera: one that is out of step has more or fewer than the episode.
 * @param hold frames that a picture stands for.
 * @param onPicture called with the frames that the picture stands for.
 * @returns statistics of those that LeRobot samples.
 */
function draw(
	picture: CameraPicture,
	{length, pose, values}: SampleEpisode,
	frames: number,
	hold: number,
	onPicture: (from: number, to: number) => void,
): PictureStats {
	const drawFrame = picture.follow({pose: pose ?? (values['observation.state'] as Float32Array), length});
	const sampled = sampledFrames(frames);
	const counter = new PaintCounter();
	let next = 0;
	for (let from = 0; from < frames; from += hold) {
		const to = Math.min(frames, from + hold);
		drawFrame(Math.floor((from * length) / frames));
		onPicture(from, to);
		let times = 0;
		while (next < sampled.length && (sampled[next] as number) < to) {
			times++;
			next++;
		}
		if (times > 0) counter.add(picture.canvas, times);
	}
	const counts = counter.counts(picture.palette);
	return {stats: countedStats(counts, counter.pictures), counts};
}
