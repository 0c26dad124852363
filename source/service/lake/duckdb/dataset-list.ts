import type {DuckDBConnection} from '@duckdb/node-api';
import type {DatasetListResponse} from '../../../contract/listing.ts';
import type {DatasetSort} from '../../../contract/vocabulary.ts';
import {count} from '../count.ts';
import {type DatasetRow, positionOf, readCursor, toItem, writeCursor} from '../dataset-items.ts';
import type {DatasetQuery} from '../engine.ts';
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
