import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {jobPhase} from './job-status.ts';
import {ownJobItem} from './own-lists.ts';
import {dateTime, uuid} from './scalars.ts';

/** Details of jobs that only the embedded service has, under `/local/v1`. Shapes of lakescope's own. */

/** A phase event of the embedded service: section 2.9's, and what happened in words. */
const localPhaseEvent = z.lazy(() =>
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
		/** Where it stands in its trainer's own queue, as SLURM's; not there in services before this. */
		standing: z
			.looseObject({
				/** The queue's word, as PENDING. */
				state: z.string(),
				reason: z.string().nullable(),
				/** Its place among those that wait, from 1, of so many. */
				place: z.int().nullable(),
				of: z.int().nullable(),
				node: z.string().nullable(),
				/** The queue's own id. */
				id: z.string().nullable(),
				waits: z.boolean(),
				restarts: z.int(),
				words: z.string(),
			})
			.nullish(),
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

export const jobSeriesLimits = {default: 1000, max: 20_000} as const;

/** The query of `GET /local/v1/jobs/{job_id}/series`. */
export const jobSeriesQuery = z.lazy(() =>
	z.strictObject({
		/** Of more steps than this, so many are given, evenly over all of them. */
		limit: z.int().min(1).max(jobSeriesLimits.max).default(jobSeriesLimits.default),
	}),
);
export type JobSeriesQuery = z.input<typeof jobSeriesQuery>;

/** The numbers that a job's trainer printed: loss, grad_norm, lr, samples, episodes, epochs, times, and its policy's own. */
export const jobSeries = z.lazy(() =>
	z.looseObject({
		job_id: uuid,
		/** How many steps were told of. */
		total: z.int(),
		/** The steps that are given, exact and rising. */
		steps: z.array(z.int()),
		/** By name, a value for each of `steps`; null where it told none, or one that is not finite. */
		series: z.record(z.string(), z.array(z.number().nullable())),
	}),
);
export type JobSeries = z.output<typeof jobSeries>;

/** `GET /local/v1/trainer`: what a fine-tune would run on, asked before one is started. */
const localTrainer = z.lazy(() =>
	z.looseObject({
		/** The command's words; null where there is none and a fine-tune would be a rehearsal. */
		command: z.array(z.string()).nullable(),
		/** Where the command was found, or what to do to have one. */
		message: z.string(),
		/** The trainers that `instance_type` may name besides; not there in services before this. */
		trainers: z.array(z.looseObject({name: z.string(), message: z.string()})).optional(),
	}),
);
export type LocalTrainer = z.output<typeof localTrainer>;

const folderName = z.string().max(4096);

/**
 * `POST /local/v1/trainer/environment`: the variables by which a shell finds its trainer, those of the person who calls.
 * It is answered as `GET /local/v1/trainer`.
 */
const trainerEnvironment = z.lazy(() =>
	z.strictObject({
		PATH: z.string().max(131_072),
		/** Null, or left out, where none is active. */
		VIRTUAL_ENV: folderName.nullish(),
		CONDA_PREFIX: folderName.nullish(),
	}),
);
export type TrainerEnvironment = z.output<typeof trainerEnvironment>;

/** LeRobot's `lerobot-edit-dataset` of the service's machine, as its `--help` has it. */
const editDataset = z.lazy(() =>
	z.looseObject({
		/** The operations that it has, and its flags; null while they are unknown, or cannot be found out. */
		operations: z.array(z.string()).nullable(),
		flags: z.array(z.string()).nullable(),
		/** It is being asked: ask again. */
		is_asking: z.boolean(),
		/** Which LeRobot it is of, or why nothing is known of it, in a sentence. */
		message: z.string(),
	}),
);
export type EditDataset = z.output<typeof editDataset>;

/** `GET /local/v1/trainer/options`: what its `--help` says, asked once a version of it. */
export const trainerOptions = z.lazy(() =>
	z.looseObject({
		/** True if it knows `--dataset.exclude_episodes`; null while that is unknown, or cannot be found out. */
		exclude_episodes: z.boolean().nullable(),
		/** It is being asked: ask again. */
		is_asking: z.boolean(),
		/** The same in a sentence. */
		message: z.string(),
		/** Not there in services before this. */
		edit_dataset: editDataset.optional(),
	}),
);
export type TrainerOptions = z.output<typeof trainerOptions>;

/** One GPU, as far as its driver tells; null where it does not. */
const machineGpu = z.lazy(() =>
	z.looseObject({
		name: z.string(),
		/** How much of the last second it was busy, in percent. */
		busy_percent: z.number().nullable(),
		memory_used_bytes: z.number().nullable(),
		memory_total_bytes: z.number().nullable(),
		/** Degrees Celsius. */
		temperature: z.number().nullable(),
	}),
);
export type MachineGpu = z.output<typeof machineGpu>;

/** `GET /local/v1/machine`: what the service's machine has left for jobs. A shape of lakescope's own. */
export const localMachine = z.lazy(() =>
	z.looseObject({
		/** The file system that the lake lies on; null where it cannot be read. */
		disk: z.looseObject({free_bytes: z.number(), total_bytes: z.number()}).nullable(),
		gpus: z.array(machineGpu),
		/** Why no GPU is listed; null where one is. */
		gpu_message: z.string().nullable(),
	}),
);
export type LocalMachine = z.output<typeof localMachine>;

const own = 'ARCHITECTURE.md';
const path = '/local/v1/jobs/{job_id}';
const parameters = z.strictObject({job_id: uuid});

/** Endpoints of the embedded service alone about a job, and about the trainer that it would run on. */
export const localJobEndpoints = {
	localJob: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		parameters,
		response: localJob,
	},
	jobLog: {
		section: own,
		method: 'GET',
		path: `${path}/log`,
		key: 'required',
		repeatable: true,
		parameters,
		query: jobLogQuery,
		response: jobLog,
	},
	jobSeries: {
		section: own,
		method: 'GET',
		path: `${path}/series`,
		key: 'required',
		repeatable: true,
		parameters,
		query: jobSeriesQuery,
		response: jobSeries,
	},
	stopJob: {
		section: own,
		method: 'POST',
		path: `${path}/stop`,
		key: 'required',
		repeatable: false,
		parameters,
		response: localJob,
	},
	restartJob: {
		section: own,
		method: 'POST',
		path: `${path}/restart`,
		key: 'required',
		repeatable: false,
		parameters,
		response: localJob,
	},
	machine: {
		section: own,
		method: 'GET',
		path: '/local/v1/machine',
		key: 'required',
		repeatable: true,
		response: localMachine,
	},
	trainer: {
		section: own,
		method: 'GET',
		path: '/local/v1/trainer',
		key: 'required',
		repeatable: true,
		response: localTrainer,
	},
	trainerEnvironment: {
		section: own,
		method: 'POST',
		path: '/local/v1/trainer/environment',
		key: 'required',
		repeatable: true,
		body: trainerEnvironment,
		response: localTrainer,
	},
	trainerOptions: {
		section: own,
		method: 'GET',
		path: '/local/v1/trainer/options',
		key: 'required',
		repeatable: true,
		response: trainerOptions,
	},
} as const satisfies Record<string, Endpoint>;
