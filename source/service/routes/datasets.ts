import {endpoints} from '../../contract/endpoints.ts';
import {datasetFiles} from '../files/dataset-files.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';
import type {JobLinks} from '../jobs/records/job-links.ts';
import {type LakeEngine, LakeError} from '../lake/engine.ts';
import {syncStatusOf} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';

/** Says which field of the query a refusal of the lake is about: only a cursor can be wrong in itself. */
function cursorProblem(error: unknown): unknown {
	if (!(error instanceof LakeError) || error.reason !== 'cursor') return error;
	return new HttpProblem(422, [{loc: ['query', 'cursor'], msg: error.message, type: 'value_error'}]);
}

/** Sections 4.1, 4.2 and 4.6: the lake, its datasets, and how an ingest stands. */
export function datasetRoutes({
	lake,
	store,
	links,
}: {
	lake: LakeEngine;
	store: IngestStore;
	links: JobLinks;
}): readonly Route[] {
	return [
		route(endpoints.explore, ({body}) => lake.explore(body)),
		route(endpoints.listDatasets, async ({query}) => {
			try {
				const page = await lake.datasets(query, links.artifactsWith(query));
				return {...page, items: page.items.map(item => links.attach(item))};
			} catch (error) {
				throw cursorProblem(error);
			}
		}),
		route(endpoints.syncStatus, ({parameters}) => {
			const operation = store.get(parameters.operation_id);
			if (operation) return syncStatusOf(operation);
			throw new HttpProblem(404, `There is no operation ${parameters.operation_id} in this lake.`);
		}),
	];
}

/** Section 4.8: the files of a dataset, and its card. */
export function fileRoutes(lake: Pick<LakeEngine, 'details'>): readonly Route[] {
	return [route(endpoints.datasetFiles, ({query}) => datasetFiles(lake, query))];
}
