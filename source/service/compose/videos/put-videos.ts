import {mkdir, rename, stat} from 'node:fs/promises';
import path from 'node:path';
import type {ComposeSummary} from '../../../contract/local-compose.ts';
import {videoFileIn} from '../../augmentation/shared-videos.ts';
import type {Parent} from '../parent-episodes.ts';
import type {CutOutcome} from './cut-videos.ts';

export type VideoSummary = Pick<
	ComposeSummary,
	'videos' | 'videos_absent' | 'videos_cut' | 'video_bytes' | 'video_bytes_linked' | 'videos_note'
>;

/** Puts the videos into the folder of a new dataset: those that were cut, and those that are the parents' own. */
export async function putVideos(
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
