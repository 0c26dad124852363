import * as z from 'zod';
import {datasetListLimits as limits} from './limits.ts';
import {dateTime, freeForm, integer, maxCount, openText, uuid} from './scalars.ts';
import {datasetSorts, datasetTypes, directions} from './vocabulary.ts';

/** Section 2.4: a job that took an artifact in or gave it out. */
const jobLink = z.looseObject({job_id: uuid, direction: openText});
export type JobLink = z.output<typeof jobLink>;

const artifact = {
	artifact_id: uuid,
	subtype: openText,
	path: z.string(),
	metadata: freeForm().nullish(),
	jobs: z.array(jobLink).nullish(),
	created_at: dateTime,
	updated_at: dateTime,
};

/** Section 2.4: an item of the dataset listing. */
export const datasetItem = z.looseObject(artifact);
export type DatasetItem = z.output<typeof datasetItem>;

/** Section 2.5: an item of the model listing; same shape, other subtypes. */
export const modelItem = z.looseObject(artifact);
export type ModelItem = z.output<typeof modelItem>;

/** Section 2.6: an item of the job listing. The document shows no more of it; the rest is kept as it comes. */
export const jobItem = z.looseObject({
	job_id: uuid,
	project_id: uuid,
	use_rabc: z.boolean().nullish(),
});
export type JobItem = z.output<typeof jobItem>;

/** Section 2.12: "Fields of a project item in the project list: not shown." */
export const projectItem = z.looseObject({});
export type ProjectItem = z.output<typeof projectItem>;

/** Section 2.7. */
export const pageInfo = z.lazy(() =>
	z.looseObject({
		has_next: z.boolean(),
		end_cursor: z.string().nullish(),
		total_count: integer({max: maxCount}).nullish(),
	}),
);
export type PageInfo = z.output<typeof pageInfo>;

/** Section 4.6, the query. */
export const datasetListQuery = z.lazy(() =>
	z.strictObject({
		dataset_type: z.enum(datasetTypes).optional(),
		direction: z.enum(directions).optional(),
		project_id: uuid.optional(),
		job_id: uuid.optional(),
		search: z.string().max(limits.search).optional(),
		limit: z.int().min(limits.page.min).max(limits.page.max).default(limits.page.default),
		cursor: z.string().optional(),
		sort: z.enum(datasetSorts).default('newest'),
	}),
);
export type DatasetListQuery = z.input<typeof datasetListQuery>;

/** Section 4.6, the response. */
export const datasetListResponse = z.looseObject({items: z.array(datasetItem), page_info: pageInfo});
export type DatasetListResponse = z.output<typeof datasetListResponse>;

/** Sections 4.9 and 4.10: `limit` and `sort` exist, their bounds and values are not shown; nor is a cursor. */
export const openListQuery = z.lazy(() =>
	z.strictObject({
		limit: z.int().optional(),
		sort: z.string().optional(),
		cursor: z.string().optional(),
	}),
);
export type OpenListQuery = z.input<typeof openListQuery>;

/** Sections 4.9 to 4.11: paging fields are not shown; where `page_info` is there, it is read as that of 2.7. */
const openList = <Item extends z.ZodType>(item: Item) =>
	z.looseObject({items: z.array(item), page_info: pageInfo.nullish().catch(undefined)});

export const modelListResponse = openList(modelItem);
export type ModelListResponse = z.output<typeof modelListResponse>;

export const jobListResponse = openList(jobItem);
export type JobListResponse = z.output<typeof jobListResponse>;

export const projectListResponse = openList(projectItem);
export type ProjectListResponse = z.output<typeof projectListResponse>;

/**
 * A figure of a dataset's metadata, whose names the interface leaves open: the embedded service's, or LeRobot's own.
 * Undefined where neither is there.
 */
export function artifactFigure(
	{metadata}: Pick<DatasetItem, 'metadata'>,
	what: 'episodes' | 'frames',
): number | bigint | undefined {
	const value = metadata?.[what] ?? metadata?.[`total_${what}`];
	return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
