import path from 'node:path';
import * as z from 'zod';
import type {ReportProblem} from './dataset-error.ts';
import {complaintAbout, type EpisodeListing} from './episode-listing.ts';
import type {DatasetInfo} from './info.ts';
import {episodeStatsPathV21, episodesPathV21, fillTemplate, subtasksPathV21, tasksPathV21} from './layout.ts';
import {readJsonLines} from './read-v21-json-lines.ts';

const episodeLine = z.looseObject({
	episode_index: z.number(),
	length: z.int().nonnegative().optional().catch(undefined),
	tasks: z.array(z.string()).catch([]),
});

/** Of an episode's statistics, only how many frames they were made of. */
const statsLine = z.looseObject({
	episode_index: z.number(),
	stats: z.record(z.string(), z.looseObject({count: z.array(z.unknown()).catch([])}).catch({count: []})),
});

/**
 * Reads `meta/episodes.jsonl` of a v2.1 or v2.0 dataset. Broken lines are reported and left out; of an episode that is listed
 * twice the first line counts. The lengths of episodes that it does not list, or gives no length of, are taken from
 * `meta/episodes_stats.jsonl` where that knows them.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @param videos the keys of the features that are kept as videos.
 */
export async function readEpisodeListingsV21(
	root: string,
	info: DatasetInfo,
	videos: readonly string[],
	report: ReportProblem,
): Promise<Map<number, EpisodeListing>> {
	const listings = new Map<number, EpisodeListing>();
	const consequence = 'no file lists the episodes, so they are read from the data files as they come';
	let incomplete = false;
	const {found, broken} = await readJsonLines(root, episodesPathV21, consequence, report, value => {
		const read = episodeLine.safeParse(value);
		if (!read.success) return 'it is not an object with an episode_index';
		const {episode_index, length, tasks} = read.data;
		const listing = episodeListing(episode_index, length, tasks, info, videos);
		const complaint = complaintAbout(listing, listings);
		if (complaint) return `it ${complaint}`;
		listings.set(episode_index, listing);
		incomplete ||= length === undefined;
		return undefined;
	});
	// v2.0 has no statistics of episodes.
	const hasStats = !/^v?2\.0\b/.test(info.codebase_version);
	if (hasStats && (!found || broken > 0 || incomplete))
		await fillFromStats(root, info, videos, listings, report);
	return new Map([...listings].sort(([a], [b]) => a - b));
}

/** Statistics were written with each episode: their count is its number of frames. */
async function fillFromStats(
	root: string,
	info: DatasetInfo,
	videos: readonly string[],
	listings: Map<number, EpisodeListing>,
	report: ReportProblem,
): Promise<void> {
	const consequence = `the lengths that ${episodesPathV21} does not give are unknown`;
	await readJsonLines(root, episodeStatsPathV21, consequence, report, value => {
		const read = statsLine.safeParse(value);
		if (!read.success) return 'it is not an object with an episode_index and stats';
		const {episode_index, stats} = read.data;
		const listed = listings.get(episode_index);
		const length = stats.frame_index?.count[0] ?? stats.timestamp?.count[0];
		if (listed?.length !== undefined || typeof length !== 'number' || !Number.isInteger(length)) {
			return undefined;
		}
		const listing = episodeListing(episode_index, length, listed?.tasks ?? [], info, videos);
		const complaint = complaintAbout(listing, new Map());
		if (complaint) return `it ${complaint}`;
		listings.set(episode_index, listing);
		return undefined;
	});
}

function episodeListing(
	episodeIndex: number,
	length: number | undefined,
	tasks: readonly string[],
	info: DatasetInfo,
	videos: readonly string[],
): EpisodeListing {
	const place = {
		episode_chunk: Math.floor(episodeIndex / info.chunksSize),
		episode_index: episodeIndex,
	};
	return {
		episodeIndex,
		length,
		dataFile: path.posix.normalize(fillTemplate(info.data_path, place)),
		fromIndex: undefined,
		tasks,
		// v2.1 does not state a video's length: only the video itself has it.
		videos: videos.map(key => ({
			key,
			file: path.posix.normalize(fillTemplate(info.videoTemplate, {...place, video_key: key})),
			from: undefined,
			to: undefined,
		})),
		markers: undefined,
		subtasks: {},
		tags: [],
		parentDataset: null,
		parentEpisodeIndex: null,
		memberOrdinal: null,
	};
}

const kinds = {
	task: {file: tasksPathV21, line: z.looseObject({task_index: z.int(), task: z.string()})},
	subtask: {file: subtasksPathV21, line: z.looseObject({subtask_index: z.int(), subtask: z.string()})},
} as const;

/**
 * Reads `meta/tasks.jsonl` or `meta/subtasks.jsonl` of a v2.1 dataset: a number and its text a line.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @returns the texts by number; none where the file is missing or broken, which is reported.
 */
export async function readNamesV21(
	root: string,
	kind: 'task' | 'subtask',
	report: ReportProblem,
): Promise<ReadonlyMap<number, string>> {
	const {file, line} = kinds[kind];
	const names = new Map<number, string>();
	await readJsonLines(root, file, `frames have no ${kind} names`, report, value => {
		const read = line.safeParse(value);
		if (!read.success) return `it is not an object with a ${kind}_index and a ${kind}`;
		names.set(Number(read.data[`${kind}_index`]), String(read.data[kind]));
		return undefined;
	});
	return names;
}
