import type {QueryObserverOptions} from '@tanstack/query-core';
import {firstQuestion} from '../../contract/first-question.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {ExplorePage, Question, ReadPage} from '../queries/explore-result.ts';

/** Rows a page, the same for every page. */
export const pageSize: number = firstQuestion.limit;

/**
 * The pages wanted for rows `first` to `last` (inclusive): those on the screen, then one on each side that the reader has
 * come near, the side they move towards before the other. Most look at the top of a result and go on to another.
 *
 * @param options.total rows in the result; absent while unknown.
 */
export function pagesAround(
	first: number,
	last: number,
	options: {total?: number; forward?: boolean; pageSize?: number} = {},
): {readonly shown: readonly number[]; readonly ahead: readonly number[]} {
	const {total, forward = true, pageSize: size = pageSize} = options;
	const lastRow = total === undefined ? Math.max(first, last) : Math.max(0, total - 1);
	const lastPage = Math.floor(lastRow / size);
	const pageOf = (row: number) => Math.min(Math.floor(Math.max(0, row) / size), lastPage);
	const from = pageOf(first);
	const to = pageOf(Math.max(first, last));
	const shown = Array.from({length: to - from + 1}, (_, index) => from + index);
	const near = size / 2;
	const after = first > 0 && (to + 1) * size - last <= near ? [to + 1] : [];
	const before = first - from * size < near ? [from - 1] : [];
	const around = forward ? [...after, ...before] : [...before, ...after];
	return {shown, ahead: around.filter(page => page >= 0 && page <= lastPage)};
}

/** A page looked at again after this long is read again. */
const pageStaleMs = 60_000;

/** The first page is polled; what the filter line, or another filter a moment ago, has read of it is taken as it is. */
const firstStaleMs = 15_000;

/** How a page of the answer to a question is read into the cache. */
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

/** The common beginning of all these keys. */
export const exploreKeys = ['explore'] as const;

/** Where the cache keeps a page of the answer to a question. */
export function exploreKey(
	question: Question,
	page: number,
	size = pageSize,
	sort?: EpisodeSort,
): readonly unknown[] {
	return [...exploreKeys, question, size, page, ...(sort === undefined ? [] : [sort])];
}
