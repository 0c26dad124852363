import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {augmentationListResponse, augmentationRecord, augmentationRequest} from './local-augmentations.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';
const path = '/local/v1/augmentations';

/** Ordering augmentations, which the interface document leaves out, and all that is known of them. */
export const localAugmentationEndpoints = {
	augment: {
		section: own,
		method: 'POST',
		path,
		key: 'required',
		repeatable: false,
		body: augmentationRequest,
		response: augmentationRecord,
	},
	listAugmentations: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		response: augmentationListResponse,
	},
	augmentation: {
		section: own,
		method: 'GET',
		path: `${path}/{job_id}`,
		key: 'required',
		repeatable: true,
		parameters: z.strictObject({job_id: uuid}),
		response: augmentationRecord,
	},
} as const satisfies Record<string, Endpoint>;
