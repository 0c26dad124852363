import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {localExploreRequest, localExploreResponse} from './local-explore.ts';
import {reviewListQuery, reviewListResponse, reviewRequest, reviewResponse} from './local-reviews.ts';
import {episodeSeries, seriesQuery} from './local-series.ts';
import {uuid} from './scalars.ts';

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
	setReviews: {
		section: own,
		method: 'POST',
		path: '/local/v1/reviews',
		key: 'required',
		repeatable: true,
		body: reviewRequest,
		response: reviewResponse,
	},
	listReviews: {
		section: own,
		method: 'GET',
		path: '/local/v1/reviews',
		key: 'required',
		repeatable: true,
		query: reviewListQuery,
		response: reviewListResponse,
	},
	episodeSeries: {
		section: own,
		method: 'GET',
		path: '/local/v1/episodes/{episode_id}/series',
		key: 'required',
		repeatable: true,
		parameters: z.strictObject({episode_id: uuid}),
		query: seriesQuery,
		response: episodeSeries,
	},
} as const satisfies Record<string, Endpoint>;
