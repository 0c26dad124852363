import {
	type FilePlace,
	VideoFilesOfParent,
	type VideoNumbers,
	type VideoPlaces,
} from '../augmentation/shared-videos.ts';

/** Where the videos of one parent's episodes lie in the new dataset: in files cut for them, else in its own, taken whole. */
export class ParentVideos implements VideoPlaces {
	readonly whole: VideoFilesOfParent;
	/** By camera and episode. */
	readonly #cut = new Map<string, Map<number, FilePlace & {readonly later: number}>>();

	/** @param root the parent's root as `realpath` gives it */
	constructor(root: string, numbers: VideoNumbers) {
		this.whole = new VideoFilesOfParent(root, numbers);
	}

	/** Says that an episode lies in a file that was cut, and how many seconds later than in its parent's. */
	wasCut(camera: string, episode: number, place: FilePlace & {readonly later: number}): void {
		const ofCamera = this.#cut.get(camera) ?? new Map();
		this.#cut.set(camera, ofCamera.set(episode, place));
	}

	place(camera: string, file: string, episode: number): FilePlace & {readonly later?: number} {
		return this.#cut.get(camera)?.get(episode) ?? this.whole.place(camera, file);
	}
}
