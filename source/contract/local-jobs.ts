import * as z from 'zod';
import {jobPhase} from './job-status.ts';
import {ownJobItem} from './own-lists.ts';
import {dateTime, uuid} from './scalars.ts';

/** What only the embedded service tells of jobs, under `/local/v1`. Shapes of lakescope's own. */

/** A phase event of the embedded service: section 2.9's, and what happened in words. */
export const localPhaseEvent = z.lazy(() =>
	z.looseObject({
		timestamp: dateTime,
		retry_attempt: z.int().optional(),
		note: z.string().optional(),
	}),
);
export type LocalPhaseEvent = z.output<typeof localPhaseEvent>;

export const localJobPhase = jobPhase.extend({events: z.array(localPhaseEvent)});
export type LocalJobPhase = z.output<typeof localJobPhase>;

/** `GET /local/v1/jobs/{job_id}`: a job of this machine, with all that is known of it. */
export const localJob = z.lazy(() =>
	ownJobItem.unwrap().extend({
		phases: z.array(localJobPhase),
		/** The request that it was ordered with (4.3). */
		request: z.record(z.string(), z.unknown()),
		/** How often the trainer was begun again by itself since the job was last started. */
		retries: z.int(),
		/** When the hours are over; null before it starts. */
		deadline_at: dateTime.nullable(),
		loss: z.number().nullable(),
		/** The last whole checkpoint on the disk. */
		checkpoint: z.looseObject({step: z.int(), folder: z.string()}).nullable(),
		model: z.looseObject({artifact_id: uuid, path: z.string()}).nullable(),
		/** The trainer's command line, as it was last run; empty for a rehearsal. */
		command: z.array(z.string()),
		/** The trainer's process, which leads its own session; null while none runs. */
		pid: z.int().nullable(),
		log: z.looseObject({path: z.string(), size: z.int()}),
	}),
);
export type LocalJob = z.output<typeof localJob>;

export const jobLogLimits = {default: 65_536, max: 1_048_576} as const;

/** The query of `GET /local/v1/jobs/{job_id}/log`, in bytes. */
export const jobLogQuery = z.lazy(() =>
	z.strictObject({
		/** Where to begin; negative counts from the end. */
		offset: z.int().default(0),
		limit: z.int().min(1).max(jobLogLimits.max).default(jobLogLimits.default),
	}),
);
export type JobLogQuery = z.input<typeof jobLogQuery>;

/** A piece of a job's log. */
export const jobLog = z.lazy(() =>
	z.looseObject({
		job_id: uuid,
		/** Where the piece begins, in bytes. */
		offset: z.int(),
		/** Where the next piece begins; `size` where this one reaches the end. */
		next_offset: z.int(),
		/** The log's size when it was read. */
		size: z.int(),
		text: z.string(),
	}),
);
export type JobLog = z.output<typeof jobLog>;

/** `GET /local/v1/trainer`: what a fine-tune would run on, asked before one is started. */
export const localTrainer = z.lazy(() =>
	z.looseObject({
		/** The command's words; null where there is none and a fine-tune would be a rehearsal. */
		command: z.array(z.string()).nullable(),
		/** Where the command was found, or what to do to have one. */
		message: z.string(),
	}),
);
export type LocalTrainer = z.output<typeof localTrainer>;

const folderName = z.string().max(4096);

/**
 * `POST /local/v1/trainer/environment`: the variables by which a shell finds its trainer, those of the person who calls.
 * It is answered as `GET /local/v1/trainer`.
 */
export const trainerEnvironment = z.lazy(() =>
	z.strictObject({
		PATH: z.string().max(131_072),
		/** Null, or left out, where none is active. */
		VIRTUAL_ENV: folderName.nullish(),
		CONDA_PREFIX: folderName.nullish(),
	}),
);
export type TrainerEnvironment = z.output<typeof trainerEnvironment>;

/** `GET /local/v1/trainer/options`: what its `--help` says, asked once a version of it. */
export const trainerOptions = z.lazy(() =>
	z.looseObject({
		/** Whether it knows `--dataset.exclude_episodes`; null while that is not known, or cannot be found out. */
		exclude_episodes: z.boolean().nullable(),
		/** It is being asked: ask again. */
		is_asking: z.boolean(),
		/** The same in a sentence. */
		message: z.string(),
	}),
);
export type TrainerOptions = z.output<typeof trainerOptions>;
