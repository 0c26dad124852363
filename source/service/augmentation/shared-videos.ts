import {constants, copyFile, link, mkdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {defaultVideoPath, fillTemplate, locate} from '../../lerobot/layout.ts';
import type {VideoSpan} from '../../lerobot/write-description.ts';

/** Most files in a chunk folder. */
const chunkSize = 1000;

export type FilePlace = Pick<VideoSpan, 'chunkIndex' | 'fileIndex'>;

/** Where the video of an episode lies in the child, and how many seconds later there than in the parent's file. */
export type VideoPlaces = {
	place(camera: string, file: string, episode: number): FilePlace & {readonly later?: number};
};

/** Numbers the video files of each camera. */
export class VideoNumbers {
	readonly #used = new Map<string, number>();

	next(camera: string): FilePlace {
		const number = this.#used.get(camera) ?? 0;
		this.#used.set(camera, number + 1);
		return {chunkIndex: Math.floor(number / chunkSize), fileIndex: number % chunkSize};
	}
}

/** Where a video file of a child lies in its folder. */
export function videoFileIn(folder: string, camera: string, {chunkIndex, fileIndex}: FilePlace): string {
	const values = {video_key: camera, chunk_index: chunkIndex, file_index: fileIndex};
	return path.join(folder, fillTemplate(defaultVideoPath, values));
}

export type SharedVideos = {
	readonly shared: number;
	/** Of those that are shared, and of them those that take no room beside the parent's. */
	readonly bytes: number;
	readonly linkedBytes: number;
	/** The parent names them and has not. */
	readonly absent: number;
	/** Those that are there and cannot be shared, with the reason of the first. */
	readonly unshared: readonly string[];
	readonly reason: string;
};

/**
 * The video files of a parent that a trimmed dataset needs. A span of LeRobot v3.0 may begin anywhere in its file, so
 * that nothing is encoded again: the child's files are the parent's own.
 */
export class VideoFilesOfParent {
	readonly #root: string;
	/** By camera: the parent's files, in the order in which the child numbers them. */
	readonly #files = new Map<string, Map<string, FilePlace>>();
	readonly #numbers: VideoNumbers;

	/**
	 * @param root the parent's root as `realpath` gives it
	 * @param numbers those of the child's files, where it has several parents
	 */
	constructor(root: string, numbers = new VideoNumbers()) {
		this.#root = root;
		this.#numbers = numbers;
	}

	/** Where a file of the parent's, relative to its root, is in the child. */
	place(camera: string, file: string): FilePlace {
		let files = this.#files.get(camera);
		if (!files) {
			files = new Map();
			this.#files.set(camera, files);
		}
		let place = files.get(file);
		if (!place) {
			place = this.#numbers.next(camera);
			files.set(file, place);
		}
		return place;
	}

	/**
	 * Puts the parent's files into the child's folder, without a copy of their content.
	 *
	 * @param copying whether one is made where the files lie on another disk
	 * @throws the system's error where a copy fails
	 */
	async share(folder: string, {copying = false} = {}): Promise<SharedVideos> {
		let shared = 0;
		let bytes = 0;
		let linkedBytes = 0;
		let absent = 0;
		const unshared: string[] = [];
		let reason = '';
		for (const [camera, files] of this.#files) {
			for (const [file, place] of files) {
				const located = await locate(this.#root, file);
				if (!located.found) {
					absent++;
					continue;
				}
				const target = videoFileIn(folder, camera, place);
				const refusal = await shareFile(located.path, target);
				if (refusal !== undefined && !copying) {
					unshared.push(file);
					reason ||= refusal;
					continue;
				}
				if (refusal !== undefined) await copyFile(located.path, target);
				const {size} = await stat(target);
				shared++;
				bytes += size;
				if (refusal === undefined) linkedBytes += size;
			}
		}
		return {shared, bytes, linkedBytes, absent, unshared, reason};
	}
}

/** @returns why neither a link nor a clone could be made; undefined where one was. */
async function shareFile(file: string, target: string): Promise<string | undefined> {
	await mkdir(path.dirname(target), {recursive: true});
	try {
		await link(file, target);
		return undefined;
	} catch (error) {
		const refusal = (error as NodeJS.ErrnoException).code ?? String(error);
		// Across volumes of a copy-on-write file system a clone is as cheap as a link.
		return copyFile(file, target, constants.COPYFILE_FICLONE_FORCE).then(
			() => undefined,
			() => refusal,
		);
	}
}
