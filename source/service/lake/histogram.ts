import type {DuckDBConnection} from '@duckdb/node-api';
import type {Figure, Histogram, HistogramQuery} from '../../contract/local-distribution.ts';
import {resolvePredicates} from './channel-filter.ts';
import {slotColumn} from './channel-slots.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';
import {episodeConditions, numericColumn, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {facetConditions, sharedProfileConditions} from './profile-filter.ts';

type Bounds = {
	total: bigint;
	known: bigint;
	min: number | null;
	max: number | null;
	low: number | null;
	median: number | null;
	high: number | null;
};

/** The figure of `episode e` in SQL; null where the episode has none. */
async function figureOf(
	database: Database,
	connection: DuckDBConnection,
	of: Figure,
	bound: Parameters,
): Promise<string> {
	if ('field' in of) return numericColumn(of.field);
	const asked = {...of, op: 'gt' as const, value: 0};
	const [resolved] = await resolvePredicates(database, connection, [asked]);
	const places = (resolved?.slots ?? []).map(({slot, layouts}) => {
		const column = `e.${slotColumn(slot, of.agg)}`;
		if (layouts === null) return column;
		return `CASE WHEN e.layout_key IN (${layouts.map(key => bound.integer(key)).join(', ')}) THEN ${column} END`;
	});
	return places.length === 0 ? 'NULL::DOUBLE' : `coalesce(${places.join(', ')})`;
}

/** The figures of the episodes that a filter lets through, as a relation of one column. */
async function matchingFigures(
	database: Database,
	connection: DuckDBConnection,
	{of, filter}: HistogramQuery,
	bound: Parameters,
): Promise<string> {
	const channels = await resolvePredicates(database, connection, filter.channel_predicates ?? []);
	const value = await figureOf(database, connection, of, bound);
	const conditions = [
		...episodeConditions(filter, channels, bound),
		...sharedProfileConditions(filter, bound),
		...facetConditions(filter, bound).values(),
	];
	return `SELECT (${value})::DOUBLE AS value
		FROM episode e JOIN profile p USING (profile_key) JOIN dataset d ON d.dataset_key = p.dataset_key
		${whereAll(conditions)}`;
}

/** How a figure is distributed over the whole result of a filter, from one snapshot. */
export async function histogram(
	database: Database,
	connection: DuckDBConnection,
	query: HistogramQuery,
): Promise<Histogram> {
	return await database.transaction(connection, 'READ ONLY', async () => {
		const bound = new Parameters();
		const matching = await matchingFigures(database, connection, query, bound);
		const [bounds] = await database.rows<Bounds>(
			connection,
			`SELECT count(*) AS total, count(value) AS known, min(value) AS min, max(value) AS max,
				quantile_cont(value, 0.01) AS low, median(value) AS median, quantile_cont(value, 0.99) AS high
			FROM (${matching})`,
			bound,
		);
		const {
			total = 0n,
			known = 0n,
			min = null,
			max = null,
			low = null,
			median = null,
			high = null,
		} = bounds ?? {};
		const about = {count: count(known), missing: count(total - known), min, median, max, low, high};
		if (low === null || high === null) return {...about, bins: []};
		if (low === high) return {...about, bins: [count(known)]};
		const again = new Parameters();
		const figures = await matchingFigures(database, connection, query, again);
		const step = `floor((value - ${again.real(low)}) / ${again.real(high - low)} * ${query.bins})`;
		const rows = await database.rows<{bin: number; episodes: bigint}>(
			connection,
			`SELECT least(${query.bins - 1}, greatest(0, ${step}))::INTEGER AS bin, count(*) AS episodes
			FROM (${figures}) WHERE value IS NOT NULL GROUP BY bin`,
			again,
		);
		const held = new Map(rows.map(({bin, episodes}) => [bin, episodes]));
		return {...about, bins: Array.from({length: query.bins}, (_, bin) => count(held.get(bin) ?? 0n))};
	});
}
