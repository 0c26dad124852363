import type {DuckDBConnection} from '@duckdb/node-api';
import type {LocalExploreQuery} from '../../../contract/local-explore.ts';
import {heldMetrics} from '../../../contract/metrics.ts';
import type {ResolvedPredicate} from '../channel-slots.ts';
import {bandOf, slotColumn} from '../channel-slots.ts';
import type {EpisodeRow} from '../episode-answer.ts';
import {type DatasetShare, type Stretch, stretchOf} from '../explore-summary.ts';
import type {Database} from './database.ts';
import {episodeConditions, sortColumn, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {facetConditions, sharedProfileConditions} from './profile-filter.ts';
import {bandTable} from './slot-bands.ts';

type KeyedRow = EpisodeRow & {row_key: bigint};

/**
 * The rows of a page, in order. First their keys are found by the columns that filter and order, then the rows are
 * read by key: a row has hundreds of columns, and most of the rows that are looked at are not on the page. (The keys
 * are joined as a table because that skips row groups by their least and greatest key, which a list of constants was
 * measured not to do.)
 */
export async function readPage(
	database: Database,
	connection: DuckDBConnection,
	query: LocalExploreQuery,
	channels: readonly ResolvedPredicate[],
	shares: readonly DatasetShare[],
): Promise<KeyedRow[]> {
	// In an order of its own a page lies in all datasets.
	const stretch = query.sort
		? {datasets: shares, skip: query.offset, take: query.limit}
		: stretchOf(shares, query);
	if (stretch.datasets.length === 0) return [];
	const keys = await pageKeys(database, connection, query, channels, stretch);
	const rows = new Map<bigint, KeyedRow>();
	const columns = slotsAsked(channels);
	for (const row of await rowsByKey(database, connection, keys, columns.get(0) ?? []))
		rows.set(row.row_key, row);
	for (const [band, names] of columns) {
		if (band === 0) continue;
		for (const found of await bandByKey(database, connection, keys, band, names)) {
			Object.assign(rows.get(found.row_key) ?? {}, found);
		}
	}
	return keys.flatMap(key => rows.get(key) ?? []);
}

async function pageKeys(
	database: Database,
	connection: DuckDBConnection,
	query: LocalExploreQuery,
	channels: readonly ResolvedPredicate[],
	{datasets, skip, take}: Stretch,
): Promise<bigint[]> {
	const bound = new Parameters();
	const only = datasets.length === 1 ? datasets[0] : undefined;
	const within = only
		? `e.dataset_key = ${bound.integer(only.dataset_key)}`
		: `e.dataset_key IN (SELECT unnest(${bound.integers(datasets.map(({dataset_key}) => dataset_key))}))`;
	const conditions = [within, ...episodeConditions(query, channels, bound)];
	const ofProfile = [...sharedProfileConditions(query, bound), ...facetConditions(query, bound).values()];
	if (ofProfile.length > 0) {
		conditions.push(`e.profile_key IN (
			SELECT p.profile_key FROM profile p JOIN dataset d USING (dataset_key) ${whereAll(ofProfile)}
		)`);
	}
	const direction = query.order_desc ? 'DESC' : 'ASC';
	const first = query.sort ? `${sortColumn(query.sort.by)} ${query.sort.direction} NULLS LAST, ` : '';
	const source = only
		? `FROM episode e ${whereAll(conditions)} ORDER BY ${first}e.row_key ${direction}`
		: `FROM episode e JOIN dataset named ON named.dataset_key = e.dataset_key ${whereAll(conditions)}
			ORDER BY ${first}named.dataset_name ${direction}, e.row_key ${direction}`;
	const found = await database.rows<{row_key: bigint}>(
		connection,
		`SELECT e.row_key ${source} LIMIT ${bound.integer(take)} OFFSET ${bound.integer(skip)}`,
		bound,
	);
	return found.map(({row_key}) => row_key);
}

/** The columns that the predicates look at, by the band that they lie in. */
function slotsAsked(channels: readonly ResolvedPredicate[]): Map<number, string[]> {
	const asked = channels.flatMap(({predicate, slots}) =>
		slots.map(({slot}) => ({band: bandOf(slot), column: slotColumn(slot, predicate.agg)})),
	);
	return new Map(
		[...Map.groupBy(asked, ({band}) => band)].map(([band, members]) => [
			band,
			[...new Set(members.map(({column}) => column))],
		]),
	);
}

async function bandByKey(
	database: Database,
	connection: DuckDBConnection,
	keys: readonly bigint[],
	band: number,
	columns: readonly string[],
): Promise<Array<{row_key: bigint}>> {
	const bound = new Parameters();
	return await database.rows(
		connection,
		`SELECT row_key, ${columns.join(', ')} FROM ${bandTable(band)}
		WHERE row_key IN (SELECT unnest(${bound.integers(keys)}))`,
		bound,
	);
}

async function rowsByKey(
	database: Database,
	connection: DuckDBConnection,
	keys: readonly bigint[],
	slots: readonly string[],
): Promise<KeyedRow[]> {
	const bound = new Parameters();
	return await database.rows<KeyedRow>(
		connection,
		`SELECT
			e.row_key, e.layout_key, e.episode_id, d.dataset_id, d.dataset_name, d.dataset_version_id,
			e.episode_index, p.task, p.tier, d.interface_hash, p.tags, e.frame_count, e.duration_s, e.quality_score, e.doubt,
			e.review_state, e.parent_dataset, e.parent_episode_index, e.member_ordinal,
			lower(hex(e.revision)) AS revision, e.details,
			${[...heldMetrics, ...slots].map(column => `e.${column}`).join(', ')}
		FROM episode e
		JOIN profile p ON p.profile_key = e.profile_key
		JOIN dataset d ON d.dataset_key = e.dataset_key
		WHERE e.row_key IN (SELECT unnest(${bound.integers(keys)}))`,
		bound,
	);
}
