import * as z from 'zod';
import {ingestRequest} from '../../../contract/local.ts';
import {uuid} from '../../../contract/scalars.ts';
import {usualDatasetName} from '../../../files/hub-cache.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {type Route, route} from '../../http/route.ts';
import {type DatasetSource, datasetSource, SourceProblem} from '../../ingest/dataset-source.ts';
import type {IngestSupervisor} from '../../ingest/ingest-supervisor.ts';
import {ingestRecordOf, isTerminal} from '../../operations/ingest-operation.ts';
import type {IngestStore} from '../../operations/ingest-store.ts';
import type {UploadedDatasets} from '../../uploads/uploaded-datasets.ts';

async function checkedSource(folder: string, name: string | undefined) {
	try {
		return await datasetSource(folder, name);
	} catch (error) {
		if (!(error instanceof SourceProblem)) throw error;
		throw new HttpProblem(422, [{loc: ['body', error.field], msg: error.message, type: 'value_error'}]);
	}
}

/** Refuses a name that another folder's dataset has. */
function folderHas({name, folder}: DatasetSource, other: string): string {
	return `The lake has a dataset named ${name} already, from ${other}. Give the one in ${folder} another name: lakescope ingest DIR --name NAME.`;
}

/** Refuses a name that an uploaded dataset has: only another upload is its next generation. */
function uploadHas({name, folder}: DatasetSource): string {
	const named = usualDatasetName(folder) === name ? '' : ` --name ${name}`;
	return `The lake has a dataset named ${name} already, which was uploaded. To ingest the one in ${folder} as its next generation: lakescope upload DIR${named}. To have both: lakescope ingest DIR --name NAME.`;
}

/** `/local/v1/ingests`: taking datasets of this machine into the lake. */
export function ingestRoutes({
	store,
	supervisor,
	uploaded,
}: {
	store: IngestStore;
	supervisor: IngestSupervisor;
	uploaded: Pick<UploadedDatasets, 'holds'>;
}): readonly Route[] {
	const path = '/local/v1/ingests';
	const parameters = z.strictObject({operation_id: uuid});
	const found = (id: string) => {
		const operation = store.get(id);
		if (operation) return operation;
		throw new HttpProblem(404, `There is no ingest ${id} in this lake.`);
	};
	return [
		route(
			{method: 'POST', path, body: ingestRequest},
			async ({body}) => {
				const source = await checkedSource(body.folder, body.name);
				const submission = await supervisor.submit(source);
				if (submission.kind === 'accepted') return ingestRecordOf(submission.operation);
				const isUpload = uploaded.holds(source.name, submission.folder);
				throw new HttpProblem(409, isUpload ? uploadHas(source) : folderHas(source, submission.folder));
			},
			202,
		),
		route({method: 'GET', path}, () => ({items: store.list().map(ingestRecordOf)})),
		route({method: 'GET', path: `${path}/{operation_id}`, parameters}, ({parameters: {operation_id}}) =>
			ingestRecordOf(found(operation_id)),
		),
		route(
			{method: 'POST', path: `${path}/{operation_id}/cancel`, parameters},
			async ({parameters: {operation_id}}) => {
				const {phase, datasetName, operationId} = found(operation_id);
				if (isTerminal(phase) || phase === 'publishing') {
					const message = `The ingest of ${datasetName} cannot be cancelled any more: it is ${phase}.`;
					throw new HttpProblem(409, message);
				}
				supervisor.abandon(operationId, 'The ingest was cancelled; nothing of it was kept.');
				await supervisor.ended(operationId);
				return ingestRecordOf(found(operation_id));
			},
		),
	];
}
