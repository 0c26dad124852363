import {environmentManager, QueryClient} from '@tanstack/query-core';

/** How long a page that nobody looks at is kept, at most; its number is bounded besides. */
const keptMs = 10 * 60_000;

/**
 * The cache of what the service said.
 *
 * Without a `window` TanStack takes the process for a server, where nothing is polled. The transport repeats what
 * may be repeated, so the cache does not; and it is asked even when the machine seems to have no network, because
 * the service may well be on this machine.
 */
export function createQueryClient(): QueryClient {
	environmentManager.setIsServer(() => false);
	return new QueryClient({
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
}
