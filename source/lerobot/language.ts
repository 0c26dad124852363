import {
	DuckDBListValue,
	DuckDBStructValue,
	type DuckDBType,
	FLOAT,
	LIST,
	STRUCT,
	VARCHAR,
} from '@duckdb/node-api';
import type {ReadDatabase} from './read-database.ts';
import type {MarkedStretch} from './read-markers.ts';
import {quotedIdentifier, quotedString} from './sql.ts';

/*
 * The two columns in which annotators keep language (`dtype: "language"`): each frame has a list of rows.
 */

/** Rows that hold from a moment on until one of the same kind follows: the episode's whole list, the same in each frame. */
export const persistentLanguage = 'language_persistent';

/** Rows of a frame, in that frame alone. */
const languageEvents = 'language_events';

/** Of one frame; null where the file has null. */
export type LanguageRows = DuckDBListValue | null;

const rowFields = {role: VARCHAR, content: VARCHAR, style: VARCHAR};
const laterFields = {camera: VARCHAR, tool_calls: LIST(VARCHAR)};
const types: Readonly<Record<string, DuckDBType>> = {
	[persistentLanguage]: LIST(STRUCT({...rowFields, timestamp: FLOAT, ...laterFields})),
	[languageEvents]: LIST(STRUCT({...rowFields, ...laterFields})),
};

export const isLanguageColumn = (name: string): boolean => Object.hasOwn(types, name);

/** The type of a language column's values; undefined for a name that is none. */
export const languageType = (name: string): DuckDBType | undefined => types[name];

/** The same as a table declares it: calls of tools are JSON, which the driver reads and writes as text. */
export const declaredLanguageType = (name: string): string =>
	String(types[name]).replace(/("?tool_calls"?) VARCHAR/, '$1 JSON');

/**
 * The expression that reads a language column of a data file: of rows that hold for the episode its first frame's list, as all are
 * the same. A file that no annotator touched lacks the column, and has no rows.
 */
export function languageExpression(name: string, isThere: boolean): string {
	const type = declaredLanguageType(name);
	const rows = isThere ? `CAST(${quotedIdentifier(name)} AS ${type})` : `CAST([] AS ${type})`;
	return name === persistentLanguage ? `CASE WHEN "frame_index" = 0 THEN ${rows} END` : rows;
}

/** A subtask, and the second from which on it holds. */
export type LanguageSubtask = {readonly name: string; readonly from: number};

/**
 * The subtasks that a data file's `language_persistent` says, by episode; none where it has no such column.
 *
 * @param only the episode that is wanted alone
 * @throws DuckDB's error where they cannot be read
 */
export async function readLanguageSubtasks(
	database: ReadDatabase,
	file: string,
	only?: number,
): Promise<ReadonlyMap<number, readonly LanguageSubtask[]>> {
	const columns = await database.columnsOf(file);
	if (![persistentLanguage, 'episode_index', 'frame_index'].every(name => columns.has(name)))
		return new Map();
	const among = only === undefined ? '' : ` AND episode_index = ${Math.trunc(only)}`;
	const read = await database.readTwice(from =>
		from.query(
			`SELECT episode, "row".content, "row"."timestamp"::DOUBLE FROM (
				SELECT episode_index::DOUBLE AS episode, unnest(${persistentLanguage}) AS "row"
				FROM read_parquet(${quotedString(file)}) WHERE frame_index = 0${among}
			) WHERE "row".style = 'subtask' AND "row".content IS NOT NULL
			ORDER BY 1, 3`,
		),
	);
	const rows = read.getRowsJS() as [number, string, number][];
	return new Map(
		[...Map.groupBy(rows, ([episode]) => episode)].map(([episode, own]) => [
			episode,
			own.map(([, name, from]) => ({name, from})),
		]),
	);
}

/** Subtasks with their frames: each lasts until the next begins, the last one until the episode ends. */
export function languageStretches(
	subtasks: readonly LanguageSubtask[],
	fps: number,
	frames: number,
): MarkedStretch[] {
	const starts = subtasks.map(({from}) => Math.max(0, Math.round(from * fps)));
	return subtasks
		.map(({name}, place) => ({
			name,
			startFrame: starts[place] ?? 0,
			endFrame: Math.min(starts[place + 1] ?? frames, frames) - 1,
		}))
		.filter(({startFrame, endFrame}) => endFrame >= startFrame);
}

/**
 * The rows that hold for a part of an episode, in the part's own time. A row that began before the part and still holds as it begins
 * holds from its first moment on; rows of one style, role and camera take each other's place.
 *
 * @param from seconds in the episode at which the part begins
 * @param last seconds of its last frame
 */
export function cutPersistent(rows: LanguageRows, from: number, last: number): LanguageRows {
	if (rows === null) return null;
	const timed = rows.items.flatMap(row =>
		row instanceof DuckDBStructValue ? [{row, at: Number(row.entries.timestamp)}] : [],
	);
	const kindOf = ({entries}: DuckDBStructValue) =>
		JSON.stringify([entries.style, entries.role, entries.camera]);
	const holding = new Map<string, number>();
	for (const {row, at} of timed) {
		if (at <= from) holding.set(kindOf(row), Math.max(at, holding.get(kindOf(row)) ?? at));
	}
	const kept = timed.filter(({row, at}) => (at > from ? at <= last : at === holding.get(kindOf(row))));
	return new DuckDBListValue(
		kept.map(
			({row, at}) => new DuckDBStructValue({...row.entries, timestamp: Math.fround(Math.max(0, at - from))}),
		),
	);
}
