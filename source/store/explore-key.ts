import type {EpisodeSort} from '../contract/local-explore.ts';
import {pageSize as askedPageSize} from './pages.ts';
import type {Question} from './result.ts';

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
