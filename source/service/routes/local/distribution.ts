import {localDistributionEndpoints} from '../../../contract/local-distribution-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {Lake} from '../../lake/lake.ts';

/** `/local/v1/histogram` and `/local/v1/channels`: how the lake's figures lie, and which channels it has. */
export function distributionRoutes(lake: Lake): readonly Route[] {
	return [
		route(localDistributionEndpoints.histogram, ({body}) => lake.histogram(body)),
		route(localDistributionEndpoints.listChannels, () => lake.channels()),
	];
}
