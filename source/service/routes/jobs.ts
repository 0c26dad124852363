import {endpoints} from '../../contract/endpoints.ts';
import {type OwnJobList, ownListQuery} from '../../contract/own-lists.ts';
import {type Route, route} from '../http/route.ts';
import {itemOf} from '../jobs/job-views.ts';
import type {Jobs} from '../jobs/jobs.ts';

/** Section 4.10. */
export function jobRoutes({store}: Pick<Jobs, 'store'>): readonly Route[] {
	return [
		route({...endpoints.listJobs, query: ownListQuery}, ({query}): OwnJobList => {
			const {jobs, page_info} = store.list(query);
			return {items: jobs.map(itemOf), page_info};
		}),
	];
}
