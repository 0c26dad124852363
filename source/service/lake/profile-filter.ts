import type {ExploreQuery} from '../../contract/explore.ts';
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
export function sharedProfileConditions(query: ExploreQuery, bound: Parameters): string[] {
	const conditions: string[] = [];
	if (query.tags?.length) conditions.push(`list_has_all(p.tags, ${bound.texts(query.tags)})`);
	if (query.dataset_ids?.length) {
		const ids = bound.texts(query.dataset_ids.map(id => id.toLowerCase()));
		conditions.push(`d.dataset_id IN (SELECT unnest(${ids}))`);
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

/** The condition of each facet that the request filters by; never NULL. */
export function facetConditions(query: ExploreQuery, bound: Parameters): Map<Facet, string> {
	const wanted: Record<Facet, readonly string[] | undefined> = {
		task: query.tasks,
		tier: query.tiers,
		interface_hash: query.interface_hashes,
		marker_signature: query.marker_signatures,
	};
	const conditions = new Map<Facet, string>();
	for (const facet of facets) {
		const values = wanted[facet];
		if (!values?.length) continue;
		conditions.set(
			facet,
			`coalesce(${facetValues[facet]} IN (SELECT unnest(${bound.texts(values)})), false)`,
		);
	}
	return conditions;
}
