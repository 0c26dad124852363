import {type Facet, type FacetId, facets} from '../../../contract/facets.ts';
import type {OwnExploreQuery} from '../../../contract/local-explore.ts';
import type {Parameters} from './parameters.ts';

const tables = {profile: 'p', dataset: 'd'} as const;

/** The column of a facet, over `profile p` and `dataset d`. */
const columnOf = ({column: [table, name]}: Facet) => `${tables[table]}.${name}`;

/** The column that a facet counts; an episode without a value may count as one with the empty value. */
export const facetValue = (facet: Facet): string =>
	facet.none === undefined ? columnOf(facet) : `coalesce(${columnOf(facet)}, '')`;

/** The facets of which any of several values is enough: those are counted without their own filter. */
const alternatives = facets.filter(({meansAll}) => !meansAll);

/** The facets of which an episode must have every value that is asked for: columns that hold lists. */
const conjunctions = facets.filter(({meansAll}) => meansAll);

/**
 * Case folding, for text that is searched: every code point becomes Unicode's simple lowercase of it, by itself (so Σ
 * is always σ, İ is i, and ß is not ss). Both sides are folded by DuckDB, so they agree on the version of Unicode.
 */
export const folded = (text: string) => `lower(${text})`;

/** The conditions on `profile p` and `dataset d` that hold for every facet: tags and search. */
export function sharedProfileConditions(query: OwnExploreQuery, bound: Parameters): string[] {
	const conditions: string[] = [];
	for (const facet of conjunctions) {
		const [asked, left] = askedOf(query, facet);
		if (asked.length > 0) conditions.push(`list_has_all(${columnOf(facet)}, ${bound.texts(asked)})`);
		if (left.length > 0) conditions.push(`NOT list_has_any(${columnOf(facet)}, ${bound.texts(left)})`);
	}
	if (query.search !== '') {
		const wanted = folded(bound.text(query.search));
		const holds = (text: string) => `contains(${folded(text)}, ${wanted})`;
		conditions.push(
			`(coalesce(${holds('p.task')}, false) OR ${holds('d.dataset_name')}
				OR len(list_filter(p.tags, lambda tag: ${holds('tag')})) > 0)`,
		);
	}
	return conditions;
}

/** The condition of each facet that the request filters by, values asked for and values left out; never NULL. */
export function facetConditions(query: OwnExploreQuery, bound: Parameters): Map<FacetId, string> {
	const conditions = new Map<FacetId, string>();
	for (const facet of alternatives) {
		const {column, requestColumn} = facet;
		const value = requestColumn === undefined ? facetValue(facet) : `${tables[column[0]]}.${requestColumn}`;
		const among = (values: readonly string[]) =>
			`coalesce(${value} IN (SELECT unnest(${bound.texts(values)})), false)`;
		const [asked, left] = askedOf(query, facet);
		const both = [
			...(asked.length > 0 ? [among(asked)] : []),
			...(left.length > 0 ? [`NOT ${among(left)}`] : []),
		];
		if (both.length > 0) conditions.set(facet.id, `(${both.join(' AND ')})`);
	}
	return conditions;
}

/** The values of a facet that a request asks for, and those that it leaves out. */
function askedOf(query: OwnExploreQuery, {request, requestColumn}: Facet): [string[], string[]] {
	const asked = ({[request]: values}: Pick<OwnExploreQuery, Facet['request']>) =>
		(values ?? []).map(value => (requestColumn === undefined ? value : value.toLowerCase()));
	return [asked(query), asked(query.not ?? {})];
}
