import type {EpisodeSort} from '../../contract/local-explore.ts';

import {suspectTag} from '../../contract/local-explore.ts';
import type {Filter} from '../../query/filter.ts';

/** Most unlike its siblings first. */
export const worstFirst: EpisodeSort = {by: 'doubt', direction: 'desc'};

/** The suspects of a filter; a copy of a suspect is none of its own, unless the filter asks for copies. */
export function suspectsOf(filter: Filter, {isOfOriginals}: {readonly isOfOriginals: boolean}): Filter {
	const {tags, lineage, parent} = filter;
	return {
		...filter,
		tags: tags.includes(suspectTag) ? tags : [...tags, suspectTag],
		...(isOfOriginals && lineage === undefined && parent === undefined && {lineage: 'originals'}),
	};
}

/** A filter without the terms that {@link suspectsOf} added to `before`. */
export function withoutSuspectTerms(filter: Filter, before: Filter): Filter {
	return {
		...filter,
		tags: before.tags.includes(suspectTag) ? filter.tags : filter.tags.filter(tag => tag !== suspectTag),
		lineage: before.lineage === undefined && filter.lineage === 'originals' ? undefined : filter.lineage,
	};
}
