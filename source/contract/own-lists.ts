import * as z from 'zod';
import {jobItem, modelItem, pageInfo, projectItem} from './listing.ts';
import {dateTime, uuid} from './scalars.ts';

/**
 * How the embedded service pages the listings whose paging the document leaves open (4.9 to 4.11). These bounds and
 * item fields are lakescope's own (ARCHITECTURE.md, "Shapes of our own").
 */

const ownPage = {min: 1, max: 1000, default: 20} as const;

/** The sorts of the three listings. */
export const ownSorts = ['newest', 'oldest', 'updated', 'name'] as const;
export type OwnSort = (typeof ownSorts)[number];

/** The query of 4.9, 4.10 and 4.11 as the embedded service reads it. */
export const ownListQuery = z.lazy(() =>
	z.strictObject({
		limit: z.int().min(ownPage.min).max(ownPage.max).default(ownPage.default),
		sort: z.enum(ownSorts).default('newest'),
		cursor: z.string().max(4096).optional(),
	}),
);
export type OwnListQuery = z.output<typeof ownListQuery>;

const paged = <Item extends z.ZodType>(item: Item) =>
	z.looseObject({items: z.array(item), page_info: pageInfo});

/** A job of the embedded service, in the listing of 4.10. */
export const ownJobItem = z.lazy(() =>
	jobItem.extend({
		name: z.string(),
		vla_type: z.string(),
		model_id: z.string().nullable(),
		dataset_id: uuid,
		/** `local/NAME`. */
		dataset_path: z.string(),
		hours: z.number(),
		batch_size: z.int(),
		status: z.string(),
		current_phase: z.string(),
		/** True for a job that only walks the phases, as there is no trainer: it yields no model. */
		rehearsal: z.boolean(),
		message: z.string().nullable(),
		/** The last step that the trainer told of, and when; null before the first. */
		step: z.int().nullable(),
		step_at: dateTime.nullable(),
		/** The steps that it was asked for; the hours may end it before. */
		steps: z.int().nullable(),
		steps_per_second: z.number().nullable(),
		created_at: dateTime,
		updated_at: dateTime,
		started_at: dateTime.nullable(),
		ended_at: dateTime.nullable(),
	}),
);
export type OwnJobItem = z.output<typeof ownJobItem>;

/** A project of the embedded service, in the listing of 4.11. */
const ownProjectItem = z.lazy(() =>
	projectItem.extend({
		project_id: uuid,
		name: z.string(),
		description: z.string().nullable(),
		/** How many jobs it has. */
		jobs: z.int(),
		created_at: dateTime,
		/** When it, or a job of it, last changed. */
		updated_at: dateTime,
	}),
);
export type OwnProjectItem = z.output<typeof ownProjectItem>;

export const ownJobList = paged(ownJobItem);
export type OwnJobList = z.output<typeof ownJobList>;
export const ownProjectList = paged(ownProjectItem);
export type OwnProjectList = z.output<typeof ownProjectList>;
export const ownModelList = paged(modelItem);
export type OwnModelList = z.output<typeof ownModelList>;
