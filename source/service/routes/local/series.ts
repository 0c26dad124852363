import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {FramesDesk} from '../../series/frames-desk.ts';
import type {SeriesDesk} from '../../series/series-desk.ts';

/** `/local/v1/episodes/{episode_id}/…`: what an episode was like over time, and how it looked. */
export function seriesRoutes({series, frames}: {series: SeriesDesk; frames: FramesDesk}): readonly Route[] {
	const {episodeSeries, episodeFrame} = localTriageEndpoints;
	return [
		route(episodeSeries, ({parameters, query}) => series.series(parameters.episode_id, query)),
		route(episodeFrame, ({parameters, query}) => frames.frame(parameters.episode_id, query)),
	];
}
