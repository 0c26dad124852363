import {readFile} from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {ingestProblem} from '../../contract/local.ts';
import {siblingGroup} from '../../contract/local-series.ts';
import {LakeError} from './lake-error.ts';

/** What `dataset.json` of a staging folder says of the dataset as a whole. */
const stagedDataset = z.lazy(() =>
	z.object({
		format: z.string().nullish(),
		robot_type: z.string().nullish(),
		fps: z.number().nullish(),
		interface_hash: z.string().max(128).nullish(),
		subtype: z.string(),
		cameras: z.array(z.string()).default([]),
		features: z.record(z.string(), z.unknown()).default({}),
		/** What its metadata says in the listing besides what every dataset's does. */
		metadata: z.record(z.string(), z.unknown()).nullish(),
		problems: z.array(ingestProblem).default([]),
		/** What the episodes of each task are usually like. */
		siblings: z.array(siblingGroup).default([]),
	}),
);
export type StagedDataset = z.output<typeof stagedDataset>;

/**
 * Reads the `dataset.json` that an ingest left in its staging folder.
 *
 * @throws LakeError `staging` when it is missing or not of that shape.
 */
export async function readStagedDataset(staging: string): Promise<StagedDataset> {
	const file = path.join(staging, 'dataset.json');
	try {
		return stagedDataset.parse(JSON.parse(await readFile(file, 'utf8')));
	} catch (error) {
		const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
		throw new LakeError(
			'staging',
			`The ingest handed over no readable ${file} (${reason}): ingest the dataset again.`,
			{cause: error},
		);
	}
}
