import * as z from 'zod';
import {datasetDamage, repairDifference} from '../../contract/local-repair.ts';

/** The request to the process that looks at a dataset and repairs it: one JSON text on its stdin. */
export const repairWork = z.lazy(() =>
	z.discriminatedUnion('do', [
		z.strictObject({do: z.literal('check'), folder: z.string(), scratch: z.string()}),
		z.strictObject({do: z.literal('plan'), folder: z.string(), ids: z.array(z.string())}),
		z.strictObject({do: z.literal('repair'), folder: z.string(), ids: z.array(z.string())}),
		/** Takes the repair back that was made at this time, unless that was done. */
		z.strictObject({do: z.literal('undo'), folder: z.string(), made: z.string()}),
	]),
);
export type RepairWork = z.output<typeof repairWork>;

/** Its reports: one JSON object a line on its stdout. */
export const repairReport = z.lazy(() =>
	z.discriminatedUnion('type', [
		/** It has worked since the last word. */
		z.looseObject({type: z.literal('working')}),
		z.looseObject({type: z.literal('damages'), damages: z.array(datasetDamage)}),
		repairDifference.extend({type: z.literal('plan')}),
		z.looseObject({type: z.literal('done')}),
		z.looseObject({type: z.literal('failed'), message: z.string()}),
	]),
);
export type RepairReport = z.output<typeof repairReport>;
