import * as z from 'zod';

/** The request to the process that writes the sample: one JSON line on its stdin. */
export const writerRequest = z.lazy(() =>
	z.strictObject({folder: z.string(), datasets: z.array(z.string())}),
);
export type WriterRequest = z.output<typeof writerRequest>;

/** Its reports: one JSON object a line on its stdout. */
export const writerReport = z.lazy(() =>
	z.discriminatedUnion('type', [
		z.strictObject({type: z.literal('progress'), done: z.int(), total: z.int(), dataset: z.string()}),
		z.strictObject({type: z.literal('written'), name: z.string(), folder: z.string()}),
		z.strictObject({type: z.literal('done')}),
		z.strictObject({type: z.literal('failed'), message: z.string()}),
	]),
);
export type WriterReport = z.output<typeof writerReport>;
