import {Refusal} from './answers.ts';

type PageRequest<T> = {
	items: readonly T[];
	idOf: (item: T) => string;
	compare: (left: T, right: T) => number;
	sort: string;
	limit: number;
	cursor: string | undefined;
};

type Page<T> = {
	items: T[];
	page_info: {has_next: boolean; end_cursor: string | null; total_count: number};
};

/** One page of a cursor listing; a cursor belongs to the sort it was given for. */
export function pageOf<T>({items, idOf, compare, sort, limit, cursor}: PageRequest<T>): Page<T> {
	const sorted = [...items].sort(
		(left, right) => compare(left, right) || (idOf(left) < idOf(right) ? -1 : 1),
	);
	const start = cursor === undefined ? 0 : sorted.findIndex(item => encode(sort, idOf(item)) === cursor) + 1;
	if (cursor !== undefined && start === 0) throw new Refusal(400, 'Invalid pagination cursor');
	const page = sorted.slice(start, start + limit);
	const last = page.at(-1);
	const hasNext = start + limit < sorted.length;
	return {
		items: page,
		page_info: {
			has_next: hasNext,
			end_cursor: hasNext && last ? encode(sort, idOf(last)) : null,
			total_count: sorted.length,
		},
	};
}

const encode = (sort: string, id: string): string => Buffer.from(`${sort}\n${id}`).toString('base64url');
