import * as z from 'zod';
import {dateTime, openText, uuid} from './scalars.ts';

/** Section 2.9: one thing that happened in a phase. The service may send more than these fields. */
const phaseEvent = z.looseObject({
	timestamp: dateTime,
	retry_attempt: z.int().nullish(),
});
export type PhaseEvent = z.output<typeof phaseEvent>;

/** Section 2.9: one phase of a job. */
export const jobPhase = z.looseObject({
	name: z.string(),
	status: openText,
	events: z.array(phaseEvent).nullish(),
});
export type JobPhase = z.output<typeof jobPhase>;

/**
 * Section 2.9: the status of a fine-tune or an augmentation. The field that names an augmentation's result is not
 * shown; it stays in the object under its own name.
 */
export const jobStatus = z.looseObject({
	job_id: uuid,
	current_phase: z.string(),
	status: openText,
	phases: z.array(jobPhase).nullish(),
});
export type JobStatusResponse = z.output<typeof jobStatus>;
