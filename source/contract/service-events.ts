import * as z from 'zod';
import {openText, uuid} from './scalars.ts';

/**
 * The embedded service's events on `GET /v1/events`, whose names and payloads the document leaves open (section 6).
 * Shapes of lakescope's own.
 *
 * An event is a hint: it names what changed, and its state, so that the reader fetches that again. Ids are whole
 * numbers that only grow, over restarts too; a reader that sends the last one it saw as `Last-Event-ID` is given what
 * came after it, as far as the history goes back.
 */

/** How many events the service keeps for readers that come back. */
export const eventHistory = 10_000;

/** The data of each event by its name. New names may come: an unknown one is a hint to look at everything. */
export const serviceEvents = {
	/** The first event of a reader that gave no id: what is listed from now on is complete with what follows. */
	ready: z.looseObject({}),
	/** Events were missed and cannot be given any more: list everything again. */
	gap: z.looseObject({
		/** The last id that the reader said it saw; null where it was none of this lake's, or none was asked about. */
		after: z.string().nullable(),
	}),
	/** The service started: what its predecessor did last may have gone unsaid. List everything again. */
	'service.started': z.looseObject({version: z.string()}),
	/** A re-ingest entered a phase of section 3. */
	'ingest.phase': z.looseObject({
		operation_id: uuid,
		repo_id: uuid,
		dataset_id: uuid,
		dataset_name: z.string(),
		phase: openText,
	}),
	/** An upload entered a phase of its own, or was dismissed. */
	'upload.phase': z.looseObject({
		upload_id: uuid,
		repo_id: uuid,
		dataset_id: uuid,
		dataset_name: z.string(),
		phase: openText,
		/** The re-ingest, once committed. */
		operation_id: uuid.nullable(),
	}),
	/** A person decided about episodes of a dataset. */
	'episode.review': z.looseObject({
		dataset_id: uuid,
		dataset_name: z.string(),
		review_state: openText,
		episode_count: z.int(),
	}),
	/** A fine-tune or an augmentation changed its status or phase. */
	'job.phase': z.looseObject({
		job_id: uuid,
		status: openText,
		/** The phase inside the job. */
		phase: openText,
		/** Of a fine-tune. */
		project_id: uuid.optional(),
		/** Of a fine-tune: it only walks the phases, as there is no trainer. */
		rehearsal: z.boolean().optional(),
	}),
} as const satisfies Record<string, z.ZodType>;

export type ServiceEventName = keyof typeof serviceEvents;
export type ServiceEventData<Name extends ServiceEventName> = z.output<(typeof serviceEvents)[Name]>;
