import {localDatasetEndpoints} from '../../../contract/local-dataset-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {IngestSupervisor} from '../../ingest/ingest-supervisor.ts';
import type {DatasetRepairs} from '../../repair/dataset-repairs.ts';

/** `/local/v1/datasets/{dataset_id}/damages` and `…/repair`: what is damaged in a dataset's folder, and its repair. */
export function repairRoutes({
	repairs,
	supervisor,
}: {
	repairs: DatasetRepairs;
	supervisor: IngestSupervisor;
}): readonly Route[] {
	const {datasetDamages, planRepair, repairDataset} = localDatasetEndpoints;
	return [
		route(datasetDamages, ({parameters: {dataset_id}}) => repairs.damages(dataset_id.toLowerCase())),
		route(planRepair, ({parameters: {dataset_id}, body}) => repairs.plan(dataset_id.toLowerCase(), body)),
		route(
			repairDataset,
			({parameters: {dataset_id}, body}) => repairs.order(dataset_id.toLowerCase(), body, supervisor),
			202,
		),
	];
}
