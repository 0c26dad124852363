import type {ExploreQuestion} from '../contract/local-explore.ts';
import {uuid} from '../contract/scalars.ts';
import type {Filter, LeftOutValues} from './filter.ts';

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
