import * as z from 'zod';
import {channelPredicateEvidence, lakeEpisode} from './episode.ts';
import {exploreLimits, exploreLimits as limits} from './limits.ts';
import {integer, maxCount, maxIndex, maxSignedIndex, real, smallInteger} from './scalars.ts';
import {
	aggregates,
	comparisons,
	lineages,
	numericFields,
	reviewStates,
	streams,
	tiers,
} from './vocabulary.ts';

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

/** Section 4.1: a bound on one of an episode's own figures. */
export const numericPredicate = z.strictObject({
	field: z.enum(numericFields),
	op: z.enum(comparisons),
	value: z.number(),
});

/** Section 4.1: a bound on one channel of a stream, summed up over the episode. */
const channelPredicate = z.strictObject({
	stream: z.enum(streams).default('action'),
	channel: z.string(),
	agg: z.enum(aggregates),
	op: z.enum(comparisons),
	value: z.number(),
});
export type ChannelPredicate = z.output<typeof channelPredicate>;

const values = z.array(z.string()).max(limits.facetValues);

/**
 * Section 4.1, the request body. The document gives defaults to some fields and none to others; those are read as
 * "not asked for" (an absent list, `order_desc` false).
 */
export const exploreRequest = z.strictObject({
	tasks: values.optional(),
	tiers: z
		.array(z.enum(['', ...tiers]))
		.max(limits.facetValues)
		.optional(),
	interface_hashes: values.optional(),
	tags: values.optional(),
	marker_signatures: values.optional(),
	review_state: z.enum(['', ...reviewStates]).default(''),
	dataset_ids: z.array(z.string()).max(limits.datasetIds).optional(),
	episode_index: smallInteger(maxSignedIndex).nullish(),
	lineage: z.enum(['', ...lineages]).default(''),
	parent_episode_index: smallInteger(maxSignedIndex).nullish(),
	order_desc: z.boolean().default(false),
	limit: z.int().min(limits.page.min).max(limits.page.max).default(limits.page.default),
	offset: z.int().min(0).max(maxIndex).default(0),
	search: z.string().default(''),
	numeric_predicates: z.array(numericPredicate).max(limits.numericPredicates).optional(),
	channel_predicates: z.array(channelPredicate).max(limits.channelPredicates).optional(),
});
/** A request as a caller writes it: everything optional. */
export type ExploreRequest = z.input<typeof exploreRequest>;
/** A request as a service reads it: defaults filled in. */
export type ExploreQuery = z.output<typeof exploreRequest>;

/** Section 4.1, the response body. */
export const exploreResponse = z.looseObject({
	episodes: z.array(lakeEpisode).max(limits.page.max),
	channel_predicate_evidence: z.array(channelPredicateEvidence).max(limits.evidence),
	total: integer({max: maxCount}),
	total_frames: integer({max: maxCount}),
	total_duration_seconds: real,
	facets: lakeFacets,
	page_limit: z.int().min(limits.page.min).max(limits.page.max),
	page_offset: z.int().min(0).max(maxIndex),
});
export type ExploreResponse = z.output<typeof exploreResponse>;
