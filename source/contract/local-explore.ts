import * as z from 'zod';
import {
	exploreRequest,
	exploreResponse,
	type FacetCount,
	facetCount,
	type LakeFacets,
	lakeFacets,
	numericPredicate,
} from './explore.ts';
import {type Facet, type FacetEntry, facets, totalField} from './facets.ts';
import {exploreLimits} from './limits.ts';
import {type Metric, type MetricName, metricNames, metrics, metricWords, ownMetrics} from './metrics.ts';
import {type Count, integer, maxCount} from './scalars.ts';
import {reviewStates} from './vocabulary.ts';

/** A metric by its name, the interface's and our own. */
export const metricField = z
	.enum(metricNames)
	.meta({description: metrics.map(metric => `${metric.name}: ${metricWords(metric)}.`).join(' ')});

/** A bound on one of an episode's metrics. */
const ownNumericPredicate = numericPredicate.extend({field: metricField});
export type NumericPredicate = z.output<typeof ownNumericPredicate>;

/** The figures that episodes can be sorted by: their metrics, and how unlike their siblings they are. */
export const sortFields: readonly (MetricName | 'doubt')[] = [...metricNames, 'doubt'];
export type SortField = (typeof sortFields)[number];

/** The tag of an episode that is unlike its siblings, or broken. */
export const suspectTag = 'suspect';

/** The tags that an ingest gives to a suspect episode; a dataset's own tags stand beside these. */
export const suspectTags = [
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
	'off-course',
	'off-pace',
	'too-smooth',
	'jump',
	'noisy-state',
	'lag',
	'off-scale',
	'dead-follower',
	'duplicate',
	'wrong-label',
	'mistyped-task',
] as const;
export type SuspectTag = (typeof suspectTags)[number];

const sortDirections = ['asc', 'desc'] as const;

/** Episodes without the figure come last either way; among equals the lake's own order holds. */
export const episodeSort = z.strictObject({
	by: z.enum(sortFields),
	direction: z.enum(sortDirections).default('desc'),
});
export type EpisodeSort = z.output<typeof episodeSort>;

type InterfaceFields = (typeof exploreRequest)['shape'];
const facetValues = z.array(z.string()).max(exploreLimits.facetValues).optional();

/** The facets that the interface's request has no field for. */
const ownRequestFacets = facets.filter(({request}) => !Object.hasOwn(exploreRequest.shape, request));
type OwnRequests = {
	[Field in Exclude<FacetEntry['request'], keyof InterfaceFields>]: typeof facetValues;
};
const ownRequests = Object.fromEntries(
	ownRequestFacets.map(({request}) => [request, facetValues]),
) as OwnRequests;

const listsOfFacets = Object.fromEntries(facets.map(({request}) => [request, true])) as {
	[Field in FacetEntry['request']]: true;
};

/**
 * Values that episodes must not have: none of any of these lists. An episode that has no value at all (no task,
 * no embodiment, no markers) passes.
 */
const negatedValues = exploreRequest
	.extend(ownRequests)
	.pick(listsOfFacets)
	.extend({review_states: z.array(z.enum(reviewStates)).max(reviewStates.length).optional()});

/** 4.1, with facets and metrics of our own, and values that are left out. What a filter of lakescope stands for. */
export const ownExploreRequest = exploreRequest.extend(ownRequests).extend({
	numeric_predicates: z.array(ownNumericPredicate).max(exploreLimits.numericPredicates).optional(),
	not: negatedValues.nullish(),
});
/** Without `not` and facets and metrics of our own it is a request of the interface, which any service answers. */
export type ExploreQuestion = z.input<typeof ownExploreRequest>;
export type OwnExploreQuery = z.output<typeof ownExploreRequest>;

/** The ability of a service that answers requests with `not`. */
export const negationAbility = 'negation';

/** The ability of a service that filters by a facet which the interface's request does not have. */
const facetAbility = ({key}: Facet) => `filter-${key}`;
export const facetAbilities: readonly string[] = ownRequestFacets.map(facetAbility);

/** The ability of a service that filters by a metric which the interface does not have. */
const metricAbility = ({name}: Metric) => `metric-${name}`;
export const metricAbilities: readonly string[] = ownMetrics.map(metricAbility);

