import {visibleJson} from '../../../contract/json-text.ts';
import {localDistributionEndpoints} from '../../../contract/local-distribution.ts';
import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {noteOutcome} from '../../http/asked.ts';
import {type Route, route} from '../../http/route.ts';
import type {LakeEngine} from '../../lake/engine.ts';
import type {ReviewStore} from '../../reviews/review-store.ts';
import type {ReviewController} from '../../reviews/reviews.ts';
import type {FrameService, SeriesService} from '../../series/episode-series.ts';

/** Datasets that the log of who did what names. */
const mostNamed = 5;

/** `/local/v1/reviews`: what people decided about episodes. */
export function reviewRoutes(reviews: {controller: ReviewController; store: ReviewStore}): readonly Route[] {
	const {setReviews, listReviews} = localTriageEndpoints;
	return [
		route(setReviews, async ({body}, asked) => {
			const result = await reviews.controller.set(body);
			const names = [...new Set(result.reviews.map(({dataset_name}) => dataset_name))];
			const where = visibleJson(JSON.stringify(names.slice(0, mostNamed)));
			noteOutcome(asked, `${body.review_state} ${result.reviews.length} episodes of ${where}`);
			return result;
		}),
		route(listReviews, ({query}) => reviews.store.list(query.dataset)),
	];
}

/** `/local/v1/explore`: finding the bad episodes. */
export function triageRoutes({lake}: {lake: LakeEngine}): readonly Route[] {
	const {localExplore} = localTriageEndpoints;
	return [route(localExplore, ({body}) => lake.localExplore(body))];
}

/** `/local/v1/histogram` and `/local/v1/channels`: how the lake's figures lie, and which channels it has. */
export function distributionRoutes(lake: LakeEngine): readonly Route[] {
	return [
		route(localDistributionEndpoints.histogram, ({body}) => lake.histogram(body)),
		route(localDistributionEndpoints.listChannels, () => lake.channels()),
	];
}

/** `/local/v1/episodes/{episode_id}/…`: what an episode was like over time, and how it looked. */
export function seriesRoutes({
	series,
	frames,
}: {
	series: SeriesService;
	frames: FrameService;
}): readonly Route[] {
	const {episodeSeries, episodeFrame} = localTriageEndpoints;
	return [
		route(episodeSeries, ({parameters, query}) => series.series(parameters.episode_id, query)),
		route(episodeFrame, ({parameters, query}) => frames.frame(parameters.episode_id, query)),
	];
}
