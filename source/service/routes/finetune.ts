import {endpoints} from '../../contract/endpoints.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';
import {statusOf} from '../jobs/job-views.ts';
import type {Jobs} from '../jobs/jobs.ts';
import {findDataset, imageKeysOf} from '../jobs/rules/training-dataset.ts';
import type {Lake} from '../lake/lake.ts';

/** Sections 4.3 and 4.15, and the image keys that 4.3 names. */
export function finetuneRoutes({
	desk,
	store,
	lake,
}: Pick<Jobs, 'desk' | 'store'> & {lake: Pick<Lake, 'details'>}): readonly Route[] {
	return [
		route(endpoints.createFinetune, ({body}) => desk.order(body)),
		route(endpoints.imageKeys, async ({parameters}) => {
			const dataset = await findDataset(lake, parameters.dataset_id);
			if (dataset) return imageKeysOf(dataset);
			const asked = JSON.stringify(parameters.dataset_id.slice(0, 200));
			throw new HttpProblem(
				404,
				`There is no dataset ${asked} in this lake. Give its id, its name, or its path local/NAME.`,
			);
		}),
		route(endpoints.finetuneStatus, ({parameters}) => {
			const job = store.get(parameters.job_id);
			if (job) return statusOf(job);
			throw new HttpProblem(404, `There is no fine-tune ${parameters.job_id} in this lake.`);
		}),
	];
}
