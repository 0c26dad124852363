import {endpoints} from '../../contract/endpoints.ts';
import {ownListQuery} from '../../contract/own-lists.ts';
import {type Route, route} from '../http/route.ts';
import type {Jobs} from '../jobs/jobs.ts';

/** Section 4.9. */
export function modelRoutes({models}: Pick<Jobs, 'models'>): readonly Route[] {
	return [route({...endpoints.listModels, query: ownListQuery}, ({query}) => models.list(query))];
}
