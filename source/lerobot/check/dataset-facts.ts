import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {reasonOf} from '../dataset-error.ts';
import {filesBelow} from '../find-data-files.ts';
import type {DatasetInfo} from '../info.ts';
import {
	episodeStatsPathV21,
	episodesFolder,
	episodesPathV21,
	fillTemplate,
	locate,
	tasksPath,
	tasksPathV21,
} from '../layout.ts';
import {parquetDamage, type ReadDatabase} from '../read-database.ts';
import {openDataset} from '../read-dataset.ts';
import {readJsonLines} from '../read-v21-json-lines.ts';
import {quotedString} from '../sql.ts';
import type {ReportDamage} from './damage.ts';

/** A feature's statistics as a file has them: each flattened to its numbers; null where one is none. */
export type StatedStats = Readonly<Record<string, readonly (number | null)[]>>;

/** A row of the tasks, in the order of the file. */
export type TaskRow = {readonly index: number | undefined; readonly text: string | undefined};

export type SpanRow = {
	readonly key: string;
	readonly file: string | undefined;
	readonly from: number | undefined;
	readonly to: number | undefined;
};

/** A row of the episodes, in the order of the files. */
export type EpisodeRow = {
	/** The file that lists it. */
	readonly file: string;
	readonly episode: number;
	readonly length: number | undefined;
	readonly dataFile: string | undefined;
	readonly from: number | undefined;
	readonly to: number | undefined;
	/** Undefined where the row names none. */
	readonly tasks: readonly string[] | undefined;
	readonly videos: readonly SpanRow[];
	/** True if lakescope made it of an episode of another dataset, whose video files may hold more than it shows. */
	readonly isTaken: boolean;
	readonly stats: ReadonlyMap<string, StatedStats>;
};

/** All that a dataset's metadata says, read once and as it stands. */
export type DatasetFacts = {
	/** As `realpath` gives it. */
	readonly root: string;
	readonly info: DatasetInfo;
	/** The cameras that are kept as videos. */
	readonly videos: readonly string[];
	/** Every file below the root, relative to it. */
	readonly files: readonly string[];
	readonly tasksFile: string;
	readonly tasks: readonly TaskRow[] | undefined;
	/** The file that lists the episodes. */
	readonly listedIn: string;
	readonly episodes: readonly EpisodeRow[];
	readonly statsFile: string;
	/** The statistics of the whole dataset; undefined where there are none, as in v2.1. */
	readonly stats: ReadonlyMap<string, StatedStats> | undefined;
};

export const statsPath = 'meta/stats.json';
/** Bytes that a file of statistics may have. */
const maxStatsBytes = 64 * 1024 * 1024;

/** @throws {DatasetError} where the folder is no dataset that is read. */
export async function readFacts(
	database: ReadDatabase,
	folder: string,
	report: ReportDamage,
): Promise<DatasetFacts> {
	const {root, info, videos} = await openDataset(folder);
	const files = await filesOf(root);
	const isOld = info.format === 'v2.1';
	const shared = {root, info, videos, files};
	if (isOld) {
		return {
			...shared,
			tasksFile: tasksPathV21,
			tasks: await readTasksV21(root),
			listedIn: episodesPathV21,
			episodes: await readEpisodesV21(root, info, videos),
			statsFile: episodeStatsPathV21,
			stats: undefined,
		};
	}
	return {
		...shared,
		tasksFile: tasksPath,
		tasks: await readTasks(database, root, report),
		listedIn: episodesFolder,
		episodes: await readEpisodes(database, shared, report),
		statsFile: statsPath,
		stats: await readStats(root, report),
	};
}

async function filesOf(root: string): Promise<string[]> {
	const files: string[] = [];
	for (const entry of await readdir(root, {withFileTypes: true})) {
		if (entry.isFile()) files.push(entry.name);
		else files.push(...(await filesBelow(root, entry.name)).files);
	}
	return files.sort();
}

/**
 * The real path of a parquet file that looks whole; undefined where it is missing. What is damaged is reported.
 */
export async function wholeParquet(
	root: string,
	file: string,
	report: ReportDamage,
): Promise<string | undefined> {
	const located = await locate(root, file);
	if (!located.found) return undefined;
	const damage = await parquetDamage(located.path).catch(reasonOf);
	if (damage === null) return located.path;
	const isCut = damage.includes('cut off') || damage === 'is empty';
	report({id: isCut ? 'parquet-without-footer' : 'parquet-unreadable', file, message: `${file} ${damage}.`});
	return undefined;
}

/** A value of DuckDB with its big integers as numbers and its lists as arrays. */
function plain(value: unknown): unknown {
	if (typeof value === 'bigint') return Number(value);
	if (Array.isArray(value)) return value.map(plain);
	return value;
}

