import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {SeriesDesk} from '../../series/series-desk.ts';

/** `/local/v1/episodes/{episode_id}/series`: what an episode was like over time. */
export function seriesRoutes(desk: SeriesDesk): readonly Route[] {
	return [
		route(localTriageEndpoints.episodeSeries, ({parameters, query}) =>
			desk.series(parameters.episode_id, query),
		),
	];
}
