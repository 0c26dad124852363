import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {ingestRecord} from './local.ts';
import {forgetRecord} from './local-forget.ts';
import {damageReport, repairPlan, repairRequest} from './local-repair.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';
const path = '/local/v1/datasets/{dataset_id}/forget';
const parameters = z.strictObject({dataset_id: uuid});

/** Endpoints of the embedded service for the datasets of its lake. */
export const localDatasetEndpoints = {
	forgetPlan: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		parameters,
		response: forgetRecord,
	},
	forgetDataset: {
		section: own,
		method: 'POST',
		path,
		key: 'required',
		repeatable: false,
		parameters,
		response: forgetRecord,
	},
	datasetDamages: {
		section: own,
		method: 'GET',
		path: '/local/v1/datasets/{dataset_id}/damages',
		key: 'required',
		repeatable: true,
		parameters,
		response: damageReport,
	},
	planRepair: {
		section: own,
		method: 'POST',
		path: '/local/v1/datasets/{dataset_id}/repair/plan',
		key: 'required',
		repeatable: true,
		parameters,
		body: repairRequest,
		response: repairPlan,
	},
	repairDataset: {
		section: own,
		method: 'POST',
		path: '/local/v1/datasets/{dataset_id}/repair',
		key: 'required',
		repeatable: false,
		parameters,
		body: repairRequest,
		response: ingestRecord,
	},
} as const satisfies Record<string, Endpoint>;
