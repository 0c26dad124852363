import type {ChannelPredicate, NumericPredicate} from '../contract/explore.ts';
import type {ExploreQuestion} from '../contract/local-explore.ts';
import {uuid} from '../contract/scalars.ts';
import type {Lineage, ReviewState, Tier} from '../contract/vocabulary.ts';

/** Values that no episode may have: each list as in {@link Filter}, absent where it is empty. */
export type LeftOutValues = {
	readonly tasks?: readonly string[];
	readonly tiers?: readonly (Tier | '')[];
	readonly interfaces?: readonly string[];
	readonly markers?: readonly string[];
	readonly datasets?: readonly string[];
	readonly tags?: readonly string[];
	readonly reviews?: readonly ReviewState[];
};

/** What a filter line says: which episodes are wanted, in which order. */
export type Filter = {
	readonly tasks: readonly string[];
	/** The empty string stands for episodes without a tier (`tier:none`). */
	readonly tiers: readonly (Tier | '')[];
	readonly interfaces: readonly string[];
	readonly markers: readonly string[];
	/** Names or ids; see {@link toExploreRequest}. */
	readonly datasets: readonly string[];
	readonly tags: readonly string[];
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

/** The filter that lets everything through. */
export const noFilter: Filter = {
	tasks: [],
	tiers: [],
	interfaces: [],
	markers: [],
	datasets: [],
	tags: [],
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

/** Whether `dataset:` was given an id, which needs no looking up. */
export const isDatasetId = (text: string): boolean => uuid.safeParse(text).success;

const when = <Name extends keyof ExploreQuestion>(
	name: Name,
	values: ExploreQuestion[Name] & {length: number},
) => (values.length > 0 ? {[name]: values} : {});

function leftOutOf(not: LeftOutValues, datasetIds: string[]): NonNullable<ExploreQuestion['not']> {
	return {
		...when('tasks', [...(not.tasks ?? [])]),
		...when('tiers', [...(not.tiers ?? [])]),
		...when('interface_hashes', [...(not.interfaces ?? [])]),
		...when('marker_signatures', [...(not.markers ?? [])]),
		...when('dataset_ids', datasetIds),
		...when('tags', [...(not.tags ?? [])]),
		...(not.reviews === undefined ? {} : {review_states: [...not.reviews]}),
	};
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
	const request: ExploreQuestion = {
		...when('tasks', [...filter.tasks]),
		...when('tiers', [...filter.tiers]),
		...when('interface_hashes', [...filter.interfaces]),
		...when('marker_signatures', [...filter.markers]),
		...when('dataset_ids', datasetIds),
		...when('tags', [...filter.tags]),
		...when('numeric_predicates', [...filter.numeric]),
		...when('channel_predicates', [...filter.channels]),
		...when('search', filter.search),
		...(filter.review === undefined ? {} : {review_state: filter.review}),
		...(filter.index === undefined ? {} : {episode_index: filter.index}),
		...(filter.parent === undefined ? {} : {parent_episode_index: filter.parent}),
		...(filter.lineage === undefined ? {} : {lineage: filter.lineage}),
		...(filter.descending ? {order_desc: true} : {}),
		...(filter.not === undefined ? {} : {not: leftOutOf(filter.not, leftOutIds)}),
	};
	return {ok: true, request};
}

function fromRequestLeftOutOf(not: NonNullable<ExploreQuestion['not']>): Filter['not'] {
	const lists = {
		tasks: not.tasks,
		tiers: not.tiers,
		interfaces: not.interface_hashes,
		markers: not.marker_signatures,
		datasets: not.dataset_ids,
		tags: not.tags,
		reviews: not.review_states,
	};
	const said = Object.entries(lists).filter(([, values]) => values !== undefined && values.length > 0);
	return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** The filter that a request stands for, page apart: datasets by their ids. */
export function fromRequest(request: ExploreQuestion): Filter {
	const not = fromRequestLeftOutOf(request.not ?? {});
	return {
		...noFilter,
		tasks: request.tasks ?? [],
		tiers: request.tiers ?? [],
		interfaces: request.interface_hashes ?? [],
		markers: request.marker_signatures ?? [],
		datasets: request.dataset_ids ?? [],
		tags: request.tags ?? [],
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
