import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {ingestListResponse, ingestRecord, ingestRequest, localDocument, sampleStatus} from './local.ts';
import {localAugmentationEndpoints} from './local-augmentations.ts';
import {localDatasetEndpoints} from './local-dataset-endpoints.ts';
import {localDefinitionEndpoints} from './local-definitions.ts';
import {localDistributionEndpoints} from './local-distribution.ts';
import {localFinetuneEndpoints} from './local-finetune.ts';
import {localJobEndpoints} from './local-jobs.ts';
import {localTriageEndpoints} from './local-triage-endpoints.ts';
import {localUploadEndpoints} from './local-upload-endpoints.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';

/** The embedded service's own endpoints, described as those of the interface document are. */
export const localEndpoints = {
	localDocument: {
		section: own,
		method: 'GET',
		path: '/local/v1',
		key: 'required',
		repeatable: true,
		response: localDocument,
	},
	ingest: {
		section: own,
		method: 'POST',
		path: '/local/v1/ingests',
		key: 'required',
		repeatable: false,
		body: ingestRequest,
		response: ingestRecord,
	},
	listIngests: {
		section: own,
		method: 'GET',
		path: '/local/v1/ingests',
		key: 'required',
		repeatable: true,
		response: ingestListResponse,
	},
	ingestRecord: {
		section: own,
		method: 'GET',
		path: '/local/v1/ingests/{operation_id}',
		key: 'required',
		repeatable: true,
		parameters: z.strictObject({operation_id: uuid}),
		response: ingestRecord,
	},
	cancelIngest: {
		section: own,
		method: 'POST',
		path: '/local/v1/ingests/{operation_id}/cancel',
		key: 'required',
		repeatable: false,
		parameters: z.strictObject({operation_id: uuid}),
		response: ingestRecord,
	},
	startSample: {
		section: own,
		method: 'POST',
		path: '/local/v1/sample',
		key: 'required',
		repeatable: true,
		response: sampleStatus,
	},
	sampleStatus: {
		section: own,
		method: 'GET',
		path: '/local/v1/sample',
		key: 'required',
		repeatable: true,
		response: sampleStatus,
	},
	...localUploadEndpoints,
	...localAugmentationEndpoints,
	...localDatasetEndpoints,
	...localDefinitionEndpoints,
	...localDistributionEndpoints,
	...localFinetuneEndpoints,
	...localJobEndpoints,
	...localTriageEndpoints,
} as const satisfies Record<string, Endpoint>;
