import type {DuckDBConnection} from '@duckdb/node-api';
import type {LakeFacets} from '../../../contract/explore.ts';
import {exploreLimits} from '../../../contract/limits.ts';
import type {LocalExploreResponse, OwnExploreQuery} from '../../../contract/local-explore.ts';
import type {Count} from '../../../contract/scalars.ts';
import type {ResolvedPredicate} from './channel-filter.ts';
import {count} from './count.ts';
import type {Database} from './database.ts';
import {episodeConditions, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {type Facet, facetConditions, facets, facetValues, sharedProfileConditions} from './profile-filter.ts';

/** How many episodes of the result a dataset holds. */
export type DatasetShare = {dataset_key: number; dataset_name: string; episodes: number};

type TagFacet = Pick<LocalExploreResponse['facets'], 'by_tag' | 'by_tag_total_values'>;

/** All of an explore response that does not depend on the page. */
type Summary = {
	total: Count;
	total_frames: Count;
	total_duration_seconds: number;
	facets: LakeFacets;
	/** Of the tags, where they were asked for. */
	tags: TagFacet;
	/** The datasets that hold the result, in the order of the lake: by name. */
	datasets: DatasetShare[];
};

/** Section 2.3: longer values are counted, not listed. */
const longestFacetValue = 2048;

/** One row of the statement: a facet's value, the episodes without a marker, or a dataset's share. */
type Row = {
	kind: Facet | 'tag' | 'unknown' | 'dataset';
	place: bigint | null;
	value: string | null;
	episodes: bigint;
	total_values: bigint | null;
	dataset_key: number | null;
	frames: bigint | null;
	seconds: number | null;
};

/** The most common values of a facet under all filters but its own, beside how many there are in all. */
function facetRows(facet: Facet, filtered: readonly Facet[]): string {
	const others = filtered.filter(other => other !== facet).map(other => `passes_${other}`);
	return valueRows(
		facet,
		`SELECT ${facet} AS value, episodes FROM matching ${whereAll([`${facet} IS NOT NULL`, ...others])}`,
	);
}

/** The most common tags under all filters: several tags mean all of them. */
function tagRows(filtered: readonly Facet[]): string {
	const passing = whereAll(filtered.map(facet => `passes_${facet}`));
	return valueRows('tag', `SELECT unnest(list_distinct(tags)) AS value, episodes FROM matching ${passing}`);
}

function valueRows(kind: Facet | 'tag', values: string): string {
	return `
		SELECT '${kind}' AS kind, row_number() OVER (ORDER BY episodes DESC, value) AS place,
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

/**
 * One statement: the only scan of `episode` groups by profile, and everything else is made of the few rows that
 * leaves. Filters that a facet excludes from itself are therefore not conditions but columns (`passes_…`).
 */
function statement(
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	withTags: boolean,
	bound: Parameters,
): string {
	const conditions = facetConditions(query, bound);
	const filtered = [...conditions.keys()];
	const passesAll = filtered.map(facet => `passes_${facet}`);
	const passesButMarker = passesAll.filter(name => name !== 'passes_marker_signature');
	return `
		WITH grouped AS MATERIALIZED (
			SELECT e.profile_key, count(*) AS episodes, sum(e.frame_count) AS frames, sum(e.duration_s) AS seconds
			FROM episode e ${whereAll(episodeConditions(query, channels, bound))}
			GROUP BY e.profile_key
		), matching AS MATERIALIZED (
			SELECT p.dataset_key, d.dataset_name, g.episodes, g.frames, g.seconds,
				${facets.map(facet => `${facetValues[facet]} AS ${facet}`).join(', ')}
				${withTags ? ', p.tags' : ''}
				${[...conditions].map(([facet, condition]) => `, ${condition} AS passes_${facet}`).join('')}
			FROM grouped g JOIN profile p USING (profile_key) JOIN dataset d ON d.dataset_key = p.dataset_key
			${whereAll(sharedProfileConditions(query, bound))}
		)
		${facets.map(facet => `SELECT * FROM (${facetRows(facet, filtered)})`).join(' UNION ALL ')}
		${withTags ? `UNION ALL SELECT * FROM (${tagRows(filtered)})` : ''}
		UNION ALL
		SELECT 'unknown', NULL, NULL, coalesce(sum(episodes), 0)::HUGEINT, NULL, NULL, NULL, NULL
		FROM matching ${whereAll(['marker_signature IS NULL', ...passesButMarker])}
		UNION ALL
		SELECT 'dataset', NULL, dataset_name, sum(episodes)::HUGEINT, NULL, dataset_key, sum(frames), sum(seconds)
		FROM matching ${whereAll(passesAll)}
		GROUP BY dataset_key, dataset_name`;
}

/** Totals, facets and the datasets that hold the result. */
export async function summarize(
	database: Database,
	connection: DuckDBConnection,
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	withTags = false,
): Promise<Summary> {
	const bound = new Parameters();
	const sql = statement(query, channels, withTags, bound);
	const rows = Map.groupBy(await database.rows<Row>(connection, sql, bound), row => row.kind);
	const shares = rows.get('dataset') ?? [];
	return {
		total: count(shares.reduce((sum, {episodes}) => sum + episodes, 0n)),
		total_frames: count(shares.reduce((sum, {frames}) => sum + (frames ?? 0n), 0n)),
		total_duration_seconds: finite(shares.reduce((sum, {seconds}) => sum + (seconds ?? 0), 0)),
		facets: {
			by_task: listed(rows.get('task')),
			by_tier: listed(rows.get('tier')),
			by_interface_hash: listed(rows.get('interface_hash')),
			by_marker_signature: listed(rows.get('marker_signature')),
			by_task_total_values: cardinality(rows.get('task')),
			by_tier_total_values: cardinality(rows.get('tier')),
			by_interface_hash_total_values: cardinality(rows.get('interface_hash')),
			by_marker_signature_total_values: cardinality(rows.get('marker_signature')),
			marker_signature_unknown: count(rows.get('unknown')?.[0]?.episodes ?? 0n),
		},
		tags: {by_tag: listed(rows.get('tag')), by_tag_total_values: cardinality(rows.get('tag'))},
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
