import * as z from 'zod';

/** How much of a dataset one answer of 4.8 lists and quotes. */
export const datasetFileLimits = {files: 20_000, readmeBytes: 256 * 1024, depth: 32} as const;

/** A file of a dataset. */
const datasetFile = z.looseObject({
	/** Relative to the dataset's root, with `/` between folders. */
	path: z.string(),
	/** In bytes. */
	size: z.int(),
});
export type DatasetFile = z.output<typeof datasetFile>;

/**
 * The success answer of `GET /v1/datasets/files` (4.8) as the embedded service gives it; the document leaves it open. A
 * shape of lakescope's own.
 */
export const ownDatasetFiles = z.lazy(() =>
	z.looseObject({
		/** `local/NAME`. */
		path: z.string(),
		/** Always `main`: a folder has no other branch, tag or commit. */
		ref: z.string(),
		dataset_id: z.string(),
		/** In the order of their paths. Folders whose name begins with a dot are left out. */
		files: z.array(datasetFile),
		/** The sizes of `files` together. */
		total_size: z.int(),
		/** More files are there than are listed. */
		truncated: z.boolean(),
		/** Links that lead out of the dataset, and what is neither file nor folder: counted, never followed. */
		left_out: z.int(),
		/** The dataset card: the Markdown of README.md at the root, without its front matter; null where there is none. */
		readme: z.string().nullable(),
		/** The YAML between the `---` lines that README.md begins with, as it stands there. */
		readme_front_matter: z.string().nullable(),
		/** The card is longer than what is quoted. */
		readme_truncated: z.boolean(),
	}),
);
export type OwnDatasetFiles = z.output<typeof ownDatasetFiles>;

/** Section 4.8, the query. The response is not shown. */
export const datasetFilesQuery = z.lazy(() =>
	z.strictObject({
		path: z.string(),
		ref: z.string().nullable().default('main'),
	}),
);
export type DatasetFilesQuery = z.input<typeof datasetFilesQuery>;
