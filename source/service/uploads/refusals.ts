import path from 'node:path';
import {Refusal} from '../host/refusal.ts';
import {storageProblem} from './storage-problem.ts';
import type {Upload, UploadStore} from './upload-store.ts';

/** The refusal of a dataset name that a dataset of another source has. */
export function nameTaken(name: string, folder: string): Refusal {
	return new Refusal(
		'conflict',
		`The lake has a dataset named ${name} already, from ${folder}. Ingest its changes with lakescope ingest, or give this one another name: --name NAME.`,
	);
}

/** The refusal of a call that an upload is past. */
export function isOver({uploadId, datasetName}: Upload, why: string): Refusal {
	return new Refusal('conflict', `Upload ${uploadId} of ${datasetName} ${why}. Start another one.`);
}

/** @throws {Refusal} `absent` for an upload that this lake does not know */
export function requireUpload(uploads: UploadStore, uploadId: string): Upload {
	const upload = uploads.get(uploadId);
	if (upload) return upload;
	throw new Refusal('absent', `There is no upload ${uploadId} in this lake.`);
}

/**
 * Writes something down in the lake's operations file.
 *
 * @param what it is, for the sentence of a refusal
 * @throws {Refusal} `no-room` or `failed` where the disk would not take it
 */
export function writeDown<T>(lakeFolder: string, what: string, write: () => T): T {
	try {
		return write();
	} catch (error) {
		throw storageProblem(error, what, path.join(lakeFolder, 'operations.db'));
	}
}
