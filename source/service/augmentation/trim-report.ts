import * as z from 'zod';
import {ingestProblem} from '../../contract/local.ts';
import {augmentationProgress, augmentationSummary} from '../../contract/local-augmentations.ts';

/** The request to the process that trims a dataset: one JSON line on its stdin. */
export const trimRequest = z.lazy(() =>
	z.strictObject({
		/** The parent's root. */
		folder: z.string(),
		/** The parent's name in the lake. */
		dataset_name: z.string(),
		/** The new dataset's root, in a folder of the job's own. */
		target: z.string(),
		/** The place of the new episodes among the children of their parents. */
		ordinal: z.int().min(0),
		/** Indices of episodes that are left out: those that a person has rejected. */
		left_out: z.array(z.int().min(0)).default([]),
	}),
);
export type TrimRequest = z.input<typeof trimRequest>;

/** Its reports: one JSON object a line on its stdout. */
export const trimReport = z.lazy(() =>
	z.discriminatedUnion('type', [
		augmentationProgress.extend({type: z.literal('progress')}),
		ingestProblem.extend({type: z.literal('problem')}),
		augmentationSummary.extend({type: z.literal('done')}),
		z.looseObject({type: z.literal('failed'), message: z.string()}),
	]),
);
export type TrimReport = z.output<typeof trimReport>;
