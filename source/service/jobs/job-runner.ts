import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import {JobFolder} from './job-folder.ts';
import {eventNow} from './log-reader.ts';
import {pause} from './pause.ts';
import {isOver, isRehearsal, type Job} from './records/job.ts';
import type {JobStore} from './records/job-store.ts';
import type {ModelStore} from './records/model-store.ts';
import {failPhase, pendingPhases, reopenPhases} from './records/phases.ts';
import {rehearse} from './rehearsal.ts';
import type {Timing} from './timing.ts';
import type {Trainer} from './trainers/trainer.ts';
import {train} from './training.ts';

export type RunnerOptions = {
	readonly lakeFolder: string;
	readonly store: JobStore;
	readonly models: ModelStore;
	readonly activity: Activity;
	readonly log: Log;
	readonly timing: Timing;
	readonly trainer: Trainer;
};

/** The wait after a job that could not be worked on at all, as on a full disk. */
const afterErrorMs = 5000;

/** Runs jobs one at a time, in the order in which they came. */
export class JobRunner {
	readonly #options: RunnerOptions;
	readonly #closing = new AbortController();
	#current: {jobId: string; done: Promise<void>} | undefined;
	#rest: (() => void) | undefined;

	constructor(options: RunnerOptions) {
		this.#options = options;
	}

	/**
	 * Goes on with what there is to do, if it is not at it: a job that an earlier service left running, else the next in
	 * the queue. To be called at the start, and whenever a job was put in the queue.
	 */
	pump(): void {
		if (this.#current || this.#closing.signal.aborted) return;
		const {store, activity, log} = this.#options;
		let next: Job | undefined;
		try {
			next = store.running()[0] ?? store.queued()[0];
		} catch (error) {
			log(`jobs cannot be read: ${systemReason(error)}; it is tried again`);
			void pause(afterErrorMs, this.#closing.signal).then(() => this.pump());
			return;
		}
		if (!next) {
			this.#rest?.();
			this.#rest = undefined;
			return;
		}
		this.#rest ??= activity.begin('operation');
		const done = this.#run(next)
			.catch(error => this.#giveUp(next, error))
			.finally(() => {
				this.#current = undefined;
				this.pump();
			});
		this.#current = {jobId: next.jobId, done};
	}

	/** Stops a job that has not ended; one whose trainer runs has ended a moment later. */
	stop(job: Job): Job {
		const {store} = this.#options;
		const {jobId} = job;
		const ended = {status: 'cancelled', endedAt: new Date().toISOString()} as const;
		if (job.status === 'queued') return store.change(jobId, {...ended, message: 'Stopped before it began.'});
		if (!isRehearsal(job)) return store.change(jobId, {ending: 'stop'});
		const phases = failPhase(job.phases, eventNow(job, 'stopped'));
		return store.change(jobId, {...ended, phases, message: 'The rehearsal was stopped.'});
	}

	/**
	 * Puts a job that has ended in the queue again, to go on from its last checkpoint with its hours anew.
	 *
	 * @param trainer the trainer to go on with; null for a rehearsal, which begins again
	 */
	restart(job: Job, trainer: readonly string[] | null): Job {
		const changed = this.#options.store.change(job.jobId, {
			trainer,
			status: 'queued',
			queuedAt: new Date().toISOString(),
			startedAt: null,
			deadlineAt: null,
			endedAt: null,
			ending: null,
			retries: 0,
			message: null,
			command: [],
			progress: job.progress && job.checkpoint && {...job.progress, step: job.checkpoint.step},
			checkpointAt: null,
			phases: trainer ? reopenPhases(job.phases, eventNow({retries: 0}, 'restarted')) : pendingPhases(true),
		});
		this.pump();
		return changed;
	}

	/** Lets go of what runs: trainers go on without this service. */
	async close(): Promise<void> {
		this.#closing.abort();
		await this.#current?.done;
	}

	async #run(job: Job): Promise<void> {
		const {lakeFolder, store, models, timing, log, trainer} = this.#options;
		const {jobId} = job;
		if (job.status === 'queued') {
			const now = Date.now();
			store.change(jobId, {
				status: 'running',
				startedAt: new Date(now).toISOString(),
				deadlineAt: new Date(now + job.order.hours * 3_600_000).toISOString(),
			});
		} else if (job.run) {
			log(`adopts the trainer of job ${jobId}, process ${trainer.processOf(job.run)}`);
		}
		const folder = new JobFolder(lakeFolder, jobId);
		const tools = {store, models, folder, timing, log, trainer, signal: this.#closing.signal};
		await (isRehearsal(job) ? rehearse(jobId, tools) : train(jobId, tools));
	}

	/** A job that cannot be worked on has failed, unless its trainer runs: that is taken up again. */
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
				message: `The trainer could not be begun: ${reason}.`,
				phases: failPhase(job.phases, eventNow(job, reason)),
			});
		} catch {
			await pause(afterErrorMs, this.#closing.signal);
		}
	}
}
