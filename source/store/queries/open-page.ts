import type {PageInfo} from '../../contract/listing.ts';
import type {ListPage} from './list-chain.ts';

type OpenAnswer<Item> = {
	readonly data: {readonly items: readonly Item[]; readonly page_info?: PageInfo | null | undefined};
	readonly setAside: readonly unknown[];
};

/** An answer of a listing as a page; without page info it is all there is. */
export function pageOf<Item>({data, setAside}: OpenAnswer<Item>): ListPage<Item> {
	const {has_next: hasNext, end_cursor: end, total_count: total} = data.page_info ?? {};
	return {
		items: data.items,
		next: (hasNext && end) || undefined,
		total: total == null ? undefined : Number(total),
		leftOut: setAside.length,
	};
}

/** Pages gone through to find something by its id. */
const mostPages = 50;

/** Looks through a listing for what bears an id. */
export async function findByPaging<Item>(
	read: (cursor: string | undefined) => Promise<ListPage<Item>>,
	isIt: (item: Item) => boolean,
): Promise<Item | undefined> {
	const cursors = new Set<string>();
	let cursor: string | undefined;
	for (let pages = 0; pages < mostPages; pages++) {
		const page = await read(cursor);
		const found = page.items.find(isIt);
		if (found !== undefined || page.next === undefined || cursors.has(page.next)) return found;
		cursors.add(page.next);
		cursor = page.next;
	}
	return undefined;
}
