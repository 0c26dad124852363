import type {Endpoint} from './endpoints.ts';
import {localExploreRequest, localExploreResponse} from './local-explore.ts';

const own = 'ARCHITECTURE.md';

/** What the embedded service adds for finding the bad episodes and handing over the good ones. */
export const localTriageEndpoints = {
	localExplore: {
		section: own,
		method: 'POST',
		path: '/local/v1/explore',
		key: 'required',
		repeatable: true,
		body: localExploreRequest,
		response: localExploreResponse,
	},
} as const satisfies Record<string, Endpoint>;
