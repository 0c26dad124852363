import type {Endpoint} from './endpoints.ts';
import {channelList, histogram, histogramRequest} from './local-distribution.ts';

const own = 'ARCHITECTURE.md';

/** What the lake's figures and channels are, of which the interface document tells nothing. */
export const localDistributionEndpoints = {
	histogram: {
		section: own,
		method: 'POST',
		path: '/local/v1/histogram',
		key: 'required',
		repeatable: true,
		body: histogramRequest,
		response: histogram,
	},
	listChannels: {
		section: own,
		method: 'GET',
		path: '/local/v1/channels',
		key: 'required',
		repeatable: true,
		response: channelList,
	},
} as const satisfies Record<string, Endpoint>;
