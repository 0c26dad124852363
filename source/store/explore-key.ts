import type {EpisodeSort} from '../contract/local-explore.ts';
import {pageSize as askedPageSize} from './pages.ts';
import type {Question} from './result.ts';

/** Where the cache keeps a page of the answer to a question. */
export function exploreKey(
	question: Question,
	page: number,
	pageSize = askedPageSize,
	sort?: EpisodeSort,
): readonly unknown[] {
	return ['explore', question, pageSize, page, ...(sort === undefined ? [] : [sort])];
}
