import * as z from 'zod';
import {ingestProgress} from '../../contract/local.ts';
import {composeSummary} from '../../contract/local-compose.ts';

/** The request to the process that composes: one JSON text on its stdin. */
export const composeWork = z.lazy(() =>
	z.strictObject({
		/** The new dataset's root, in a folder of its own. */
		target: z.string(),
		name: z.string(),
		/** Features that the new dataset goes without. */
		left_out: z.array(z.string()),
		parents: z.array(
			z.strictObject({
				folder: z.string(),
				dataset_name: z.string(),
				/** The place of the new episodes among the children of their parents. */
				ordinal: z.int().min(0),
				/** In the order of their indices. */
				episodes: z.array(z.strictObject({episode_index: z.int(), revision: z.string()})),
			}),
		),
	}),
);
export type ComposeWork = z.output<typeof composeWork>;

/** Its reports: one JSON object a line on its stdout. */
export const composeReport = z.lazy(() =>
	z.discriminatedUnion('type', [
		ingestProgress.extend({type: z.literal('progress')}),
		composeSummary.unwrap().extend({type: z.literal('done')}),
		z.looseObject({type: z.literal('failed'), message: z.string()}),
	]),
);
export type ComposeReport = z.output<typeof composeReport>;
