import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {composeRecord, composeRequest} from './local-compose.ts';
import {localExploreRequest, localExploreResponse} from './local-explore.ts';
import {episodeFrame, frameQuery} from './local-frames.ts';
import {reviewListQuery, reviewListResponse, reviewRequest, reviewResponse} from './local-reviews.ts';
import {episodeSeries, seriesQuery} from './local-series.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';
const operationParameters = z.strictObject({operation_id: uuid});

/** Endpoints of the embedded service for finding bad episodes and handing over the good ones. */
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
	episodeFrame: {
		section: own,
		method: 'GET',
		path: '/local/v1/episodes/{episode_id}/frames',
		key: 'required',
		repeatable: true,
		parameters: z.strictObject({episode_id: uuid}),
		query: frameQuery,
		response: episodeFrame,
	},
	compose: {
		section: own,
		method: 'POST',
		path: '/local/v1/compose',
		key: 'required',
		repeatable: false,
		body: composeRequest,
		response: composeRecord,
	},
	composition: {
		section: own,
		method: 'GET',
		path: '/local/v1/compose/{operation_id}',
		key: 'required',
		repeatable: true,
		parameters: operationParameters,
		response: composeRecord,
	},
	cancelComposition: {
		section: own,
		method: 'POST',
		path: '/local/v1/compose/{operation_id}/cancel',
		key: 'required',
		repeatable: false,
		parameters: operationParameters,
		response: composeRecord,
	},
} as const satisfies Record<string, Endpoint>;
