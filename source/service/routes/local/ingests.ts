import * as z from 'zod';
import {ingestRequest} from '../../../contract/local.ts';
import {uuid} from '../../../contract/scalars.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {type Route, route} from '../../http/route.ts';
import {ingestRecordOf} from '../../operations/ingest-operation.ts';
import type {IngestStore} from '../../operations/ingest-store.ts';
import {datasetSource, SourceProblem} from '../../supervisor/dataset-source.ts';
import type {IngestSupervisor} from '../../supervisor/ingest-supervisor.ts';

async function checkedSource(folder: string, name: string | undefined) {
	try {
		return await datasetSource(folder, name);
	} catch (error) {
		if (!(error instanceof SourceProblem)) throw error;
		throw new HttpProblem(422, [{loc: ['body', error.field], msg: error.message, type: 'value_error'}]);
	}
}

/** `/local/v1/ingests`: taking datasets of this machine into the lake. */
export function ingestRoutes({
	store,
	supervisor,
}: {
	store: IngestStore;
	supervisor: IngestSupervisor;
}): readonly Route[] {
	const path = '/local/v1/ingests';
	return [
		route(
			{method: 'POST', path, body: ingestRequest},
			async ({body}) => {
				const source = await checkedSource(body.folder, body.name);
				const submission = await supervisor.submit(source);
				if (submission.kind === 'accepted') return ingestRecordOf(submission.operation);
				throw new HttpProblem(
					409,
					`The lake has a dataset named ${source.name} already, from ${submission.folder}. Give the one in ${source.folder} another name: --name NAME.`,
				);
			},
			202,
		),
		route({method: 'GET', path}, () => ({items: store.list().map(ingestRecordOf)})),
		route(
			{method: 'GET', path: `${path}/{operation_id}`, parameters: z.strictObject({operation_id: uuid})},
			({parameters}) => {
				const operation = store.get(parameters.operation_id);
				if (operation) return ingestRecordOf(operation);
				throw new HttpProblem(404, `There is no ingest ${parameters.operation_id} in this lake.`);
			},
		),
	];
}
