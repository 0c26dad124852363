import {reasonOf} from '../dataset-error.ts';
import {filesBelow} from '../find-data-files.ts';
import {templateFolder} from '../layout.ts';
import type {ReadDatabase} from '../read-database.ts';
import {quotedIdentifier, quotedString} from '../sql.ts';
import type {ReportDamage} from './damage.ts';
import {type DatasetFacts, wholeParquet} from './dataset-facts.ts';

/** The frames of an episode in one file, summed up. Rows count from 0 in their file. */
export type EpisodeFrames = {
	readonly file: string;
	readonly episode: number;
	readonly rows: number;
	readonly firstRow: number;
	readonly lastRow: number;
	/** The least and the greatest of index − row, and of frame_index − row: equal where they count on. */
	readonly indexLow: number;
	readonly indexHigh: number;
	readonly frameLow: number;
	readonly frameHigh: number;
	/** Seconds; those of `timestamp` − row / fps are equal where the timestamps lie on the grid. */
	readonly firstTime: number;
	readonly offLow: number;
	readonly offHigh: number;
	/** Seconds that pass a second, by the straight line through the timestamps, and the mean distance from that. */
	readonly pace: number;
	readonly scatter: number;
	/** Frames by task_index. */
	readonly tasks: ReadonlyMap<number, number>;
	/** Alike where action, state and all other numbers are. */
	readonly content: string;
};

/** A data file that can be read. */
export type DataFile = {
	readonly file: string;
	readonly real: string;
	/** The columns and their types, as DuckDB spells them. */
	readonly columns: ReadonlyMap<string, string>;
};

export type FrameFacts = {
	/** Those that can be read, in the order of their paths. */
	readonly files: readonly DataFile[];
	readonly isWhole: boolean;
	/** In the order of files and rows. */
	readonly episodes: readonly EpisodeFrames[];
	/** Rows of each file. */
	readonly rows: ReadonlyMap<string, number>;
	readonly totalRows: number;
};

export const counters = ['timestamp', 'frame_index', 'episode_index', 'index', 'task_index'] as const;
const isCounter = (name: string) => (counters as readonly string[]).includes(name);

/** Numbers that are kept one or several a frame. */
export const numericColumn =
	/^(TINYINT|SMALLINT|INTEGER|BIGINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|FLOAT|DOUBLE)(\[\d*\])?$/;

/** A list of files as a query reads them. */
export function framesFrom(files: readonly DataFile[], more = ''): string {
	const list = files.map(({real}) => quotedString(real)).join(', ');
	return `read_parquet([${list}], union_by_name = true${more})`;
}

/** Every parquet file that LeRobot takes for data, and those that the metadata names. */
async function dataFiles({root, info, episodes}: DatasetFacts): Promise<string[]> {
	const folder = templateFolder(info.data_path);
	const {files} = await filesBelow(root, folder === '.' ? 'data' : folder);
	const named = episodes.flatMap(({dataFile}) => dataFile ?? []);
	return [...new Set([...files.filter(file => file.endsWith('.parquet')), ...named])].sort();
}

/** Reads all frames once, and of them only what their places, times and tasks come to. */
export async function readFrames(
	database: ReadDatabase,
	facts: DatasetFacts,
	report: ReportDamage,
): Promise<FrameFacts> {
	const found = await dataFiles(facts);
	const files: DataFile[] = [];
	for (const file of found) {
		const real = await wholeParquet(facts.root, file, report);
		if (real === undefined) continue;
		try {
			const types = await database.columnsOf(real);
			const columns = new Map([...types].map(([name, type]) => [name, String(type)]));
			files.push({file, real, columns});
		} catch (error) {
			report({id: 'parquet-unreadable', file, message: `${file} cannot be read (${reasonOf(error)}).`});
		}
	}
	const usable = files.filter(({columns}) => columns.has('episode_index'));
	const read = await episodesIn(database, usable, facts.info.fps, report);
	const rows = new Map<string, number>();
	for (const {file, rows: more} of read.episodes) rows.set(file, (rows.get(file) ?? 0) + more);
	return {
		files: read.files,
		isWhole: read.files.length === found.length,
		episodes: read.episodes,
		rows,
		totalRows: read.episodes.reduce((sum, episode) => sum + episode.rows, 0),
	};
}

