import path from 'node:path';
import {JSDuckDBValueConverter} from '@duckdb/node-api';
import type {ReportProblem} from './dataset-error.ts';
import {complaintAbout, type EpisodeListing, type VideoListing} from './episode-listing.ts';
import {filesBelow} from './find-data-files.ts';
import type {DatasetInfo} from './info.ts';
import {episodesFolder, fillTemplate, locate} from './layout.ts';
import {readChunks} from './read-chunks.ts';
import {damageReason, parquetDamage, type ReadDatabase} from './read-database.ts';
import {markerColumns, markersOf, subtasksOf} from './read-markers.ts';
import {quotedIdentifier} from './sql.ts';

/** The columns that are read, where they exist, and as what. */
const columnTypes: Readonly<Record<string, string>> = {
	episode_index: 'DOUBLE',
	length: 'DOUBLE',
	'data/chunk_index': 'DOUBLE',
	'data/file_index': 'DOUBLE',
	dataset_from_index: 'DOUBLE',
	tasks: 'VARCHAR[]',
	'lakescope/tags': 'VARCHAR[]',
	'lakescope/parent_dataset': 'VARCHAR',
	'lakescope/parent_episode_index': 'DOUBLE',
	'lakescope/member_ordinal': 'BIGINT',
	...Object.fromEntries(
		markerColumns.map(name => [name, name.endsWith('_names') ? 'VARCHAR[]' : 'DOUBLE[]']),
	),
};

const videoColumns = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'];

/**
 * Reads `meta/episodes/…` of a v3.0 dataset. Broken files and rows are reported and left out; of an episode
 * that is listed twice the first row counts.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @param videos the keys of the features that are kept as videos.
 */
export async function readEpisodeListings(
	database: ReadDatabase,
	root: string,
	info: DatasetInfo,
	videos: readonly string[],
	report: ReportProblem,
): Promise<Map<number, EpisodeListing>> {
	const listings = new Map<number, EpisodeListing>();
	const files = await episodeFiles(root, report);
	if (files.length === 0) {
		report({
			file: episodesFolder,
			message: `${episodesFolder} holds no parquet file: no file lists the episodes, so they are read from the data files as they come.`,
		});
	}
	for (const file of files) {
		try {
			const located = await locate(root, file);
			const damage = located.found ? await parquetDamage(located.path) : `is ${located.reason}`;
			if (!located.found || damage) {
				report({file, message: `${file} ${damage}; the episodes it lists are unknown.`});
				continue;
			}
			for await (const cell of readRows(database, located.path, videos)) {
				const listing = episodeListing(cell, info, videos);
				const complaint = complaintAbout(listing, listings);
				if (complaint) report({file, message: `${file} ${complaint}.`});
				else listings.set(listing.episodeIndex, listing);
			}
		} catch (error) {
			report({file, message: `${file} cannot be read (${damageReason(error, file)}).`});
		}
	}
	return listings;
}

/** The files that list the episodes, in their order, relative to the root. */
export async function episodeFiles(root: string, report: ReportProblem): Promise<string[]> {
	const {files, outward} = await filesBelow(root, episodesFolder);
	for (const link of outward) {
		const message = `${link} leads out of the dataset, where nothing is read; the episodes it lists are unknown.`;
		report({file: link, message});
	}
	return files.filter(file => file.endsWith('.parquet'));
}

/** The value of a column in a row; undefined where it is null or the file has no such column. */
type Cell = (column: string) => unknown;

async function* readRows(
	database: ReadDatabase,
	file: string,
	videos: readonly string[],
): AsyncGenerator<Cell> {
	const existing = await database.columnsOf(file);
	const wanted: Record<string, string> = {...columnTypes};
	for (const key of videos) for (const name of videoColumns) wanted[`videos/${key}/${name}`] = 'DOUBLE';
	const columns = Object.entries(wanted).filter(([name]) => existing.has(name));
	if (!existing.has('episode_index')) throw new Error('it has no column "episode_index"');
	const places = new Map(columns.map(([name], place) => [name, place]));
	const expressions = columns.map(([name, type]) => `TRY_CAST(${quotedIdentifier(name)} AS ${type})`);
	for await (const chunk of readChunks(database, expressions, file)) {
		for (const row of chunk.convertRows(JSDuckDBValueConverter)) {
			yield column => {
				const place = places.get(column);
				return place === undefined ? undefined : (row[place] ?? undefined);
			};
		}
	}
}

function episodeListing(cell: Cell, info: DatasetInfo, videos: readonly string[]): EpisodeListing {
	const number = (column: string) => {
		const value = cell(column);
		return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
	};
	const list = (column: string) => {
		const value = cell(column);
		return Array.isArray(value) ? value.filter(element => element !== null) : undefined;
	};
	const text = (column: string) => {
		const value = cell(column);
		return typeof value === 'string' && value !== '' ? value : null;
	};
	const parent = number('lakescope/parent_episode_index');
	const ordinal = cell('lakescope/member_ordinal');
	return {
		episodeIndex: number('episode_index') ?? Number.NaN,
		length: number('length'),
		dataFile: filled(info.data_path, number('data/chunk_index'), number('data/file_index')),
		fromIndex: number('dataset_from_index'),
		tasks: list('tasks') ?? [],
		videos: videos.map(key => videoListing(key, info, number)),
		markers: markersOf(list),
		subtasks: subtasksOf(list, info.fps, number('length') ?? 0),
		tags: list('lakescope/tags') ?? [],
		parentDataset: text('lakescope/parent_dataset'),
		parentEpisodeIndex: isIndex(parent) ? parent : null,
		memberOrdinal: typeof ordinal === 'bigint' ? ordinal : null,
	};
}

/** True if the interface has room for it as a parent's index. */
function isIndex(value: number | undefined): value is number {
	return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;
}

function videoListing(
	key: string,
	info: DatasetInfo,
	number: (column: string) => number | undefined,
): VideoListing {
	const [chunk, file] = [number(`videos/${key}/chunk_index`), number(`videos/${key}/file_index`)];
	return {
		key,
		file: filled(info.videoTemplate, chunk, file, {video_key: key}),
		from: number(`videos/${key}/from_timestamp`),
		to: number(`videos/${key}/to_timestamp`),
	};
}

function filled(
	template: string,
	chunk: number | undefined,
	file: number | undefined,
	more: Readonly<Record<string, string>> = {},
): string | undefined {
	if (chunk === undefined || file === undefined) return undefined;
	return path.posix.normalize(fillTemplate(template, {chunk_index: chunk, file_index: file, ...more}));
}
