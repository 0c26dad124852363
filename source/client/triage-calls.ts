import type {LocalExploreRequest, LocalExploreResponse} from '../contract/local-explore.ts';
import {localTriageEndpoints} from '../contract/local-triage-endpoints.ts';
import type {Answer} from './answer.ts';
import type {Caller} from './call.ts';
import type {CallOptions} from './options.ts';

/** What the embedded service adds for finding the bad episodes and handing over the good ones. */
export type TriageCalls = {
	/** 4.1 in an order of one's own, with a facet of the tags. */
	localExplore(request: LocalExploreRequest, options?: CallOptions): Promise<Answer<LocalExploreResponse>>;
};

export function triageCalls(call: Caller): TriageCalls {
	const {localExplore} = localTriageEndpoints;
	return {
		localExplore: (body, o) => call(localExplore, {body}, o),
	};
}
