import * as z from 'zod';
import {exploreRequest, exploreResponse, facetCount, lakeFacets} from './explore.ts';
import {exploreLimits} from './limits.ts';
import {integer, maxCount} from './scalars.ts';
import {numericFields, reviewStates} from './vocabulary.ts';

/** What episodes can be ordered by: their figures, and how unlike their siblings they are. */
export const sortFields = [...numericFields, 'doubt'] as const;
export type SortField = (typeof sortFields)[number];

/** The tag of an episode that is unlike its siblings, or broken. */
export const suspectTag = 'suspect';

/** What an ingest tags an episode with that is suspect; a dataset's own tags stand beside these. */
export const doubtTags = [
	suspectTag,
	'broken',
	'too-long',
	'too-short',
	'long-pause',
	'jerky',
	'long-path',
	'short-path',
	'far-start',
	'far-end',
	'odd-range',
	'off-leader',
	'frozen',
	'dropped-frames',
	'out-of-step',
] as const;
export type DoubtTag = (typeof doubtTags)[number];

const sortDirections = ['asc', 'desc'] as const;

/** Episodes without the figure come last either way; among equals the lake's own order holds. */
export const episodeSort = z.strictObject({
	by: z.enum(sortFields),
	direction: z.enum(sortDirections).default('desc'),
});
export type EpisodeSort = z.output<typeof episodeSort>;

const {tasks, tiers, interface_hashes, tags, marker_signatures, dataset_ids} = exploreRequest.shape;

/**
 * What episodes must not have: none of the values of any of these lists. An episode that has no value at all (no task,
 * no embodiment, no markers) passes.
 */
const negatedValues = z.strictObject({
	tasks,
	tiers,
	interface_hashes,
	tags,
	marker_signatures,
	dataset_ids,
	review_states: z.array(z.enum(reviewStates)).max(reviewStates.length).optional(),
});

/** 4.1, with values that are left out. What a filter of lakescope stands for. */
export const ownExploreRequest = exploreRequest.extend({not: negatedValues.nullish()});
/** Without `not` it is a request of the interface, which any service answers. */
export type ExploreQuestion = z.input<typeof ownExploreRequest>;
export type OwnExploreQuery = z.output<typeof ownExploreRequest>;

/** The ability of a service that answers requests with `not`. */
export const negationAbility = 'negation';

/** `POST /local/v1/explore`: 4.1, with values left out and an order of one's own. Shapes of lakescope's own. */
export const localExploreRequest = ownExploreRequest.extend({sort: episodeSort.nullish()});
export type LocalExploreRequest = z.input<typeof localExploreRequest>;
export type LocalExploreQuery = z.output<typeof localExploreRequest>;

/** How many episodes have each tag, beside the facets of the interface. */
export const tagFacet = z.object({
	by_tag: z.array(facetCount).max(exploreLimits.facetList),
	by_tag_total_values: integer({max: maxCount}),
});
export type TagFacet = z.output<typeof tagFacet>;

/** The answer of 4.1, with a facet of the tags: under all filters, as those of several tags narrow each other. */
export const localExploreResponse = exploreResponse.extend({
	facets: lakeFacets.extend(tagFacet.shape),
});
export type LocalExploreResponse = z.output<typeof localExploreResponse>;
