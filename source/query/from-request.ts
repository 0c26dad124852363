import type {ExploreQuestion} from '../contract/local-explore.ts';
import {type Filter, noFilter} from './filter.ts';

function leftOutOf(not: NonNullable<ExploreQuestion['not']>): Filter['not'] {
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
	const not = leftOutOf(request.not ?? {});
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
