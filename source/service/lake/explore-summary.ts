import {lakeFacets} from '../../contract/explore.ts';
import {type Facet, facets, totalField} from '../../contract/facets.ts';
import {
	type LocalExploreQuery,
	type LocalExploreResponse,
	localExploreResponse,
} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import {count} from './count.ts';

/*
 * Totals and facets out of the rows in which an engine counts them.
 */

/** How many episodes of the result a dataset holds. */
export type DatasetShare = {dataset_key: number; dataset_name: string; episodes: number};

/** All of an explore response that does not depend on the page. */
export type Summary = {
	total: Count;
	total_frames: Count;
	total_duration_seconds: number;
	/** Those of the interface, or also our own. */
	facets: LocalExploreResponse['facets'];
	/** The datasets that hold the result, in the order of the lake: by name. */
	datasets: DatasetShare[];
};

/** Section 2.3: longer values are counted, not listed. */
export const longestFacetValue = 2048;

/** One row of the statement: a value of a facet (`by_…`), its episodes without one, or a dataset's share. */
export type SummaryRow = {
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
export type Counted = Facet & {readonly response: string};
const countable = facets.filter((facet): facet is Counted => facet.response !== undefined);
const isOfInterface = ({response}: Counted) => Object.hasOwn(lakeFacets.shape, response);

/** The facets that are counted: those of the interface, or also our own. */
export const countedFacets = (withOwn: boolean): readonly Counted[] =>
	withOwn ? countable : countable.filter(isOfInterface);

/** The summary that these rows make. */
export function summaryOf(found: readonly SummaryRow[], counted: readonly Counted[]): Summary {
	const rows = Map.groupBy(found, row => row.kind);
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
function facetsOf(
	rows: ReadonlyMap<string, readonly SummaryRow[]>,
	counted: readonly Counted[],
): Summary['facets'] {
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

function listed(rows: readonly SummaryRow[] = []) {
	return rows
		.filter(row => [...(row.value ?? '')].length <= longestFacetValue)
		.sort((a, b) => Number((a.place ?? 0n) - (b.place ?? 0n)))
		.map(row => ({value: row.value ?? '', count: count(row.episodes)}));
}

function cardinality(rows: readonly SummaryRow[] = []): Count {
	return count(rows[0]?.total_values ?? 0n);
}

/** Durations that add up beyond a double's range: JSON has no infinity. */
function finite(seconds: number): number {
	return Math.min(seconds, Number.MAX_VALUE);
}

/** The part of the result that a page lies in. */
export type Stretch = {datasets: readonly DatasetShare[]; skip: number; take: number};

/**
 * Finds the datasets that a page takes rows from, by the counts that the summary made: however deep the page lies,
 * only those are looked into.
 */
export function stretchOf(shares: readonly DatasetShare[], query: LocalExploreQuery): Stretch {
	const ordered = query.order_desc ? shares.toReversed() : shares;
	const datasets: DatasetShare[] = [];
	let passed = 0;
	let skip = 0;
	for (const share of ordered) {
		if (passed >= query.offset + query.limit) break;
		if (passed + share.episodes > query.offset) {
			if (datasets.length === 0) skip = query.offset - passed;
			datasets.push(share);
		}
		passed += share.episodes;
	}
	return {datasets, skip, take: query.limit};
}
