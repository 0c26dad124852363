import {locate} from '../../lerobot/layout.ts';
import type {Parent} from './parent-episodes.ts';
import type {ParentVideos} from './parent-videos.ts';
import type {WantedPart} from './plan-pieces.ts';

/** A video file of a parent of which episodes were chosen. */
export type WantedFile = {
	readonly camera: string;
	/** Relative to the parent's root, and where it is; undefined where it is not there. */
	readonly relative: string;
	readonly file: string | undefined;
	/** True if it holds episodes that were not chosen. */
	readonly isPart: boolean;
	/** Of those that were. */
	readonly parts: readonly WantedPart[];
	readonly videos: ParentVideos;
};

/** The video files that chosen episodes lie in: a camera after the other, in the order of the episodes. */
export async function wantedFiles(parents: readonly Parent[]): Promise<WantedFile[]> {
	const cameras = parents[0]?.plan.cameras ?? [];
	const found: WantedFile[] = [];
	for (const camera of cameras) {
		for (const parent of parents) found.push(...(await filesOf(camera, parent)));
	}
	return found;
}

async function filesOf(camera: string, {dataset, index, plan, work, files}: Parent): Promise<WantedFile[]> {
	const chosen = new Set(work.episodes.map(({episode_index}) => episode_index));
	const shared = new Set<string>();
	for (const {episodeIndex, videos} of index.listings.values()) {
		const file = chosen.has(episodeIndex) ? undefined : videos.find(({key}) => key === camera)?.file;
		if (file !== undefined) shared.add(file);
	}
	const byFile = new Map<string, WantedPart[]>();
	for (const {episode_index} of work.episodes) {
		const listing = index.listings.get(episode_index);
		const video = listing?.videos.find(({key}) => key === camera);
		const from = video?.from ?? (plan.ownVideos ? 0 : undefined);
		// An episode without a place in the metadata is refused by name when it is written.
		if (video?.file === undefined || from === undefined || listing?.length === undefined) continue;
		const part = {
			episode: episode_index,
			frames: listing.length,
			from,
			to: video.to ?? from + listing.length / plan.fps,
		};
		const parts = byFile.get(video.file) ?? [];
		byFile.set(video.file, parts);
		parts.push(part);
	}
	const found: WantedFile[] = [];
	for (const [relative, parts] of byFile) {
		const located = await locate(dataset.root, relative);
		found.push({
			camera,
			relative,
			file: located.found ? located.path : undefined,
			isPart: shared.has(relative),
			parts,
			videos: files,
		});
	}
	return found;
}
