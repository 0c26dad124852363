import * as z from 'zod';
import {type Endpoint, endpoints} from './endpoints.ts';
import {
	commitRequest,
	commitResponse,
	prepareBatchQuery,
	prepareBatchResponse,
	uploadListQuery,
	uploadListResponse,
	uploadRecord,
	uploadRequest,
} from './local-uploads.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';
const path = '/local/v1/uploads';
const parameters = z.strictObject({upload_id: uuid});

/**
 * The embedded service's endpoints of uploads. The PUT of a blob is not among them: its address comes from a target,
 * signature and all.
 */
export const localUploadEndpoints = {
	/** 4.4 with what only the embedded service takes and gives: the upload that the blobs are for, and a shape. */
	prepareUploadBatch: {
		...endpoints.prepareBatch,
		query: prepareBatchQuery,
		response: prepareBatchResponse,
	},
	startUpload: {
		section: own,
		method: 'POST',
		path,
		key: 'required',
		repeatable: true,
		body: uploadRequest,
		response: uploadRecord,
	},
	listUploads: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		query: uploadListQuery,
		response: uploadListResponse,
	},
	upload: {
		section: own,
		method: 'GET',
		path: `${path}/{upload_id}`,
		key: 'required',
		repeatable: true,
		parameters,
		response: uploadRecord,
	},
	commitUpload: {
		section: own,
		method: 'POST',
		path: `${path}/{upload_id}/commit`,
		key: 'required',
		repeatable: true,
		parameters,
		body: commitRequest,
		response: commitResponse,
	},
	cancelUpload: {
		section: own,
		method: 'POST',
		path: `${path}/{upload_id}/cancel`,
		key: 'required',
		repeatable: true,
		parameters,
		response: uploadRecord,
	},
} as const satisfies Record<string, Endpoint>;
