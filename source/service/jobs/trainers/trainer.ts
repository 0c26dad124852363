import type {TrainerOptions} from '../../../contract/local-jobs.ts';
import type {TrainerSign} from '../lerobot/trainer-sign.ts';
import {type Checkpoint, isRehearsal, type Job, type Standing, type TrainerHandle} from '../records/job.ts';
import type {JobFolder} from '../records/job-folder.ts';
import type {Lerobot} from '../vla/releases.ts';

/** The command that a fine-tune would run. */
export type TrainerFinding =
	| {readonly kind: 'found'; readonly command: readonly string[]; readonly message: string}
	/** There is no trainer, so that a fine-tune is a rehearsal. */
	| {readonly kind: 'absent'; readonly message: string}
	/** A trainer is configured that cannot be run. */
	| {readonly kind: 'broken'; readonly message: string};

/** A training that is to be started. */
export type TrainerStart = {
	readonly job: Job;
	readonly folder: JobFolder;
	/** The number of this launch of the job, from 1. */
	readonly launch: number;
	readonly command: readonly string[];
	/** The trainer ends it after this time, even while the service is gone. */
	readonly seconds: number;
	/** Writes down what was started, as soon as there is a handle. Where it throws, nothing may train. */
	readonly onStarted: (handle: TrainerHandle) => void;
};

/** A training that was started: one launch of a job. */
export type TrainerRun = {
	readonly folder: JobFolder;
	readonly launch: number;
	readonly handle: TrainerHandle;
};

/** How long a training has run in its trainer's queue, and what it has left, in seconds by the queue's own clock. */
export type RunTiming = {readonly ran: number; readonly left: number | null};

/** How a training ended. */
export type TrainerExit =
	| {readonly kind: 'code'; readonly code: number}
	| {readonly kind: 'killed'}
	/** It was never begun, and cannot begin any more: nothing was tried. */
	| {readonly kind: 'never'}
	/** Its hours were over. */
	| {readonly kind: 'hours'}
	/** It was stopped at the trainer's own queue, as `reason` says. */
	| {readonly kind: 'cancelled'; readonly reason: string}
	/** It was lost for the reason given; `isHopeless` where it would be lost again. */
	| {readonly kind: 'lost'; readonly reason: string; readonly isHopeless: boolean}
	/** It has ended, and how is not known yet: a cluster's accounting is late. It is asked again. */
	| {readonly kind: 'pending'};

/**
 * Runs trainings: each outlives the service that started it, and is found again by the handle that the job keeps. A
 * process of this machine is one, a cluster's queue may be another: every answer may take its time. A method that cannot
 * be answered now rejects; a job with a handle is then looked at again some seconds later.
 *
 * All trainers run LeRobot's command (`lerobot/`): its arguments, output and checkpoints are read in one place. They lie
 * in the job's folder, which a trainer on another machine must share with this one.
 */
