import type {QueryObserverOptions} from '@tanstack/query-core';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {ExplorePage, Question, ReadPage} from '../queries/explore-result.ts';
import {pageSize as askedPageSize} from './pages.ts';

/** A page looked at again after this long is read again. */
const pageStaleMs = 60_000;

/** The first page is polled; what the filter line, or another filter a moment ago, has read of it is taken as it is. */
const firstStaleMs = 15_000;

/** How a page of the answer to a question is read into the cache, whoever wants it. */
export function pageOptions(
	read: ReadPage,
	{question, page, pageSize, sort}: {question: Question; page: number; pageSize: number; sort?: EpisodeSort},
): QueryObserverOptions<ExplorePage> {
	return {
		queryKey: exploreKey(question, page, pageSize, sort),
		queryFn: ({signal}) => read({...question, limit: pageSize, offset: page * pageSize}, {signal, sort}),
		staleTime: page === 0 ? firstStaleMs : pageStaleMs,
		// Two readings are hardly ever equal, and comparing 200 episodes costs more than showing them again.
		structuralSharing: false,
	};
}

/** What all of these keys begin with. */
export const exploreKeys = ['explore'] as const;

/** Where the cache keeps a page of the answer to a question. */
export function exploreKey(
	question: Question,
	page: number,
	pageSize = askedPageSize,
	sort?: EpisodeSort,
): readonly unknown[] {
	return [...exploreKeys, question, pageSize, page, ...(sort === undefined ? [] : [sort])];
}
