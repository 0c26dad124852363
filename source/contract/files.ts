import * as z from 'zod';

/** Section 4.8, the query. The response is not shown. */
export const datasetFilesQuery = z.lazy(() =>
	z.strictObject({
		path: z.string(),
		ref: z.string().nullable().default('main'),
	}),
);
export type DatasetFilesQuery = z.input<typeof datasetFilesQuery>;
