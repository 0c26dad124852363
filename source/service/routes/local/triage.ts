import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {Lake} from '../../lake/lake.ts';

/** `/local/v1/explore`: finding the bad episodes. */
export function triageRoutes({lake}: {lake: Lake}): readonly Route[] {
	const {localExplore} = localTriageEndpoints;
	return [route(localExplore, ({body}) => lake.localExplore(body))];
}
