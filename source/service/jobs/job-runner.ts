import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import {eventNow} from './log-reader.ts';
import {pause} from './pause.ts';
import {isOver, isRehearsal, type Job, type JobTrainer} from './records/job.ts';
import {JobFolder} from './records/job-folder.ts';
import type {JobStore} from './records/job-store.ts';
import type {ModelStore} from './records/model-store.ts';
import {failPhase, pendingPhases, reopenPhases} from './records/phases.ts';
import type {Timing} from './timing.ts';
import {isQueued, type Trainers} from './trainers/trainer.ts';
import {train} from './training.ts';

export type RunnerOptions = {
	readonly lakeFolder: string;
	readonly store: JobStore;
	readonly models: ModelStore;
	readonly activity: Activity;
	readonly log: Log;
	readonly timing: Timing;
	readonly trainers: Trainers;
	/** How many jobs train on this machine at a time; one without it. */
	readonly atOnce?: number | undefined;
};

/** The wait after a job could not be worked on at all, as on a full disk. */
const afterErrorMs = 5000;

/**
 * Runs jobs in the order in which they came: so many at a time on this machine, and any number where a trainer has a
 * queue of its own.
 */
export class JobRunner {
	readonly #options: RunnerOptions;
	readonly #closing = new AbortController();
	readonly #current = new Map<string, {readonly isHere: boolean; readonly done: Promise<void>}>();
	#rest: (() => void) | undefined;

	constructor(options: RunnerOptions) {
		this.#options = options;
	}

	/**
	 * Starts on what there is to do: jobs that an earlier service left running, then those of the queue.
	 * Call it at the start, and whenever a job was queued.
	 */
	pump(): void {
		if (this.#closing.signal.aborted) return;
		const {store, activity, log, atOnce = 1} = this.#options;
		let waiting: readonly Job[];
		try {
			waiting = [...store.running(), ...store.queued()].filter(({jobId}) => !this.#current.has(jobId));
		} catch (error) {
			log(`the jobs cannot be read: ${systemReason(error)}; retried in ${afterErrorMs / 1000} s`);
			void pause(afterErrorMs, this.#closing.signal).then(() => this.pump());
			return;
		}
		for (const job of waiting) {
			const isHere = !isQueued(job);
			const here = [...this.#current.values()].filter(each => each.isHere).length;
			if (isHere && here >= atOnce) continue;
			this.#rest ??= activity.begin('operation');
			const done = this.#run(job)
				.catch(error => this.#giveUp(job, error))
				.finally(() => {
					this.#current.delete(job.jobId);
					this.pump();
				});
			this.#current.set(job.jobId, {isHere, done});
		}
		if (this.#current.size > 0) return;
		this.#rest?.();
		this.#rest = undefined;
	}

	/** Stops a job that has not ended; where its trainer runs, it ends a moment later. */
	stop(job: Job): Job {
		const {store} = this.#options;
		const {jobId} = job;
		if (job.status === 'running') return store.change(jobId, {ending: 'stop'});
		const endedAt = new Date().toISOString();
		return store.change(jobId, {status: 'cancelled', endedAt, message: 'Stopped before it began.'});
	}

	/**
	 * Puts a job that has ended in the queue again, to go on from its last checkpoint with its hours anew.
	 *
	 * @param trainer to go on with; a rehearsal begins again
	 */
	restart(job: Job, trainer: JobTrainer): Job {
		const changed = this.#options.store.change(job.jobId, {
			...trainer,
			status: 'queued',
			queuedAt: new Date().toISOString(),
			startedAt: null,
			deadlineAt: null,
			endedAt: null,
			ending: null,
			standing: null,
			retries: 0,
			message: null,
			command: [],
			progress: job.progress && job.checkpoint && {...job.progress, step: job.checkpoint.step},
			checkpointAt: null,
			phases: isRehearsal(trainer)
				? pendingPhases(true)
				: reopenPhases(job.phases, eventNow({...trainer, retries: 0}, 'restarted')),
		});
		this.pump();
		return changed;
	}

	/** Stops watching: trainers go on without this service. */
	async close(): Promise<void> {
		this.#closing.abort();
		await Promise.all([...this.#current.values()].map(({done}) => done));
	}

	async #run(job: Job): Promise<void> {
		const {lakeFolder, store, models, timing, log, trainers} = this.#options;
		const {jobId} = job;
		const trainer = await trainers.of(job);
		if (job.status === 'queued') {
			const now = Date.now();
			store.change(jobId, {
				status: 'running',
				// A trainer with a queue tells when it begins.
				...(!trainer.queue && {
					startedAt: new Date(now).toISOString(),
					deadlineAt: new Date(now + job.order.hours * 3_600_000).toISOString(),
				}),
			});
		} else if (job.run) {
			const pid = trainer.processOf(job.run);
			log(`adopts the ${trainer.kind} trainer of job ${jobId}${pid === null ? '' : `, process ${pid}`}`);
		}
		const folder = new JobFolder(lakeFolder, job);
		const tools = {store, models, folder, timing, log, trainer, signal: this.#closing.signal};
		await train(jobId, tools);
	}

	/** Fails a job that cannot be worked on, unless its trainer runs: that is adopted again. */
	async #giveUp({jobId}: Job, error: unknown): Promise<void> {
		const {store, log} = this.#options;
		log(`job ${jobId}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		try {
			const job = store.require(jobId);
			if (isOver(job) || job.run) throw error;
			const reason = error instanceof Error ? error.message : String(error);
			store.change(jobId, {
				status: 'failed',
				endedAt: new Date().toISOString(),
				message: `The trainer could not be started: ${reason}.`,
				phases: failPhase(job.phases, eventNow(job, reason)),
			});
		} catch {
			await pause(afterErrorMs, this.#closing.signal);
		}
	}
}
