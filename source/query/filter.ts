import type {ChannelPredicate} from '../contract/explore.ts';
import {type Facet, type FacetEntry, facets} from '../contract/facets.ts';
import type {ExploreQuestion, NumericPredicate} from '../contract/local-explore.ts';
import {uuid} from '../contract/scalars.ts';
import type {Lineage, ReviewState} from '../contract/vocabulary.ts';

type ValueOf<Entry> = Entry extends {values: readonly (infer Value)[]} ? Value | '' : string;

/**
 * A list of values for each facet. The empty string stands for episodes without a value where the facet says so
 * (`tier:none`); datasets are names or ids, see {@link toExploreRequest}.
 */
type FacetLists = {readonly [Entry in FacetEntry as Entry['list']]: readonly ValueOf<Entry>[]};

/** Values that no episode may have: each list as in {@link Filter}, absent where it is empty. */
export type LeftOutValues = Partial<FacetLists> & {readonly reviews?: readonly ReviewState[]};

/** A filter line as data: the wanted episodes, and their sort. */
export type Filter = FacetLists & {
	readonly review?: ReviewState | undefined;
	readonly index?: number | undefined;
	readonly parent?: number | undefined;
	readonly lineage?: Lineage | undefined;
	readonly descending: boolean;
	readonly numeric: readonly NumericPredicate[];
	readonly channels: readonly ChannelPredicate[];
	/** Searched for as text; the empty string asks for none. */
	readonly search: string;
	/** `-key:value`; absent where nothing is left out. */
	readonly not?: LeftOutValues | undefined;
};

/** The lists of a filter, each with the values of its facet. */
export function facetLists(valuesOf: (facet: Facet) => readonly string[]): FacetLists {
	return Object.fromEntries(facets.map(facet => [facet.list, valuesOf(facet)])) as FacetLists;
}

/** Those of the lists that hold something. */
function saidLists(
	lists: Readonly<Record<string, readonly string[] | undefined>>,
): LeftOutValues | undefined {
	const said = Object.entries(lists).filter(([, values]) => values !== undefined && values.length > 0);
	return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** The values that a filter leaves out, if any. */
export function leftOut(
	valuesOf: (facet: Facet) => readonly string[],
	reviews: readonly ReviewState[],
): LeftOutValues | undefined {
	return saidLists({...facetLists(valuesOf), reviews});
}

/** The filter that lets everything through. */
export const noFilter: Filter = {
	...facetLists(() => []),
	descending: false,
	numeric: [],
	channels: [],
	search: '',
};

/** Finds the id of a dataset by its name; undefined when no such dataset is known. */
export type DatasetIdByName = (name: string) => string | undefined;

export type RequestResult =
	| {readonly ok: true; readonly request: ExploreQuestion}
	| {readonly ok: false; readonly unknownDatasets: readonly string[]};

/** True if `dataset:` was given an id, which needs no lookup. */
export const isDatasetId = (text: string): boolean => uuid.safeParse(text).success;

/** The lists of a request, without those that are empty. */
function requestLists(
	lists: Partial<FacetLists>,
	datasetIds: readonly string[],
): Pick<ExploreQuestion, Facet['request']> {
	const asked = facets.map(({list, request}): [string, readonly string[]] => [
		request,
		list === 'datasets' ? datasetIds : [...(lists[list] ?? [])],
	]);
	return Object.fromEntries(asked.filter(([, values]) => values.length > 0));
}

/** The explore request that asks for what a filter says; the page is the caller's to add. */
export function toExploreRequest(filter: Filter, idOf: DatasetIdByName): RequestResult {
	const unknownDatasets: string[] = [];
	const idsOf = (names: readonly string[]) =>
		names.flatMap(dataset => {
			const id = isDatasetId(dataset) ? dataset : idOf(dataset);
			if (id === undefined) unknownDatasets.push(dataset);
			return id === undefined ? [] : [id];
		});
	const datasetIds = idsOf(filter.datasets);
	const leftOutIds = idsOf(filter.not?.datasets ?? []);
	if (unknownDatasets.length > 0) return {ok: false, unknownDatasets};
	const {not} = filter;
	const request: ExploreQuestion = {
		...requestLists(filter, datasetIds),
		...(filter.numeric.length === 0 ? {} : {numeric_predicates: [...filter.numeric]}),
		...(filter.channels.length === 0 ? {} : {channel_predicates: [...filter.channels]}),
		...(filter.search === '' ? {} : {search: filter.search}),
		...(filter.review === undefined ? {} : {review_state: filter.review}),
		...(filter.index === undefined ? {} : {episode_index: filter.index}),
		...(filter.parent === undefined ? {} : {parent_episode_index: filter.parent}),
		...(filter.lineage === undefined ? {} : {lineage: filter.lineage}),
		...(filter.descending ? {order_desc: true} : {}),
		...(not === undefined
			? {}
			: {
					not: {
						...requestLists(not, leftOutIds),
						...(not.reviews === undefined ? {} : {review_states: [...not.reviews]}),
					},
				}),
	};
	return {ok: true, request};
}

/** The filter that a request stands for, page apart: datasets by their ids. */
export function fromRequest(request: ExploreQuestion): Filter {
	const {not: out = {}} = request;
	const not = leftOut(facet => out?.[facet.request] ?? [], out?.review_states ?? []);
	return {
		...facetLists(facet => request[facet.request] ?? []),
		review: request.review_state || undefined,
		index: request.episode_index ?? undefined,
		parent: request.parent_episode_index ?? undefined,
		lineage: request.lineage || undefined,
		descending: request.order_desc ?? false,
		numeric: request.numeric_predicates ?? [],
		channels: (request.channel_predicates ?? []).map(({stream = 'action', ...rest}) => ({stream, ...rest})),
		search: request.search ?? '',
		...(not === undefined ? {} : {not}),
	};
}
