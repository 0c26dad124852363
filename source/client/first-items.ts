import type {PageInfo} from '../contract/listing.ts';
import type {Answer} from './answer.ts';
import {ServiceError} from './errors.ts';

/** A listing whose paging the document leaves open (4.9 to 4.11). */
export type OpenPage<Item> = {readonly items: Item[]; readonly page_info?: PageInfo | null | undefined};

type PageQuery = {readonly limit?: number; readonly cursor?: string};

export type FirstItems<Page> = {
	/** The last page's envelope with the items of all. */
	readonly listing: Page;
	/** The service has more. */
	readonly hasMore: boolean;
	/** How many items broke the interface and were left out. */
	readonly leftOut: number;
	/** It gave a page that it had given before: whatever follows cannot be had. */
	readonly goesRound?: boolean;
};

/** Bounds of `limit` are not shown; a hundred is what most services take. */
const pageLimit = 100;

/** True if a service refuses the `limit` of a request, whose bounds the document leaves open. */
export function refusesLimit(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	if (error.issues === undefined) return error.status === 422;
	return error.problems.some(({field}) => field.split('.').includes('limit'));
}

/**
 * The first items of a listing, paged through by cursor where the service has one. A limit that it refuses is asked
 * for no more, and the rest of a larger page is left away.
 */
export async function firstItems<Item, Page extends OpenPage<Item>>(
	wanted: number,
	ask: (query: PageQuery) => Promise<Answer<Page>>,
): Promise<FirstItems<Page>> {
	const items: Item[] = [];
	const cursors = new Set<string>();
	let limited = true;
	let leftOut = 0;
	let cursor: string | undefined;
	for (;;) {
		const limit = Math.min(wanted - items.length, pageLimit);
		let answer: Answer<Page>;
		try {
			answer = await ask({...(limited && {limit}), ...(cursor !== undefined && {cursor})});
		} catch (error) {
			if (!limited || !refusesLimit(error)) throw error;
			limited = false;
			continue;
		}
		const {data, setAside} = answer;
		items.push(...data.items);
		leftOut += setAside.length;
		const next = data.page_info?.has_next ? data.page_info.end_cursor : undefined;
		const goesRound = Boolean(next) && cursors.has(next ?? '');
		if (!next || goesRound || items.length >= wanted) {
			// Without paging a full page may be all or not.
			const isFull = !data.page_info && limited && data.items.length >= limit;
			const hasMore = items.length > wanted || Boolean(next) || isFull;
			return {listing: {...data, items: items.slice(0, wanted)}, hasMore, leftOut, goesRound};
		}
		cursors.add(next);
		cursor = next;
	}
}
