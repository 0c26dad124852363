import type {DuckDBConnection} from '@duckdb/node-api';
import type {Figure, Histogram, HistogramQuery} from '../../../contract/local-distribution.ts';
import {bandOf, slotColumn} from '../channel-slots.ts';
import {count} from '../count.ts';
import {resolvePredicates} from './channel-filter.ts';
import type {Database} from './database.ts';
import {episodeConditions, numericColumn, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {facetConditions, sharedProfileConditions} from './profile-filter.ts';
import {bandTable} from './slot-bands.ts';

type Bounds = {
	total: bigint;
	known: bigint;
	min: number | null;
	max: number | null;
	low: number | null;
	median: number | null;
	high: number | null;
};

/** A figure in SQL, null where the episode has none, and the tables that it is in besides `episode e`. */
type FigureColumn = {value: string; bands: readonly string[]};

async function figureOf(
	database: Database,
	connection: DuckDBConnection,
	of: Figure,
	bound: Parameters,
): Promise<FigureColumn> {
	if ('field' in of) return {value: numericColumn(of.field), bands: []};
	const asked = {...of, op: 'gt' as const, value: 0};
	const [resolved] = await resolvePredicates(database, connection, [asked]);
	const tables = new Set<string>();
	const places = (resolved?.slots ?? []).map(({slot, layouts}) => {
		const band = bandOf(slot);
		if (band > 0) tables.add(bandTable(band));
		const column = `${band === 0 ? 'e' : bandTable(band)}.${slotColumn(slot, of.agg)}`;
		if (layouts === null) return column;
		return `CASE WHEN e.layout_key IN (${layouts.map(key => bound.integer(key)).join(', ')}) THEN ${column} END`;
	});
	const value = places.length === 0 ? 'NULL::DOUBLE' : `coalesce(${places.join(', ')})`;
	return {value, bands: [...tables]};
}

/** The figures of the episodes that a filter lets through, as a relation of one column. */
async function matchingFigures(
	database: Database,
	connection: DuckDBConnection,
	{of, filter}: HistogramQuery,
	bound: Parameters,
): Promise<string> {
	const channels = await resolvePredicates(database, connection, filter.channel_predicates ?? []);
	const {value, bands} = await figureOf(database, connection, of, bound);
	const conditions = [
		...episodeConditions(filter, channels, bound),
		...sharedProfileConditions(filter, bound),
		...facetConditions(filter, bound).values(),
	];
	return `SELECT (${value})::DOUBLE AS value
		FROM episode e JOIN profile p USING (profile_key) JOIN dataset d ON d.dataset_key = p.dataset_key
		${bands.map(band => `LEFT JOIN ${band} ON ${band}.row_key = e.row_key`).join(' ')}
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
