import * as z from 'zod';
import {lakeEpisode} from './episode.ts';
import {channelPredicateEvidence} from './evidence.ts';
import {lakeFacets} from './facets.ts';
import {exploreLimits as limits} from './limits.ts';
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

/** Section 4.1: a bound on one of an episode's own figures. */
export const numericPredicate = z.strictObject({
	field: z.enum(numericFields),
	op: z.enum(comparisons),
	value: z.number(),
});
export type NumericPredicate = z.output<typeof numericPredicate>;

/** Section 4.1: a bound on one channel of a stream, summed up over the episode. */
export const channelPredicate = z.strictObject({
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
/** What a caller may write: everything optional. */
export type ExploreRequest = z.input<typeof exploreRequest>;
/** What a service reads: defaults filled in. */
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
