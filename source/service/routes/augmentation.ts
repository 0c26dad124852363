import {endpoints} from '../../contract/endpoints.ts';
import {type AugmentationCancelled, localAugmentationEndpoints} from '../../contract/local-augmentations.ts';
import {type Augmentation, recordOf, statusOf} from '../augmentation/augmentation.ts';
import type {Augmentations} from '../augmentation/augmentations.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';

/** @throws {HttpProblem} 404 */
function augmentationOf({store}: Pick<Augmentations, 'store'>, jobId: string): Augmentation {
	const job = store.get(jobId);
	if (job) return job;
	throw new HttpProblem(404, `There is no augmentation ${jobId} in this lake.`);
}

/** Sections 4.16 and 4.17. */
export function augmentationRoutes(augmentations: Augmentations): readonly Route[] {
	const {store, runner} = augmentations;
	return [
		route(endpoints.augmentationStatus, ({parameters}) => {
			const job = augmentationOf(augmentations, parameters.job_id);
			return statusOf(job, store.creditsOf(job.jobId));
		}),
		route(endpoints.cancelAugmentation, async ({parameters}): Promise<AugmentationCancelled> => {
			const job = await runner.cancel(augmentationOf(augmentations, parameters.job_id));
			return {
				job_id: job.jobId,
				status: job.status,
				cancelled: job.status === 'cancelled',
				credits: store.creditsOf(job.jobId),
			};
		}),
	];
}

/** `/local/v1/augmentations`: ordering augmentations, and all that is known of them. */
export function localAugmentationRoutes(augmentations: Augmentations): readonly Route[] {
	const {store, service} = augmentations;
	const view = (job: Augmentation) => recordOf(job, store.creditsOf(job.jobId));
	return [
		route(localAugmentationEndpoints.augment, async ({body}) => view(await service.order(body)), 202),
		route(localAugmentationEndpoints.listAugmentations, () => ({items: store.list().map(view)})),
		route(localAugmentationEndpoints.augmentation, ({parameters}) =>
			view(augmentationOf(augmentations, parameters.job_id)),
		),
	];
}
