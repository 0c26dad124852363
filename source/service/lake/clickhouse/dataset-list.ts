import type {DatasetListResponse} from '../../../contract/listing.ts';
import type {DatasetSort} from '../../../contract/vocabulary.ts';
import {count} from '../count.ts';
import {type DatasetRow, positionOf, readCursor, toItem, writeCursor} from '../dataset-items.ts';
import type {DatasetQuery} from '../engine.ts';
import {fold} from '../fold.ts';
import {amongTexts, integer, text} from './literals.ts';
import {currentDatasets} from './moment.ts';
import type {Server} from './server.ts';

/** The column of each sort; equal values follow in the order of the name, which is unique. */
const sorts: Record<DatasetSort, {column: string; direction: 'ASC' | 'DESC'}> = {
	newest: {column: 'created_at', direction: 'DESC'},
	oldest: {column: 'created_at', direction: 'ASC'},
	updated: {column: 'updated_at', direction: 'DESC'},
	name: {column: 'dataset_name', direction: 'ASC'},
};

const columns = `dataset_id, edition, dataset_name, dataset_version_id, generation, folder, subtype, format, robot_type, fps,
	interface_hash, cameras, metadata, problems, episode_count, toString(frame_count) AS frames, duration_s, created_at,
	updated_at, path_folded`;

type Row = Omit<DatasetRow, 'generation' | 'episode_count' | 'frame_count' | 'created_at' | 'updated_at'> & {
	generation: number;
	episode_count: number;
	frames: string;
	created_at: number;
	updated_at: number;
};

/**
 * A page of section 4.6. The cursor names the last item, not a number of items.
 *
 * @param among the ids that a filter by jobs has left, which are known elsewhere; without them it leaves nothing
 *
 * @throws LakeError `cursor` for a cursor that this list did not give.
 */
export async function listDatasets(
	server: Server,
	query: DatasetQuery,
	among?: readonly string[],
): Promise<DatasetListResponse> {
	const {column, direction} = sorts[query.sort];
	const conditions = filterConditions(query, among);
	const after: string[] = [];
	if (query.cursor !== undefined) {
		const {value, name} = readCursor(query.sort, query.cursor);
		const last = typeof value === 'string' ? text(value) : integer(Math.trunc(value));
		after.push(
			`(${column} ${direction === 'ASC' ? '>' : '<'} ${last} OR (${column} = ${last} AND dataset_name > ${text(name)}))`,
		);
	}
	const where = (all: readonly string[]) => `WHERE ${['1', ...all].join(' AND ')}`;
	const [[found], rows] = await Promise.all([
		server.rows<{total: number}>(
			`SELECT count() AS total FROM ${currentDatasets(columns)} ${where(conditions)}`,
		),
		server.rows<Row>(
			`SELECT * FROM ${currentDatasets(columns)} ${where([...conditions, ...after])}
			ORDER BY ${column} ${direction}, dataset_name LIMIT ${query.limit + 1}`,
		),
	]);
	const shown = rows.slice(0, query.limit).map(
		(row): DatasetRow => ({
			...row,
			generation: BigInt(row.generation),
			episode_count: BigInt(row.episode_count),
			frame_count: BigInt(row.frames),
			created_at: BigInt(row.created_at),
			updated_at: BigInt(row.updated_at),
		}),
	);
	const last = shown.at(-1);
	return {
		items: shown.map(toItem),
		page_info: {
			has_next: rows.length > shown.length,
			end_cursor: last ? writeCursor(query.sort, positionOf(last, query.sort)) : null,
			total_count: count(BigInt(found?.total ?? 0)),
		},
	};
}

function filterConditions(query: DatasetQuery, among: readonly string[] | undefined): string[] {
	const conditions: string[] = [];
	if (query.dataset_type !== undefined) conditions.push(`subtype = ${text(query.dataset_type)}`);
	if (query.search) conditions.push(`position(path_folded, ${text(fold(query.search))}) > 0`);
	const asksForJobs =
		query.direction !== undefined || query.project_id !== undefined || query.job_id !== undefined;
	if (among !== undefined) conditions.push(amongTexts('dataset_id', among));
	else if (asksForJobs) conditions.push('0');
	return conditions;
}
