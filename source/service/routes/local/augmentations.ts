import {localAugmentationEndpoints} from '../../../contract/local-augmentation-endpoints.ts';
import {type Augmentation, recordOf} from '../../augmentation/augmentation.ts';
import type {Augmentations} from '../../augmentation/augmentations.ts';
import {type Route, route} from '../../http/route.ts';
import {augmentationOf} from '../augmentation.ts';

/** `/local/v1/augmentations`: ordering augmentations, and all that is known of them. */
export function localAugmentationRoutes(augmentations: Augmentations): readonly Route[] {
	const {store, desk} = augmentations;
	const view = (job: Augmentation) => recordOf(job, store.creditsOf(job.jobId));
	return [
		route(localAugmentationEndpoints.augment, async ({body}) => view(await desk.order(body)), 202),
		route(localAugmentationEndpoints.listAugmentations, () => ({items: store.list().map(view)})),
		route(localAugmentationEndpoints.augmentation, ({parameters}) =>
			view(augmentationOf(augmentations, parameters.job_id)),
		),
	];
}
