import {environmentManager, QueryClient} from '@tanstack/query-core';

/** How long an unused page is kept, at most; the number of pages is bounded besides. */
const keptMs = 10 * 60_000;

/** How many answers are kept; beyond, unused ones go, the oldest first. */
export const mostKept = 1000;

/** Bounds the cache. The first pages of lists are kept for good, of which there are few. */
function boundCache(queries: QueryClient): void {
	const cache = queries.getQueryCache();
	let added = 0;
	cache.subscribe(({type}) => {
		if (type !== 'added' || ++added < mostKept / 10) return;
		added = 0;
		const all = cache.getAll();
		const unwatched = all.filter(
			query =>
				query.getObserversCount() === 0 &&
				query.state.fetchStatus === 'idle' &&
				Number.isFinite(query.gcTime),
		);
		for (const query of unwatched.slice(0, Math.max(0, all.length - mostKept))) cache.remove(query);
	});
}

/**
 * The cache of what the service said.
 *
 * Without a `window` TanStack takes the process for a server, where nothing is polled. The transport repeats what
 * may be repeated, so the cache does not; and it is asked even when the machine seems to have no network, because
 * the service may well be on this machine.
 */
export function createQueryClient(): QueryClient {
	environmentManager.setIsServer(() => false);
	const queries = new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				networkMode: 'always',
				refetchOnReconnect: false,
				refetchOnWindowFocus: false,
				gcTime: keptMs,
			},
		},
	});
	boundCache(queries);
	return queries;
}
