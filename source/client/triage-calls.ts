import type {ComposeRecord, ComposeRequest} from '../contract/local-compose.ts';
import type {LocalExploreRequest, LocalExploreResponse} from '../contract/local-explore.ts';
import type {EpisodeFrame, FrameQuery} from '../contract/local-frames.ts';
import type {ReviewListResponse, ReviewRequest, ReviewResponse} from '../contract/local-reviews.ts';
import type {EpisodeSeries, SeriesQuery} from '../contract/local-series.ts';
import {localTriageEndpoints} from '../contract/local-triage-endpoints.ts';
import type {Answer} from './answer.ts';
import type {Caller} from './call.ts';
import type {CallOptions} from './options.ts';

/** What the embedded service adds for finding the bad episodes and handing over the good ones. */
export type TriageCalls = {
	/** 4.1 in an order of one's own, with a facet of the tags. */
	localExplore(request: LocalExploreRequest, options?: CallOptions): Promise<Answer<LocalExploreResponse>>;
	/** Sets what a person decided about episodes, or takes it back; doing so again changes nothing. */
	setReviews(request: ReviewRequest, options?: CallOptions): Promise<Answer<ReviewResponse>>;
	/** The latest decisions, of one dataset or of all. */
	listReviews(dataset?: string, options?: CallOptions): Promise<Answer<ReviewListResponse>>;
	/** What an episode's channels and its speed were over time. */
	episodeSeries(
		episodeId: string,
		query?: SeriesQuery,
		options?: CallOptions,
	): Promise<Answer<EpisodeSeries>>;
	/** A picture of one camera at an episode's beginning or end. */
	episodeFrame(episodeId: string, query?: FrameQuery, options?: CallOptions): Promise<Answer<EpisodeFrame>>;
	/** Orders one new dataset of episodes of several. */
	compose(request: ComposeRequest, options?: CallOptions): Promise<Answer<ComposeRecord>>;
	/** How far a composition is. */
	composition(operationId: string, options?: CallOptions): Promise<Answer<ComposeRecord>>;
	/** Gives a composition up: nothing of it stays. */
	cancelComposition(operationId: string, options?: CallOptions): Promise<Answer<ComposeRecord>>;
};

export function triageCalls(call: Caller): TriageCalls {
	const {localExplore, setReviews, listReviews, episodeSeries, episodeFrame} = localTriageEndpoints;
	const {compose, composition, cancelComposition} = localTriageEndpoints;
	return {
		localExplore: (body, o) => call(localExplore, {body}, o),
		setReviews: (body, o) => call(setReviews, {body}, o),
		episodeSeries: (episode_id, query = {}, o) => call(episodeSeries, {parameters: {episode_id}, query}, o),
		episodeFrame: (episode_id, query = {}, o) => call(episodeFrame, {parameters: {episode_id}, query}, o),
		compose: (body, o) => call(compose, {body}, o),
		composition: (operation_id, o) => call(composition, {parameters: {operation_id}}, o),
		cancelComposition: (operation_id, o) => call(cancelComposition, {parameters: {operation_id}}, o),
		listReviews: (dataset, o) => call(listReviews, {query: {dataset}}, o),
	};
}