/** All files at once where that works; one after the other to find those that do not. */
async function episodesIn(
	database: ReadDatabase,
	files: readonly DataFile[],
	fps: number,
	report: ReportDamage,
): Promise<{files: DataFile[]; episodes: EpisodeFrames[]}> {
	if (files.length === 0) return {files: [], episodes: []};
	try {
		return {files: [...files], episodes: await summarise(database, files, fps)};
	} catch (error) {
		if (files.length > 1) {
			const halves = [files.slice(0, files.length / 2), files.slice(files.length / 2)];
			const both = [];
			for (const half of halves) both.push(await episodesIn(database, half, fps, report));
			return {
				files: both.flatMap(half => half.files),
				episodes: both.flatMap(half => half.episodes),
			};
		}
		const file = files[0]?.file ?? '';
		report({id: 'parquet-unreadable', file, message: `${file} cannot be read (${reasonOf(error)}).`});
		return {files: [], episodes: []};
	}
}

async function summarise(
	database: ReadDatabase,
	files: readonly DataFile[],
	fps: number,
): Promise<EpisodeFrames[]> {
	const first = files[0]?.columns ?? new Map<string, string>();
	const has = (name: string) => files.some(({columns}) => columns.has(name));
	const numbers = [...first].filter(([name, type]) => !isCounter(name) && numericColumn.test(type));
	const content = numbers.map(([name]) => `, ${quotedIdentifier(name)}`).join('');
	const column = (name: string, type: string) =>
		has(name) ? `TRY_CAST("${name}" AS ${type})` : `NULL::${type}`;
	const query = `SELECT filename, episode, count(*) AS n, min(r) AS first_row, max(r) AS last_row,
			min(idx - r) AS index_low, max(idx - r) AS index_high,
			min(frame - r) AS frame_low, max(frame - r) AS frame_high,
			arg_min(ts, r) AS first_time, min(ts - r / ${fps}) AS off_low, max(ts - r / ${fps}) AS off_high,
			regr_slope(ts, r / ${fps}) AS pace,
			sqrt(greatest(0, regr_syy(ts, r / ${fps}) - regr_sxy(ts, r / ${fps}) ** 2 / nullif(regr_sxx(ts, r / ${fps}), 0)) / count(*)) AS scatter,
			histogram(task) AS tasks, bit_xor(content)::VARCHAR AS content
		FROM (SELECT filename,
				${column('episode_index', 'BIGINT')} AS episode, file_row_number AS r,
				${column('index', 'BIGINT')} AS idx, ${column('frame_index', 'BIGINT')} AS frame,
				${column('timestamp', 'DOUBLE')} AS ts, ${column('task_index', 'BIGINT')} AS task,
				hash(${column('frame_index', 'BIGINT')}${content}) AS content
			FROM ${framesFrom(files, ', filename = true, file_row_number = true')})
		GROUP BY filename, episode`;
	const read = await database.query(query);
	const places = new Map(files.map(({real}, place) => [real, place]));
	const episodes = read.getRows().map((row): EpisodeFrames => {
		const number = (place: number) => (row[place] === null ? Number.NaN : Number(row[place]));
		const tasks = row[14] as {entries: readonly {key: unknown; value: unknown}[]} | null;
		return {
			file: files[places.get(String(row[0])) ?? -1]?.file ?? '',
			episode: number(1),
			rows: number(2),
			firstRow: number(3),
			lastRow: number(4),
			indexLow: number(5),
			indexHigh: number(6),
			frameLow: number(7),
			frameHigh: number(8),
			firstTime: number(9),
			offLow: number(10),
			offHigh: number(11),
			pace: number(12),
			scatter: number(13),
			tasks: new Map((tasks?.entries ?? []).map(({key, value}) => [Number(key), Number(value)])),
			content: String(row[15]),
		};
	});
	const place = new Map(files.map(({file}, at) => [file, at]));
	return episodes.sort(
		(a, b) => (place.get(a.file) ?? 0) - (place.get(b.file) ?? 0) || a.firstRow - b.firstRow,
	);
}
