import type {OwnExploreQuery} from '../../../contract/local-explore.ts';
import type {Parameters} from './parameters.ts';

/** The facets of section 2.3 and what each counts, over `profile p` and `dataset d`. */
export const facetValues = {
	task: 'p.task',
	tier: `coalesce(p.tier, '')`,
	interface_hash: 'd.interface_hash',
	marker_signature: 'p.marker_signature',
} as const;
export type Facet = keyof typeof facetValues;
export const facets = Object.keys(facetValues) as Facet[];

/**
 * Case folding, for text that is searched: every code point becomes Unicode's simple lowercase of it, by itself (so Σ
 * is always σ, İ is i, and ß is not ss). Both sides are folded by DuckDB, so they agree on the version of Unicode.
 */
export const folded = (text: string) => `lower(${text})`;

/** The conditions on `profile p` and `dataset d` that hold for every facet: tags, dataset and search. */
export function sharedProfileConditions(query: OwnExploreQuery, bound: Parameters): string[] {
	const conditions: string[] = [];
	if (query.tags?.length) conditions.push(`list_has_all(p.tags, ${bound.texts(query.tags)})`);
	if (query.dataset_ids?.length) {
		const ids = bound.texts(query.dataset_ids.map(id => id.toLowerCase()));
		conditions.push(`d.dataset_id IN (SELECT unnest(${ids}))`);
	}
	if (query.not?.tags?.length) {
		conditions.push(`NOT list_has_any(p.tags, ${bound.texts(query.not.tags)})`);
	}
	if (query.not?.dataset_ids?.length) {
		const ids = bound.texts(query.not.dataset_ids.map(id => id.toLowerCase()));
		conditions.push(`d.dataset_id NOT IN (SELECT unnest(${ids}))`);
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
export function facetConditions(query: OwnExploreQuery, bound: Parameters): Map<Facet, string> {
	const valuesOf = ({tasks, tiers, interface_hashes, marker_signatures}: FacetLists): FacetValues => ({
		task: tasks,
		tier: tiers,
		interface_hash: interface_hashes,
		marker_signature: marker_signatures,
	});
	const wanted = valuesOf(query);
	const unwanted = valuesOf(query.not ?? {});
	const conditions = new Map<Facet, string>();
	for (const facet of facets) {
		const among = (values: readonly string[]) =>
			`coalesce(${facetValues[facet]} IN (SELECT unnest(${bound.texts(values)})), false)`;
		const [asked, left] = [wanted[facet] ?? [], unwanted[facet] ?? []];
		const both = [
			...(asked.length > 0 ? [among(asked)] : []),
			...(left.length > 0 ? [`NOT ${among(left)}`] : []),
		];
		if (both.length > 0) conditions.set(facet, `(${both.join(' AND ')})`);
	}
	return conditions;
}

type FacetLists = Pick<OwnExploreQuery, 'tasks' | 'tiers' | 'interface_hashes' | 'marker_signatures'>;
type FacetValues = Record<Facet, readonly string[] | undefined>;
