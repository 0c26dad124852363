import type {DuckDBConnection} from '@duckdb/node-api';
import * as z from 'zod';
import type {DatasetItem, DatasetListResponse} from '../../../contract/listing.ts';
import type {DatasetSort} from '../../../contract/vocabulary.ts';
import {type DatasetQuery, LakeError} from '../engine.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';
import {whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {folded} from './profile-filter.ts';

/** The column of each sort; equal values follow in the order of the name, which is unique. */
const sorts: Record<DatasetSort, {column: string; direction: 'ASC' | 'DESC'}> = {
	newest: {column: 'created_at', direction: 'DESC'},
	oldest: {column: 'created_at', direction: 'ASC'},
	updated: {column: 'updated_at', direction: 'DESC'},
	name: {column: 'dataset_name', direction: 'ASC'},
};

const pathColumn = `('local/' || dataset_name)`;

/** How many of an ingest's problems the metadata of a dataset quotes. */
const quotedProblems = 20;

type DatasetRow = {
	dataset_id: string;
	dataset_name: string;
	dataset_version_id: string;
	generation: bigint;
	folder: string;
	subtype: string;
	format: string | null;
	robot_type: string | null;
	fps: number | null;
	interface_hash: string | null;
	cameras: string[];
	metadata: string | null;
	problems: string;
	episode_count: bigint;
	frame_count: bigint;
	duration_s: number;
	created_at: bigint;
	updated_at: bigint;
};

/**
 * A page of section 4.6. The cursor names the last item, not a number of items, so datasets that come or go between
 * two pages neither repeat nor hide others.
 *
 * @param among the ids that a filter by jobs has left, which are known elsewhere; without them it leaves nothing
 *
 * @throws LakeError `cursor` for a cursor that this list did not give.
 */
export async function listDatasets(
	database: Database,
	connection: DuckDBConnection,
	query: DatasetQuery,
	among?: readonly string[],
): Promise<DatasetListResponse> {
	const {column, direction} = sorts[query.sort];
	const filter = new Parameters();
	const conditions = filterConditions(query, among, filter);
	const page = new Parameters();
	const pageConditions = filterConditions(query, among, page);
	if (query.cursor !== undefined) {
		const {value, name} = readCursor(query.sort, query.cursor);
		const last = typeof value === 'string' ? page.text(value) : page.real(value);
		pageConditions.push(
			`(${column} ${direction === 'ASC' ? '>' : '<'} ${last}
				OR (${column} = ${last} AND dataset_name > ${page.text(name)}))`,
		);
	}
	return await database.transaction(connection, 'READ ONLY', async () => {
		const [found] = await database.rows<{total: bigint}>(
			connection,
			`SELECT count(*) AS total FROM dataset ${whereAll(conditions)}`,
			filter,
		);
		const rows = await database.rows<DatasetRow>(
			connection,
			`SELECT * EXCLUDE (features) FROM dataset ${whereAll(pageConditions)}
			ORDER BY ${column} ${direction}, dataset_name
			LIMIT ${page.integer(query.limit + 1)}`,
			page,
		);
		const shown = rows.slice(0, query.limit);
		const last = shown.at(-1);
		return {
			items: shown.map(toItem),
			page_info: {
				has_next: rows.length > shown.length,
				end_cursor: last ? writeCursor(query.sort, positionOf(last, query.sort)) : null,
				total_count: count(found?.total ?? 0n),
			},
		};
	});
}

function filterConditions(
	query: DatasetQuery,
	among: readonly string[] | undefined,
	bound: Parameters,
): string[] {
	const conditions: string[] = [];
	if (query.dataset_type !== undefined) conditions.push(`subtype = ${bound.text(query.dataset_type)}`);
	if (query.search) {
		conditions.push(`contains(${folded(pathColumn)}, ${folded(bound.text(query.search))})`);
	}
	const asksForJobs =
		query.direction !== undefined || query.project_id !== undefined || query.job_id !== undefined;
	if (among !== undefined) conditions.push(`dataset_id IN (SELECT unnest(${bound.texts(among)}))`);
	else if (asksForJobs) conditions.push('false');
	return conditions;
}

function positionOf(row: DatasetRow, sort: DatasetSort) {
	const {dataset_name: name} = row;
	if (sort === 'name') return {value: name, name};
	return {value: Number(sort === 'updated' ? row.updated_at : row.created_at), name};
}

function toItem(row: DatasetRow): DatasetItem {
	const problems = JSON.parse(row.problems) as unknown[];
	return {
		artifact_id: row.dataset_id,
		subtype: row.subtype,
		path: `local/${row.dataset_name}`,
		metadata: {
			dataset_name: row.dataset_name,
			dataset_version_id: row.dataset_version_id,
			generation: Number(row.generation),
			episodes: count(row.episode_count),
			frames: count(row.frame_count),
			duration_seconds: row.duration_s,
			fps: row.fps,
			robot_type: row.robot_type,
			interface_hash: row.interface_hash,
			format: row.format,
			cameras: row.cameras,
			folder: row.folder,
			problems: problems.slice(0, quotedProblems),
			problem_count: problems.length,
			...(row.metadata !== null && (JSON.parse(row.metadata) as object)),
		},
		jobs: [],
		created_at: new Date(Number(row.created_at)).toISOString(),
		updated_at: new Date(Number(row.updated_at)).toISOString(),
	};
}

/** The place after which a page of datasets begins: the last item's value under the sort, and its name. */
type ListPosition = {value: number | string; name: string};

const shape = z.tuple([z.string(), z.union([z.number(), z.string()]), z.string()]);

/** A position as the opaque text that a client hands back. */
function writeCursor(sort: DatasetSort, {value, name}: ListPosition): string {
	return Buffer.from(JSON.stringify([sort, value, name])).toString('base64url');
}

/**
 * Reads a cursor back.
 *
 * @throws LakeError `cursor` when it is none, or was given for another sort.
 */
function readCursor(sort: DatasetSort, cursor: string): ListPosition {
	let decoded: unknown;
	try {
		decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		decoded = undefined;
	}
	const parsed = shape.safeParse(decoded);
	const [sortedBy, value, name] = parsed.data ?? [];
	if (sortedBy !== undefined && sortedBy !== sort) {
		throw new LakeError(
			'cursor',
			`The cursor belongs to the list sorted by ${sortedBy}, not ${sort}: start again without one.`,
		);
	}
	if (value === undefined || name === undefined || typeof value !== (sort === 'name' ? 'string' : 'number')) {
		throw new LakeError('cursor', 'The cursor is none that this list gave: start again without one.');
	}
	return {value, name};
}