/** The abilities that a service needs besides the interface to answer a request, and how the filter writes them. */
export function abilitiesFor(
	request: ExploreQuestion,
): readonly {ability: string; field: string; says: string}[] {
	const {not, numeric_predicates: predicates = []} = request;
	const measured = ownMetrics.filter(({name}) => predicates.some(({field}) => field === name));
	const asked = ownRequestFacets.filter(facet =>
		[request, not].some(lists => ((lists as Lists)?.[facet.request]?.length ?? 0) > 0),
	);
	return [
		...(not == null
			? []
			: [{ability: negationAbility, field: 'not', says: 'that leaves values out (-key:value)'}]),
		...asked.map(facet => ({
			ability: facetAbility(facet),
			field: facet.request,
			says: `by ${facet.noun} (${facet.key}:value)`,
		})),
		...measured.map(metric => ({
			ability: metricAbility(metric),
			field: 'numeric_predicates',
			says: `by ${metric.name}`,
		})),
	];
}

type Lists = Readonly<Partial<Record<string, readonly string[]>>> | null | undefined;

/** `POST /local/v1/explore`: 4.1, with values left out and an order of one's own. Shapes of lakescope's own. */
export const localExploreRequest = ownExploreRequest.extend({sort: episodeSort.nullish()});
export type LocalExploreRequest = z.input<typeof localExploreRequest>;
export type LocalExploreQuery = z.output<typeof localExploreRequest>;

type OwnResponseEntry = Exclude<
	Extract<FacetEntry, {response: string}>,
	{response: keyof (typeof lakeFacets)['shape']}
>;
const ownFacetList = z.array(facetCount).max(exploreLimits.facetList);
const ownFacetTotal = integer({max: maxCount});
type IfLater<Entry, Schema extends z.ZodType> = Entry extends {isLater: true}
	? z.ZodOptional<z.ZodNullable<Schema>>
	: Schema;
type OwnResponses = {
	[Entry in OwnResponseEntry as Entry['response']]: IfLater<Entry, typeof ownFacetList>;
} & {
	[Entry in OwnResponseEntry as `${Entry['response']}_total_values`]: IfLater<Entry, typeof ownFacetTotal>;
};

/** How many episodes have each value of the facets that the interface's response does not have. */
const ownResponses = Object.fromEntries(
	facets.flatMap(({response, isLater}) => {
		if (response === undefined || Object.hasOwn(lakeFacets.shape, response)) return [];
		return [
			[response, isLater ? ownFacetList.nullish() : ownFacetList],
			[totalField(response), isLater ? ownFacetTotal.nullish() : ownFacetTotal],
		];
	}),
) as OwnResponses;

/** The answer of 4.1, with our own facets. That of the tags is under all filters, as several tags narrow each other. */
export const localExploreResponse = exploreResponse.extend({facets: lakeFacets.extend(ownResponses)});
export type LocalExploreResponse = z.output<typeof localExploreResponse>;

/** The counts of a facet in an answer. */
export type CountedFacet = {
	readonly values: readonly FacetCount[];
	/** How many values there are; undefined where the service does not say. */
	readonly total: Count | undefined;
	/** How many episodes have no value, where that is counted. */
	readonly unknown: Count | undefined;
};

const ownFields: Readonly<Record<string, z.ZodType>> = ownResponses;
const ownSchemas = new Map(
	facets.flatMap(({response = ''}) => {
		const [list, total] = [ownFields[response], ownFields[totalField(response)]];
		return list && total ? [[response, z.object({[response]: list, [totalField(response)]: total})]] : [];
	}),
);

/** The counts read of answers: they are read again and again. */
const readCounts = new WeakMap<LakeFacets, Map<string, LakeFacets | undefined>>();

/** An answer's facets, if it has what ours should be; in another service's answer a field of that name may be anything. */
function readOwn(counted: LakeFacets, response: string, schema: z.ZodType): LakeFacets | undefined {
	const known = readCounts.get(counted) ?? new Map<string, LakeFacets | undefined>();
	readCounts.set(counted, known);
	if (!known.has(response)) known.set(response, schema.safeParse(counted).data as LakeFacets | undefined);
	return known.get(response);
}

/** The counts of a facet in an answer; undefined if the service does not count it. */
export function countsOf({response, unknown}: Facet, counted: LakeFacets): CountedFacet | undefined {
	if (response === undefined) return undefined;
	const own = ownSchemas.get(response);
	const read = own === undefined ? counted : readOwn(counted, response, own);
	const values = read?.[response] as readonly FacetCount[] | null | undefined;
	if (read === undefined || values == null) return undefined;
	return {
		values,
		total: (read[totalField(response)] ?? undefined) as Count | undefined,
		unknown: unknown === undefined ? undefined : ((read[unknown] ?? undefined) as Count | undefined),
	};
}