/** Reads rows whole; a file that fails is reported and has none. */
async function rowsOf(
	database: ReadDatabase,
	root: string,
	file: string,
	report: ReportDamage,
): Promise<Record<string, unknown>[] | undefined> {
	const whole = await wholeParquet(root, file, report);
	if (whole === undefined) return undefined;
	try {
		const read = await database.readTwice(from =>
			from.query(`SELECT * FROM read_parquet(${quotedString(whole)})`),
		);
		return read
			.getRowObjectsJS()
			.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
	} catch (error) {
		report({id: 'parquet-unreadable', file, message: `${file} cannot be read (${reasonOf(error)}).`});
		return undefined;
	}
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const texts = (value: unknown) =>
	Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;

async function readTasks(database: ReadDatabase, root: string, report: ReportDamage) {
	const rows = await rowsOf(database, root, tasksPath, report);
	return rows?.map(
		(row): TaskRow => ({
			index: number(row.task_index),
			text: text(row.task ?? row.__index_level_0__),
		}),
	);
}

async function readTasksV21(root: string): Promise<TaskRow[] | undefined> {
	const rows: TaskRow[] = [];
	const {found} = await readJsonLines(
		root,
		tasksPathV21,
		'',
		() => undefined,
		value => {
			const row = value as Record<string, unknown> | null;
			rows.push({index: number(row?.task_index), text: text(row?.task)});
			return undefined;
		},
	);
	return found ? rows : undefined;
}

async function readEpisodes(
	database: ReadDatabase,
	{root, info, videos, files}: Pick<DatasetFacts, 'root' | 'info' | 'videos' | 'files'>,
	report: ReportDamage,
): Promise<EpisodeRow[]> {
	const listed: EpisodeRow[] = [];
	for (const file of files) {
		if (!file.startsWith(`${episodesFolder}/`) || !file.endsWith('.parquet')) continue;
		for (const row of (await rowsOf(database, root, file, report)) ?? []) {
			const place = (chunk: unknown, of: unknown, template: string, key = '') =>
				number(chunk) === undefined || number(of) === undefined
					? undefined
					: path.posix.normalize(
							fillTemplate(template, {
								chunk_index: chunk as number,
								file_index: of as number,
								video_key: key,
							}),
						);
			listed.push({
				file,
				episode: number(row.episode_index) ?? Number.NaN,
				length: number(row.length),
				dataFile: place(row['data/chunk_index'], row['data/file_index'], info.data_path),
				from: number(row.dataset_from_index),
				to: number(row.dataset_to_index),
				tasks: texts(row.tasks),
				videos: videos.map(key => ({
					key,
					file: place(
						row[`videos/${key}/chunk_index`],
						row[`videos/${key}/file_index`],
						info.videoTemplate,
						key,
					),
					from: number(row[`videos/${key}/from_timestamp`]),
					to: number(row[`videos/${key}/to_timestamp`]),
				})),
				isTaken: text(row['lakescope/parent_dataset']) !== undefined,
				stats: statsOfRow(row),
			});
		}
	}
	return listed;
}

function statsOfRow(row: Record<string, unknown>): Map<string, StatedStats> {
	const stats = new Map<string, Record<string, (number | null)[]>>();
	for (const [column, value] of Object.entries(row)) {
		if (!column.startsWith('stats/') || !Array.isArray(value)) continue;
		const end = column.lastIndexOf('/');
		const feature = column.slice('stats/'.length, end);
		let stated = stats.get(feature);
		if (!stated) {
			stated = {};
			stats.set(feature, stated);
		}
		stated[column.slice(end + 1)] = numbersIn(value);
	}
	return stats;
}

/** The numbers of nested lists, in their order. */
function numbersIn(value: unknown): (number | null)[] {
	if (Array.isArray(value)) return value.flatMap(numbersIn);
	return [typeof value === 'number' ? value : null];
}

/** Statistics as JSON has them: feature → statistic → numbers. */
function statsOfJson(json: unknown): Map<string, StatedStats> {
	const stats = new Map<string, StatedStats>();
	if (typeof json !== 'object' || json === null) return stats;
	for (const [feature, stated] of Object.entries(json)) {
		if (typeof stated !== 'object' || stated === null) continue;
		stats.set(
			feature,
			Object.fromEntries(Object.entries(stated).map(([name, value]) => [name, numbersIn(value)])),
		);
	}
	return stats;
}

async function readStats(
	root: string,
	report: ReportDamage,
): Promise<ReadonlyMap<string, StatedStats> | undefined> {
	const located = await locate(root, statsPath);
	if (!located.found) return undefined;
	try {
		const content = await readFile(located.path);
		if (content.length > maxStatsBytes) throw new Error(`it has ${content.length} bytes`);
		return statsOfJson(JSON.parse(content.toString('utf8').replace(/-?\b(?:NaN|Infinity)\b/g, 'null')));
	} catch (error) {
		const message = `${statsPath} cannot be read (${reasonOf(error)}).`;
		report({id: 'stats-unreadable', file: statsPath, message});
		return new Map();
	}
}

async function readEpisodesV21(
	root: string,
	info: DatasetInfo,
	videos: readonly string[],
): Promise<EpisodeRow[]> {
	const stats = new Map<number, ReadonlyMap<string, StatedStats>>();
	await readJsonLines(
		root,
		episodeStatsPathV21,
		'',
		() => undefined,
		value => {
			const row = value as Record<string, unknown> | null;
			const episode = number(row?.episode_index);
			if (episode !== undefined) stats.set(episode, statsOfJson(row?.stats));
			return undefined;
		},
	);
	const listed: EpisodeRow[] = [];
	await readJsonLines(
		root,
		episodesPathV21,
		'',
		() => undefined,
		value => {
			const row = value as Record<string, unknown> | null;
			const episode = number(row?.episode_index) ?? Number.NaN;
			const place = {episode_chunk: Math.floor(episode / info.chunksSize), episode_index: episode};
			listed.push({
				file: episodesPathV21,
				episode,
				length: number(row?.length),
				dataFile: path.posix.normalize(fillTemplate(info.data_path, place)),
				from: undefined,
				to: undefined,
				tasks: texts(row?.tasks),
				videos: videos.map(key => ({
					key,
					file: path.posix.normalize(fillTemplate(info.videoTemplate, {...place, video_key: key})),
					from: undefined,
					to: undefined,
				})),
				isTaken: false,
				stats: stats.get(episode) ?? new Map(),
			});
			return undefined;
		},
	);
	return listed;
}
