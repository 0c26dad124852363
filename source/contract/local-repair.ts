import * as z from 'zod';
import {uuid} from './scalars.ts';

/** A damage of a dataset that `check` found; its kinds are those of `lerobot/check/damage.ts`. */
export const datasetDamage = z.looseObject({
	id: z.string(),
	severity: z.string(),
	/** A few words for it. */
	title: z.string(),
	/** The behaviour of LeRobot: a sentence. */
	lerobot: z.string(),
	/** The repair: a sentence; null where there is none. */
	repair: z.string().nullable(),
	/** True if it can be repaired without an answer to a question. */
	repairable: z.boolean(),
	file: z.string(),
	episodes: z.array(z.int()),
	seconds: z.number().optional(),
	subject: z.string().optional(),
	message: z.string(),
});
export type DatasetDamage = z.output<typeof datasetDamage>;

/** Severities in words, the worst first. */
export const severityWords: Readonly<Record<string, string>> = {
	'training-fails': 'A training fails',
	'training-worse': 'A training is worse',
	cosmetic: 'Cosmetic',
	'lerobot-rule': "LeRobot's own rule",
};

/** `GET /local/v1/datasets/{dataset_id}/damages`: the damages of a dataset's folder and their repairs. */
export const damageReport = z.lazy(() =>
	z.looseObject({
		dataset_id: uuid,
		dataset_name: z.string(),
		folder: z.string(),
		/** `checking`: ask again. */
		state: z.enum(['checking', 'checked', 'failed']),
		/** The reason why it could not be checked. */
		message: z.string().nullable(),
		/** The worst first. */
		damages: z.array(datasetDamage),
		/** The newest repair, which can be taken back. */
		undo: z.looseObject({repairs: z.array(z.string()), made: z.string()}).nullable(),
		/** The reason why it cannot be repaired now: a sentence. */
		refused: z.string().nullable(),
	}),
);
export type DamageReport = z.output<typeof damageReport>;

/** The damages to mend; none: all that can be mended without a question. */
export const repairRequest = z.lazy(() =>
	z.union([
		z.strictObject({ids: z.array(z.string().max(100)).max(200)}),
		/** Takes the newest repair back, which was made at this time. */
		z.strictObject({undo: z.string().max(100)}),
	]),
);
export type RepairRequest = z.output<typeof repairRequest>;

/** The difference that a repair makes; also the answer of the process that plans it. */
export const repairDifference = z.looseObject({
	repairs: z.array(z.looseObject({id: z.string(), changes: z.array(z.string())})),
	/** Files that change, relative to the dataset's root. */
	files: z.array(z.string()),
	/** Bytes that it needs beside the dataset. */
	bytes: z.number(),
});
export type RepairDifference = z.output<typeof repairDifference>;

/** `POST /local/v1/datasets/{dataset_id}/repair/plan`: a repair that is not made. */
export const repairPlan = z.lazy(() =>
	repairDifference.extend({
		dataset_name: z.string(),
		folder: z.string(),
		/** Bytes that are free there. */
		free: z.number(),
		/** The reason why it cannot be repaired now: a sentence. */
		refused: z.string().nullable(),
	}),
);
export type RepairPlan = z.output<typeof repairPlan>;
