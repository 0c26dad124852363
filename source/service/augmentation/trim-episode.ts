import type {EpisodeListing, VideoListing} from '../../lerobot/episode-listing.ts';
import type {NumericFeature} from '../../lerobot/features.ts';
import {cutPersistent, type LanguageRows, persistentLanguage} from '../../lerobot/language.ts';
import type {MarkedStretches} from '../../lerobot/read-markers.ts';
import type {WholeEpisode, WholeFeature} from '../../lerobot/read-whole-episodes.ts';
import type {EpisodeToWrite, FrameValues, Subtask, VideoSpan} from '../../lerobot/write-description.ts';
import {type FrameSpan, withoutEndPauses} from '../../motion/pauses.ts';
import {percentiles} from '../../motion/percentiles.ts';
import {speedProfile} from '../../motion/speed-jerk.ts';
import type {VideoPlaces} from './shared-videos.ts';

/** The parts of a dataset that rewriting its episodes needs, whole or cut. */
export type CutPlan = {
	readonly fps: number;
	readonly features: readonly WholeFeature[];
	readonly cameras: readonly string[];
	/** The texts of tasks and subtasks, by number. */
	readonly tasks: ReadonlyMap<number, string>;
	readonly subtasks: ReadonlyMap<number, string>;
	/** True where each episode has a video file of its own, as in v2.1. */
	readonly ownVideos: boolean;
	readonly datasetName: string;
	readonly ordinal: number;
};

/** The parts of a dataset that trimming its episodes needs. */
export type TrimPlan = CutPlan & {readonly action: NumericFeature};

/** The frames that stay. */
export function keptFrames(episode: WholeEpisode, {action, fps}: TrimPlan): FrameSpan {
	const values = Float64Array.from(episode.values(action.key, 0, episode.frames) as Iterable<number>, Number);
	const profile = speedProfile(values, action.dims, fps);
	const [p95 = Number.NaN] = percentiles(profile, [0.95]);
	return withoutEndPauses(profile, p95, fps);
}

/**
 * An episode cut to a span of its frames.
 *
 * @returns why it cannot be cut, as the end of a sentence about it, where a camera's place is not known
 */
export function cutEpisode(
	episode: WholeEpisode,
	listing: EpisodeListing | undefined,
	span: FrameSpan,
	plan: CutPlan,
	files: VideoPlaces,
): EpisodeToWrite | string {
	const {from, until} = span;
	const length = until - from;
	const videos: Record<string, VideoSpan> = {};
	for (const camera of plan.cameras) {
		const video = listing?.videos.find(({key}) => key === camera);
		const cut = cutVideo(video, span, episode, plan, files);
		if (!cut) return `the metadata does not say where it lies in the videos of camera "${camera}"`;
		videos[camera] = cut;
	}
	const start = episode.timestamps[from] ?? 0;
	const last = episode.timestamps[until - 1] ?? start;
	const isWhole = from === 0 && until === episode.frames && start === 0;
	const values: Record<string, FrameValues> = {};
	for (const {key, dtype} of plan.features) {
		const own = episode.values(key, from, until);
		const isPersistent = dtype === 'language' && key === persistentLanguage;
		values[key] =
			isPersistent && !isWhole ? persistentWithin(own as readonly LanguageRows[], start, last) : own;
	}
	return {
		length,
		...tasksOf(episode, listing, span, plan),
		values,
		timestamps: Float32Array.from(episode.timestamps.subarray(from, until), time => time - start),
		videos,
		subtasks: {
			...cutMarkers(listing?.subtasks ?? {}, span),
			...(episode.subtasks && {frame: runsOf(episode.subtasks.subarray(from, until), plan.subtasks)}),
		},
		tags: listing?.tags ?? [],
		lineage: {
			parentDataset: plan.datasetName,
			parentEpisodeIndex: episode.episodeIndex,
			memberOrdinal: plan.ordinal,
		},
	};
}

/** The list that all frames share, as it holds between two moments. */
function persistentWithin(rows: readonly LanguageRows[], start: number, last: number): LanguageRows[] {
	return Array<LanguageRows>(rows.length).fill(cutPersistent(rows[0] ?? null, start, last));
}

/** A span moves as far as frames were cut at its ends, so that what was out of step by some amount still is. */
function cutVideo(
	video: VideoListing | undefined,
	{from, until}: FrameSpan,
	{frames, episodeIndex}: WholeEpisode,
	{fps, ownVideos}: CutPlan,
	files: VideoPlaces,
): VideoSpan | undefined {
	const start = video?.from ?? (ownVideos ? 0 : undefined);
	if (video?.file === undefined || start === undefined) return undefined;
	const end = video.to ?? start + frames / fps;
	const {later = 0, ...place} = files.place(video.key, video.file, episodeIndex);
	return {
		...place,
		// Rounding must not put the start before the file's beginning.
		fromTimestamp: Math.max(0, start + from / fps + later),
		toTimestamp: end - (frames - until) / fps + later,
	};
}

/** The episode's tasks in the order in which its kept frames have them. */
function tasksOf(
	episode: WholeEpisode,
	listing: EpisodeListing | undefined,
	{from, until}: FrameSpan,
	{tasks: names}: CutPlan,
): Pick<EpisodeToWrite, 'tasks' | 'taskOfFrame'> {
	const first = listing?.tasks[0];
	const numbers = episode.tasks.subarray(from, until);
	const locationOf = new Map<number, number>();
	for (const number of numbers) if (!locationOf.has(number)) locationOf.set(number, locationOf.size);
	// Of an episode with one task the metadata knows the text, whatever became of the table of tasks.
	if (locationOf.size === 1) return {tasks: [first ?? names.get(numbers[0] ?? 0) ?? '']};
	const tasks = [...locationOf.keys()].map(number => names.get(number) ?? '');
	// A byte holds the place of a task: an episode of more than 256 is counted to its first.
	if (tasks.length > 256) return {tasks: [first ?? tasks[0] ?? '']};
	return {tasks, taskOfFrame: Uint8Array.from(numbers, number => locationOf.get(number) ?? 0)};
}

function cutMarkers(markers: MarkedStretches, {from, until}: FrameSpan): MarkedStretches {
	const last = until - from - 1;
	const cut = (stretches: readonly Subtask[]) =>
		stretches
			.filter(({startFrame, endFrame}) => endFrame >= from && startFrame < until)
			.map(({name, startFrame, endFrame}) => ({
				name,
				startFrame: Math.max(0, startFrame - from),
				endFrame: Math.min(last, endFrame - from),
			}));
	return Object.fromEntries(Object.entries(markers).map(([form, stretches]) => [form, cut(stretches)]));
}

/** The stretches of equal numbers; a negative one is outside of any subtask. */
function runsOf(numbers: Float64Array, names: ReadonlyMap<number, string>): Subtask[] {
	const runs: Subtask[] = [];
	for (let start = 0; start < numbers.length; ) {
		const number = numbers[start] as number;
		let end = start;
		while (numbers[end + 1] === number) end++;
		if (number >= 0) runs.push({name: names.get(number) ?? String(number), startFrame: start, endFrame: end});
		start = end + 1;
	}
	return runs;
}
