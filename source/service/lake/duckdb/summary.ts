import type {DuckDBConnection} from '@duckdb/node-api';
import {lakeFacets} from '../../../contract/explore.ts';
import {type Facet, type FacetId, facets, totalField} from '../../../contract/facets.ts';
import {exploreLimits} from '../../../contract/limits.ts';
import {
	type LocalExploreResponse,
	localExploreResponse,
	type OwnExploreQuery,
} from '../../../contract/local-explore.ts';
import type {Count} from '../../../contract/scalars.ts';
import type {ResolvedPredicate} from './channel-filter.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';
import {episodeConditions, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {facetConditions, facetValue, sharedProfileConditions} from './profile-filter.ts';

/** How many episodes of the result a dataset holds. */
export type DatasetShare = {dataset_key: number; dataset_name: string; episodes: number};

/** All of an explore response that does not depend on the page. */
type Summary = {
	total: Count;
	total_frames: Count;
	total_duration_seconds: number;
	/** Those of the interface, or also our own. */
	facets: LocalExploreResponse['facets'];
	/** The datasets that hold the result, in the order of the lake: by name. */
	datasets: DatasetShare[];
};

/** Section 2.3: longer values are counted, not listed. */
const longestFacetValue = 2048;

/** One row of the statement: a value of a facet (`by_…`), its episodes without one, or a dataset's share. */
type Row = {
	kind: string;
	place: bigint | null;
	value: string | null;
	episodes: bigint;
	total_values: bigint | null;
	dataset_key: number | null;
	frames: bigint | null;
	seconds: number | null;
};

/** A facet that is counted. */
type Counted = Facet & {readonly response: string};
const countable = facets.filter((facet): facet is Counted => facet.response !== undefined);
const isOfInterface = ({response}: Counted) => Object.hasOwn(lakeFacets.shape, response);

/**
 * The most common values of a facet under all filters but its own, beside how many there are in all. Of a facet of which
 * several values mean all of them: under all filters.
 */
function facetRows({id, response, meansAll}: Counted, filtered: readonly FacetId[]): string {
	const others = filtered.filter(other => other !== id).map(other => `passes_${other}`);
	const values = meansAll
		? `SELECT unnest(list_distinct(of_${id})) AS value, episodes FROM matching ${whereAll(others)}`
		: `SELECT of_${id} AS value, episodes FROM matching ${whereAll([`of_${id} IS NOT NULL`, ...others])}`;
	return `
		SELECT '${response}' AS kind, row_number() OVER (ORDER BY episodes DESC, value) AS place,
			value, episodes, total_values,
			NULL::INTEGER AS dataset_key, NULL::HUGEINT AS frames, NULL::DOUBLE AS seconds
		FROM (
			SELECT value, sum(episodes)::HUGEINT AS episodes, count(*) OVER () AS total_values
			FROM (${values})
			GROUP BY value
			ORDER BY length(value) > ${longestFacetValue}, episodes DESC, value
			LIMIT ${exploreLimits.facetList}
		)`;
}

/** The episodes without a value, under all filters but the facet's own. */
function unknownRows({id, unknown}: Counted, filtered: readonly FacetId[]): readonly string[] {
	if (unknown === undefined) return [];
	const others = filtered.filter(other => other !== id).map(other => `passes_${other}`);
	return [
		`SELECT '${unknown}', NULL, NULL, coalesce(sum(episodes), 0)::HUGEINT, NULL, NULL, NULL, NULL
		FROM matching ${whereAll([`of_${id} IS NULL`, ...others])}`,
	];
}

/**
 * One statement: the only scan of `episode` groups by profile, and everything else is made of the few rows that
 * leaves. Filters that a facet excludes from itself are therefore not conditions but columns (`passes_…`).
 */
function statement(
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	counted: readonly Counted[],
	bound: Parameters,
): string {
	const conditions = facetConditions(query, bound);
	const filtered = [...conditions.keys()];
	return `
		WITH grouped AS MATERIALIZED (
			SELECT e.profile_key, count(*) AS episodes, sum(e.frame_count) AS frames, sum(e.duration_s) AS seconds
			FROM episode e ${whereAll(episodeConditions(query, channels, bound))}
			GROUP BY e.profile_key
		), matching AS MATERIALIZED (
			SELECT p.dataset_key, d.dataset_name, g.episodes, g.frames, g.seconds,
				${counted.map(facet => `${facetValue(facet)} AS of_${facet.id}`).join(', ')}
				${[...conditions].map(([facet, condition]) => `, ${condition} AS passes_${facet}`).join('')}
			FROM grouped g JOIN profile p USING (profile_key) JOIN dataset d ON d.dataset_key = p.dataset_key
			${whereAll(sharedProfileConditions(query, bound))}
		)
		${counted.map(facet => `SELECT * FROM (${facetRows(facet, filtered)})`).join(' UNION ALL ')}
		${counted
			.flatMap(facet => unknownRows(facet, filtered))
			.map(rows => `UNION ALL ${rows}`)
			.join(' ')}
		UNION ALL
		SELECT 'dataset', NULL, dataset_name, sum(episodes)::HUGEINT, NULL, dataset_key, sum(frames), sum(seconds)
		FROM matching ${whereAll(filtered.map(facet => `passes_${facet}`))}
		GROUP BY dataset_key, dataset_name`;
}

/** Totals, facets and the datasets that hold the result; with our own facets beside those of the interface. */
export async function summarize(
	database: Database,
	connection: DuckDBConnection,
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	{withOwn = false} = {},
): Promise<Summary> {
	const bound = new Parameters();
	const counted = withOwn ? countable : countable.filter(isOfInterface);
	const sql = statement(query, channels, counted, bound);
	const rows = Map.groupBy(await database.rows<Row>(connection, sql, bound), row => row.kind);
	const shares = rows.get('dataset') ?? [];
	return {
		total: count(shares.reduce((sum, {episodes}) => sum + episodes, 0n)),
		total_frames: count(shares.reduce((sum, {frames}) => sum + (frames ?? 0n), 0n)),
		total_duration_seconds: finite(shares.reduce((sum, {seconds}) => sum + (seconds ?? 0), 0)),
		facets: facetsOf(rows, counted),
		datasets: shares
			.map(({dataset_key, value, episodes}) => ({
				dataset_key: dataset_key ?? -1,
				dataset_name: value ?? '',
				episodes: Number(episodes),
			}))
			// Names are ASCII (section 2.1), so this is the order of their bytes, as in the page's statement.
			.sort((a, b) => (a.dataset_name < b.dataset_name ? -1 : 1)),
	};
}

/** The facets that the rows of the statement count, in the order of the contract. */
function facetsOf(rows: ReadonlyMap<string, readonly Row[]>, counted: readonly Counted[]): Summary['facets'] {
	const found = new Map<string, unknown>(
		counted.flatMap(({response, unknown}) => [
			[response, listed(rows.get(response))],
			[totalField(response), cardinality(rows.get(response))],
			...(unknown === undefined ? [] : [[unknown, count(rows.get(unknown)?.[0]?.episodes ?? 0n)] as const]),
		]),
	);
	const fields = Object.keys(localExploreResponse.shape.facets.shape).filter(field => found.has(field));
	return Object.fromEntries(fields.map(field => [field, found.get(field)])) as Summary['facets'];
}

function listed(rows: readonly Row[] = []) {
	return rows
		.filter(row => [...(row.value ?? '')].length <= longestFacetValue)
		.sort((a, b) => Number((a.place ?? 0n) - (b.place ?? 0n)))
		.map(row => ({value: row.value ?? '', count: count(row.episodes)}));
}

function cardinality(rows: readonly Row[] = []): Count {
	return count(rows[0]?.total_values ?? 0n);
}

/** Durations that add up beyond a double's range: JSON has no infinity. */
function finite(seconds: number): number {
	return Math.min(seconds, Number.MAX_VALUE);
}
