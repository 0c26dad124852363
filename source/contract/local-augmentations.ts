import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {datasetName} from './episode.ts';
import {jobStatus} from './job-status.ts';
import {ingestProblem} from './local.ts';
import {localJobPhase} from './local-jobs.ts';
import {dateTime, openText, uuid} from './scalars.ts';

/**
 * The embedded service's additions to augmentations: `/local/v1/augmentations`, which orders and lists them, and the
 * answers that the document leaves open (4.16, 4.17). Shapes of lakescope's own.
 */

/** The phases of an augmentation, in their order. */
export const augmentationPhases = ['trimming', 'ingesting'] as const;
export type AugmentationPhase = (typeof augmentationPhases)[number];

/**
 * `POST /local/v1/augmentations`: makes a new dataset of one, in which each episode is cut to where it moves. The
 * pauses (`pause_count`'s definition) that an episode begins and ends with are left out.
 */
const augmentationRequest = z.lazy(() =>
	z.strictObject({
		/** The dataset: its id, its name, or its path `local/NAME`. */
		dataset: z.string().min(1).max(256),
		/** The new dataset's name in the lake; by default the parent's with `-trimmed`. */
		name: datasetName.optional(),
		/** Episodes that a person has rejected are left out unless this asks for them. @default false */
		include_rejected: z.boolean().optional(),
	}),
);
export type AugmentationRequest = z.input<typeof augmentationRequest>;

/**
 * The cost of an augmentation: one credit a frame of the parent dataset. All of them are reserved when it is ordered; a
 * frame uses its credit when it has been gone through, and never twice, however often the work is taken up again. Once
 * the job has ended, in any way, the rest is returned, once: from then on used + returned = reserved.
 */
const creditLedger = z.lazy(() =>
	z.looseObject({
		reserved: z.int().min(0),
		used: z.int().min(0),
		returned: z.int().min(0),
		/** When the rest was returned; null while the job has not ended. */
		finalized_at: dateTime.nullable(),
	}),
);
export type CreditLedger = z.output<typeof creditLedger>;

/** How far the trimming is. */
export const augmentationProgress = z.looseObject({
	/** Episodes of the parent gone through. */
	done: z.int(),
	total: z.int(),
	/** Frames of the parent gone through. */
	frames: z.int(),
});
export type AugmentationProgress = z.output<typeof augmentationProgress>;

/** The result of a trimming. */
export const augmentationSummary = z.looseObject({
	episodes: z.int(),
	/** Frames of the episodes as they were, and as they are now. */
	frames_before: z.int(),
	frames_after: z.int(),
	/** Video files that the new dataset shares with its parent, and those that the parent names and has not. */
	videos_shared: z.int(),
	videos_absent: z.int(),
});
export type AugmentationSummary = z.output<typeof augmentationSummary>;

/** The answer of 4.16, with what is the embedded service's own. */
export const ownAugmentationStatus = jobStatus.extend({
	phases: z.array(localJobPhase),
	/** The new dataset; null until the job has completed. */
	augmented_dataset_id: uuid.nullable(),
	/** Why it failed or was cancelled. */
	message: z.string().nullable(),
	credits: creditLedger,
});
export type OwnAugmentationStatus = z.output<typeof ownAugmentationStatus>;

/** `GET /local/v1/augmentations/{job_id}`: an augmentation with all that is known of it. */
export const augmentationRecord = z.lazy(() =>
	ownAugmentationStatus.extend({
		/** The parent. */
		dataset_id: uuid,
		/** `local/NAME`. */
		dataset_path: z.string(),
		/** The new dataset's name. */
		name: z.string(),
		/** How many rejected episodes are left out. */
		rejected_left_out: z.int().default(0),
		progress: augmentationProgress.nullable(),
		summary: augmentationSummary.nullable(),
		/** The ingest of the new dataset, once begun; `GET /v1/datasets/sync-status/{operation_id}` tells of it. */
		operation_id: uuid.nullable(),
		/** Problems with episodes left out of the new dataset, the first of them. */
		problems: z.array(ingestProblem),
		problem_count: z.int(),
		created_at: dateTime,
		updated_at: dateTime,
		ended_at: dateTime.nullable(),
	}),
);
export type AugmentationRecord = z.output<typeof augmentationRecord>;

/** `GET /local/v1/augmentations`: newest first. */
export const augmentationListResponse = z.looseObject({items: z.array(augmentationRecord)});
export type AugmentationListResponse = z.output<typeof augmentationListResponse>;

/** The success answer of 4.17. Cancelling again, or what has ended, changes nothing and answers the same way. */
export const augmentationCancelled = z.looseObject({
	job_id: uuid,
	/** `cancelled`, or how it had ended before. */
	status: openText,
	/** True if the job was cancelled. */
	cancelled: z.boolean(),
	credits: creditLedger,
});
export type AugmentationCancelled = z.output<typeof augmentationCancelled>;

const own = 'ARCHITECTURE.md';
const path = '/local/v1/augmentations';

/** Ordering augmentations, which the interface document leaves out, and all that is known of them. */
export const localAugmentationEndpoints = {
	augment: {
		section: own,
		method: 'POST',
		path,
		key: 'required',
		repeatable: false,
		body: augmentationRequest,
		response: augmentationRecord,
	},
	listAugmentations: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		response: augmentationListResponse,
	},
	augmentation: {
		section: own,
		method: 'GET',
		path: `${path}/{job_id}`,
		key: 'required',
		repeatable: true,
		parameters: z.strictObject({job_id: uuid}),
		response: augmentationRecord,
	},
} as const satisfies Record<string, Endpoint>;
