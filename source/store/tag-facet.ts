import type {LakeFacets} from '../contract/facets.ts';
import {type TagFacet, tagFacet} from '../contract/local-explore.ts';

/** What was found in answers that were looked at: they are looked at again and again. */
const found = new WeakMap<LakeFacets, {readonly tags: TagFacet | undefined}>();

/** The tags of an answer, where it counts them: the interface does not, and another service's field may be anything. */
export function tagsOf(facets: LakeFacets): TagFacet | undefined {
	const known = found.get(facets) ?? {tags: tagFacet.safeParse(facets).data};
	found.set(facets, known);
	return known.tags;
}