export interface Trainer {
	/** The name that a job keeps, to be adopted by the same trainer. */
	readonly kind: string;
	/**
	 * The queue of a trainer that has its own: it takes any number of jobs at once, keeps their hours itself, and tells
	 * where each stands.
	 */
	readonly queue?: {
		/** Where a new job's files are to lie. */
		folderOf(jobId: string): string;
		standing(run: TrainerRun): Promise<(Standing & {readonly timing: RunTiming | null}) | undefined>;
	};
	/** True where `instance_type` and `region` of a fine-tune mean this trainer. */
	answersTo?(name: string | undefined, region: string | undefined): boolean;
	/** Finds the command that a fine-tune would run now. */
	find(): Promise<TrainerFinding>;
	/** The options of the trainer that was found. */
	options(): Promise<TrainerOptions>;
	/**
	 * The LeRobot that a command of `find` would train with: `asking` while that is being found out, undefined where the
	 * trainer does not tell.
	 *
	 * @param wait `none` where only what is known at once is wanted
	 */
	lerobot(command: readonly string[], wait?: 'none'): Promise<Lerobot | 'asking' | undefined>;
	/** The whole command line for a job, from its beginning or from a checkpoint. */
	commandFor(job: Job, output: string, checkpoint: Checkpoint | null): Promise<readonly string[]>;
	/** Starts a training, or puts it into the trainer's own queue. @throws an error that says why it cannot be started */
	start(start: TrainerStart): Promise<void>;
	/** True until it has ended, also while it waits in the trainer's own queue. */
	isRunning(run: TrainerRun): Promise<boolean>;
	/** Sends a signal to all processes of a training. */
	signal(run: TrainerRun, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
	/** How a training that does not run any more has ended. */
	exit(run: TrainerRun): Promise<TrainerExit>;
	/**
	 * Sees that what was printed so far stands in `folder.log`: nothing to do for a trainer that writes there itself; one
	 * that has a stream appends what is new.
	 */
	logs(run: TrainerRun): Promise<void>;
	/** Reads a line of the log. */
	signOf(line: string): TrainerSign | undefined;
	/** Ends whatever is left of a job. @returns a sentence about what could not be ended */
	endAll(folder: JobFolder): Promise<string | undefined>;
	/** The process to name to a person; null where it is not on this machine. */
	processOf(handle: TrainerHandle): number | null;
}

/** The machine that a fine-tune asks for. */
type Wanted = {readonly instance_type?: string | undefined; readonly region?: string | undefined};

/** The trainers of a service. */
export class Trainers {
	/** New jobs are given to it where they name no other. */
	readonly chosen: Trainer;
	/** Takes the jobs that have no trainer. */
	readonly rehearsal: Trainer;
	readonly #others: () => Promise<readonly Trainer[]>;

	/** @param others reads the trainers that are configured besides */
	constructor(
		chosen: Trainer,
		rehearsal: Trainer,
		others: () => Promise<readonly Trainer[]> = async () => [],
	) {
		this.chosen = chosen;
		this.rehearsal = rehearsal;
		this.#others = others;
	}

	/** The trainers that are configured besides the chosen one. */
	others(): Promise<readonly Trainer[]> {
		return this.#others();
	}

	/**
	 * The trainer that a new job is for: the one that it names; without a name the chosen one, or the first of the others
	 * where this machine has none.
	 *
	 * @throws an error that lists the names for a name that is none of theirs
	 */
	async for({instance_type, region}: Wanted): Promise<Trainer> {
		const others = await this.#others();
		const name = instance_type?.trim() || undefined;
		const where = region?.trim() || undefined;
		if (others.length === 0 || name === 'local') return this.chosen;
		const named =
			name === undefined && where === undefined
				? undefined
				: others.find(each => each.answersTo?.(name, where));
		if (named) return named;
		if (name !== undefined) {
			const names = others.map(({kind}) => nameOf(kind)).join(', ');
			const isKnown = others.some(each => each.answersTo?.(name, undefined));
			throw new UnknownTrainerError(
				isKnown
					? `region: the trainer "${name}" has no partition "${where}"`
					: `instance_type: there is no trainer "${name}". Known: local, ${names}`,
			);
		}
		const found = await this.chosen.find();
		return found.kind === 'absent' ? (others[0] ?? this.chosen) : this.chosen;
	}

	/** The trainer that a job was given to. @throws where this service does not have it */
	async of(job: Pick<Job, 'jobId' | 'trainer' | 'trainerKind'>): Promise<Trainer> {
		if (isRehearsal(job)) return this.rehearsal;
		// Jobs of earlier versions name none.
		const wanted = job.trainerKind ?? 'local';
		if (wanted === this.chosen.kind) return this.chosen;
		const found = (await this.#others()).find(({kind}) => kind === wanted);
		if (found) return found;
		throw new Error(
			`Job ${job.jobId} runs on the trainer "${nameOf(wanted)}", which this service does not have. Configure it again, or stop the job there.`,
		);
	}
}

export class UnknownTrainerError extends Error {}

/** The name that a person gave a trainer: its kind is `slurm:NAME`. */
export const nameOf = (kind: string): string => kind.slice(kind.indexOf(':') + 1);

/** True where a job's trainer has a queue of its own. */
export const isQueued = ({trainerKind}: Pick<Job, 'trainerKind'>): boolean =>
	trainerKind?.includes(':') ?? false;
