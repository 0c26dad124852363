import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {forgetRecord} from './local-forget.ts';
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
} as const satisfies Record<string, Endpoint>;
