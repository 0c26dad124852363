import type {ExploreRequest} from '../contract/explore.ts';
import {type Filter, noFilter} from './filter.ts';

/** The filter that a request stands for, page apart: datasets by their ids. */
export function fromRequest(request: ExploreRequest): Filter {
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
	};
}
