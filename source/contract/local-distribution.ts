import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {metricField, ownExploreRequest} from './local-explore.ts';
import {integer, maxCount, real} from './scalars.ts';
import {aggregates, streams} from './vocabulary.ts';

/**
 * How a figure is distributed over a result, and which channels there are. Shapes of lakescope's own: the interface
 * document has neither.
 */

/** Bars of a histogram. */
const histogramBins = {min: 1, max: 64, default: 24} as const;

/** A figure of an episode: one of its own, or a channel summed up. */
const figure = z.lazy(() =>
	z.union([
		z.strictObject({field: metricField}),
		z.strictObject({stream: z.enum(streams), channel: z.string(), agg: z.enum(aggregates)}),
	]),
);
export type Figure = z.output<typeof figure>;

/** `POST /local/v1/histogram`: a figure over the whole result of a filter; `limit` and `offset` have no say. */
export const histogramRequest = z.lazy(() =>
	z.strictObject({
		of: figure,
		filter: ownExploreRequest.prefault({}),
		bins: z.int().min(histogramBins.min).max(histogramBins.max).default(histogramBins.default),
	}),
);
export type HistogramRequest = z.input<typeof histogramRequest>;
export type HistogramQuery = z.output<typeof histogramRequest>;

const size = integer({min: 0n, max: maxCount});

const histogram = z.lazy(() =>
	z.looseObject({
		/** Episodes of the result that have the figure, and those that have not. */
		count: size,
		missing: size,
		/** Null where no episode has the figure. */
		min: real.nullable(),
		median: real.nullable(),
		max: real.nullable(),
		/**
		 * The span of the bars: the 1st to the 99th percentile, so that one outlier does not leave one bar. Values beyond
		 * are counted in the outermost bar.
		 */
		low: real.nullable(),
		high: real.nullable(),
		/** Episodes a bar, from `low` to `high` in equal steps; one bar where these are equal, none without the figure. */
		bins: z.array(size),
	}),
);
export type Histogram = z.output<typeof histogram>;

/** `GET /local/v1/channels`: every channel that an episode of the lake has, the most common first. */
const channelList = z.lazy(() =>
	z.looseObject({
		items: z.array(z.looseObject({stream: z.enum(streams), channel: z.string(), episodes: size})),
		/** There are more than are listed. */
		more: z.boolean(),
	}),
);
export type ChannelList = z.output<typeof channelList>;

const own = 'ARCHITECTURE.md';

/** Endpoints for the lake's figures and channels, which the interface document lacks. */
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
