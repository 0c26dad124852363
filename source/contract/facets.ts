import * as z from 'zod';
import {exploreLimits} from './limits.ts';
import {integer, maxCount} from './scalars.ts';

/** Section 2.3: how many episodes of the result hold one value. */
export const facetCount = z.looseObject({
	value: z.string().max(2048),
	count: integer({min: 1n, max: maxCount}),
});
export type FacetCount = z.output<typeof facetCount>;

const facetList = z.array(facetCount).max(exploreLimits.facetList);

/** Section 2.3: each facet is computed without its own filter, its list bounded, its cardinality whole. */
export const lakeFacets = z.looseObject({
	by_task: facetList,
	by_tier: facetList,
	by_interface_hash: facetList,
	by_marker_signature: facetList.nullish(),
	by_task_total_values: integer({max: maxCount}),
	by_tier_total_values: integer({max: maxCount}),
	by_interface_hash_total_values: integer({max: maxCount}),
	by_marker_signature_total_values: integer({min: 0n, max: maxCount}).nullish(),
	marker_signature_unknown: integer({min: 0n, max: maxCount}).nullish(),
});
export type LakeFacets = z.output<typeof lakeFacets>;
