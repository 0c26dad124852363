import {localDatasetEndpoints} from '../../../contract/local-dataset-endpoints.ts';
import type {DatasetForgetting} from '../../files/forget-dataset.ts';
import {type Route, route} from '../../http/route.ts';

/** `/local/v1/datasets/{dataset_id}/forget`: takes a dataset out of the lake; reading it tells what that would do. */
export function forgetRoutes(forgetting: DatasetForgetting): readonly Route[] {
	const {forgetPlan, forgetDataset} = localDatasetEndpoints;
	return [
		route(forgetPlan, ({parameters: {dataset_id}}) => forgetting.plan(dataset_id.toLowerCase())),
		route(forgetDataset, ({parameters: {dataset_id}}) => forgetting.forget(dataset_id.toLowerCase())),
	];
}
