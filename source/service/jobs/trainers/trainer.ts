import type {TrainerOptions} from '../../../contract/local-jobs.ts';
import type {Checkpoint, Job, TrainerHandle} from '../records/job.ts';
import type {TrainerSign} from './trainer-sign.ts';

/** What a fine-tune would run on. */
export type TrainerFinding =
	| {readonly kind: 'found'; readonly command: readonly string[]; readonly message: string}
	/** There is none, so that a fine-tune is a rehearsal. */
	| {readonly kind: 'absent'; readonly message: string}
	/** One was configured that cannot be run. */
	| {readonly kind: 'broken'; readonly message: string};

/** A training that is to be begun. */
export type TrainerStart = {
	readonly jobId: string;
	readonly command: readonly string[];
	/** Where it runs. */
	readonly folder: string;
	/** What it prints goes to the end of this file. */
	readonly logFile: string;
	/** Where its exit code is left. */
	readonly exitFile: string;
	/** It is ended after so many, even where this service is gone. */
	readonly seconds: number;
	/** Writes down what was started; the training begins once that has returned. */
	readonly onStarted: (handle: TrainerHandle) => void;
};

/**
 * What trains: it outlives the service that started it, and is known again by a handle that the job keeps. Which one is
 * used is chosen in `daemon/`.
 */
export interface Trainer {
	/** What a fine-tune would run on now. */
	find(): Promise<TrainerFinding>;
	/** What the trainer that was found says of its options. */
	options(): Promise<TrainerOptions>;
	/** What is run for a job, behind the command that was found: from its beginning, or from a checkpoint. */
	argumentsOf(job: Job, output: string, checkpoint: Checkpoint | null): readonly string[];
	/** @throws the system's error where no process or no log can be had */
	start(start: TrainerStart): Promise<TrainerHandle>;
	isRunning(handle: TrainerHandle): Promise<boolean>;
	/** Sends a signal to all that belongs to a training. */
	signal(handle: TrainerHandle, jobId: string, signal: NodeJS.Signals): Promise<void>;
	/** The exit code that a training left; undefined for one that was killed. */
	exit(exitFile: string): Promise<number | undefined>;
	/** Ends whatever is left of a job. @returns the processes that are still there */
	endAll(jobId: string): Promise<readonly number[]>;
	/** What its log tells from `offset` on, a bounded piece of it; `next` is `offset` where nothing new is whole. */
	logs(
		logFile: string,
		offset: number,
	): Promise<{readonly signs: readonly TrainerSign[]; readonly next: number}>;
	/** The process to name to a person; null where it is none of this machine's. */
	processOf(handle: TrainerHandle): number | null;
}
