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
import {episodeConditions, facetConditions, facetValue, sharedProfileConditions} from './filters.ts';
import {text} from './literals.ts';
import {type Moment, within} from './moment.ts';
import type {Server} from './server.ts';

/** A row of the statement; counts are text, since a lake may hold more than a double counts. */
type Row = {
	kind: string;
	value: string;
	key: number;
	episodes: string;
	frames: string;
	seconds: number;
	total_values: number;
};

/** The largest double: durations that add up beyond it are clamped to it. */
const largest = 'toFloat64(1.7976931348623157e308)';

/** The values that an episode of a profile counts for, as an array of (kind, value) with the condition that it does. */
function countedFor(facet: Counted, passes: (but?: string) => string): string[] {
	const {id, response, unknown, meansAll} = facet;
	if (meansAll) {
		const each = `arrayMap(tag -> (${text(response)}, tag, ${passes()}), arrayDistinct(p.${facet.column[1]}))`;
		return [each];
	}
	const value = facetValue(facet);
	const listed = `[(${text(response)}, ifNull(toString(${value}), ''), ${value} IS NOT NULL AND ${passes(id)})]`;
	if (unknown === undefined) return [listed];
	return [listed, `[(${text(unknown)}, '', ${value} IS NULL AND ${passes(id)})]`];
}

/**
 * One statement over the profiles, each with its episodes: those summed when they were published, or, where the filter
 * looks at episodes, those of one grouped scan. Each profile counts for some values of facets and for its dataset; a
 * facet's own filter is left out of the condition that it counts.
 */
function statement(
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	counted: readonly Counted[],
	moment: Moment,
): string {
	const ofEpisodes = episodeConditions(query, channels, moment);
	const ofFacets = facetConditions(query);
	const passes = (but?: string) =>
		['1', ...[...ofFacets].flatMap(([id, condition]) => (id === but ? [] : [condition]))].join(' AND ');
	const counts = [
		...counted.flatMap(facet => countedFor(facet, passes)),
		`[('dataset', p.dataset_name, ${passes()})]`,
	].map(each => `CAST(${each}, 'Array(Tuple(String, String, UInt8))')`);
	const conditions = [within('p', moment.datasets), ...sharedProfileConditions(query)].join(' AND ');
	const [source, sums] =
		ofEpisodes.length === 0
			? ['profile p', ['p.episodes', 'p.frames', 'p.seconds']]
			: [
					`(
						SELECT e.generation_key AS generation_key, e.profile_key AS profile_key, count() AS n,
							sum(toUInt128(e.frame_count)) AS f, sum(e.duration_s) AS s
						FROM episode e WHERE ${[within('e', moment.datasets), ...ofEpisodes].join(' AND ')}
						GROUP BY e.generation_key, e.profile_key
					) g INNER JOIN profile p ON p.generation_key = g.generation_key AND p.profile_key = g.profile_key`,
					['g.n', 'g.f', 'g.s'],
				];
	return `
		SELECT kind, value, key, toString(n) AS episodes, toString(f) AS frames, least(s, ${largest}) AS seconds,
			count() OVER (PARTITION BY kind) AS total_values
		FROM (
			SELECT one.1 AS kind, one.2 AS value, if(kind = 'dataset', generation_key, 0) AS key, sum(n) AS n, sum(f) AS f, sum(s) AS s
			FROM (
				SELECT p.generation_key AS generation_key, ${sums[0]} AS n, ${sums[1]} AS f, ${sums[2]} AS s,
					arrayJoin(arrayFilter(one -> one.3, arrayConcat(${counts.join(', ')}))) AS one
				FROM ${source} WHERE ${conditions}
			)
			GROUP BY kind, value, key
		)
		ORDER BY kind, lengthUTF8(value) > ${longestFacetValue}, n DESC, value
		LIMIT ${exploreLimits.facetList} BY kind, key`;
}

/** Totals, facets and the datasets that hold the result; with our own facets beside those of the interface. */
export async function summarize(
	server: Server,
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	moment: Moment,
	{withOwn = false} = {},
): Promise<Summary> {
	const counted = countedFacets(withOwn);
	const rows =
		moment.datasets.length === 0 ? [] : await server.rows<Row>(statement(query, channels, counted, moment));
	return summaryOf(
		rows.map(
			(row, place): SummaryRow => ({
				kind: row.kind,
				value: row.value,
				place: BigInt(place),
				dataset_key: row.key,
				episodes: BigInt(row.episodes),
				frames: BigInt(row.frames),
				seconds: row.seconds,
				total_values: BigInt(row.total_values),
			}),
		),
		counted,
	);
}
