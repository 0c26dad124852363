import type {StoreApi} from 'zustand/vanilla';
import {refusesLimit} from '../../client/first-items.ts';
import type {OpenListQuery} from '../../contract/listing.ts';
import type {ListPage} from '../queries/list-chain.ts';
import type {LocalKnowledge} from '../queries/local-document.ts';
import {findByPaging, pageOf} from '../queries/open-page.ts';
import type {ListQuery} from './listing-feed.ts';

type OpenRead<Item> = (
	query: OpenListQuery,
	options: {readonly signal: AbortSignal},
) => Promise<Parameters<typeof pageOf<Item>>[0]>;

/** Rows asked for at once; the bounds are not shown, and a hundred is what most services take. */
const limits = {page: 100, leap: 100} as const;

/**
 * Reads a listing whose parameters the document leaves open: a `limit` that is refused is left out from then on, and
 * of the rest only what the embedded service is known to take is sent to it.
 *
 * @param options.takesLimit whether the document says that there is a limit.
 */
export function openReader<Item>(
	call: OpenRead<Item>,
	{local, takesLimit}: {local: StoreApi<LocalKnowledge>; takesLimit: boolean},
) {
	let isLimitRefused = false;

	async function page(
		{terms}: Pick<ListQuery, 'terms'>,
		{cursor, limit}: {cursor: string | undefined; limit: number},
		signal: AbortSignal,
	): Promise<ListPage<Item>> {
		const isOwn = local.getState().document !== undefined;
		const mayLimit = (takesLimit || isOwn) && !isLimitRefused;
		const query = {
			...(cursor === undefined ? {} : {cursor}),
			...(isOwn && terms.sort !== undefined ? {sort: terms.sort} : {}),
		};
		try {
			return pageOf(await call({...query, ...(mayLimit ? {limit} : {})}, {signal}));
		} catch (error) {
			if (!mayLimit || !refusesLimit(error)) throw error;
			isLimitRefused = true;
			return pageOf(await call(query, {signal}));
		}
	}

	return {
		limits,
		read: page,
		find: (isIt: (item: Item) => boolean, signal: AbortSignal) =>
			findByPaging(cursor => page({terms: {}}, {cursor, limit: limits.page}, signal), isIt),
	};
}
