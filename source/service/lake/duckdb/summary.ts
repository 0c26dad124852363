import type {DuckDBConnection} from '@duckdb/node-api';
import type {FacetId} from '../../../contract/facets.ts';
import {exploreLimits} from '../../../contract/limits.ts';
import type {OwnExploreQuery} from '../../../contract/local-explore.ts';
import type {ResolvedPredicate} from '../channel-slots.ts';
import {
	type Counted,
	countedFacets,
	longestFacetValue,
	type Summary,
	type SummaryRow,
	summaryOf,
} from '../explore-summary.ts';
import type {Database} from './database.ts';
import {episodeConditions, whereAll} from './episode-filter.ts';
import {Parameters} from './parameters.ts';
import {facetConditions, facetValue, sharedProfileConditions} from './profile-filter.ts';

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
	const counted = countedFacets(withOwn);
	const sql = statement(query, channels, counted, bound);
	const rows = await database.rows<SummaryRow>(connection, sql, bound);
	return summaryOf(rows, counted);
}
