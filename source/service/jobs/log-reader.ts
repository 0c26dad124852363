import {statSync} from 'node:fs';
import type {LocalPhaseEvent} from '../../contract/local-jobs.ts';
import type {JobFolder} from './job-folder.ts';
import type {Job, Progress} from './records/job.ts';
import type {JobStore} from './records/job-store.ts';
import {beginPhase, type PhaseHistory, type TrainingPhase} from './records/phases.ts';
import {logEvery} from './trainers/command-line.ts';
import type {Trainer} from './trainers/trainer.ts';
import type {PrintedCount, TrainerSign} from './trainers/trainer-sign.ts';

/** How many pieces of a log are read before the job is looked at otherwise. */
const piecesAtOnce = 32;

/** The event of something that happens now, with the retry it happens in. */
export function eventNow({retries}: Pick<Job, 'retries'>, note?: string): LocalPhaseEvent {
	return {
		timestamp: new Date().toISOString(),
		...(retries > 0 && {retry_attempt: retries}),
		...(note !== undefined && {note}),
	};
}

/** Reads on in what a trainer prints, and keeps its job's phases and progress by that. */
export class LogReader {
	readonly #store: JobStore;
	readonly #folder: JobFolder;
	readonly #noteMs: number;
	readonly #trainer: Pick<Trainer, 'logs'>;
	readonly #counting;
	#phases: PhaseHistory;
	#progress: Progress | null;
	#next: number;
	#notedAt = 0;
	#unsaid = false;
	readonly #job: Job;

	constructor(
		job: Job,
		{
			store,
			folder,
			noteMs,
			trainer,
		}: {store: JobStore; folder: JobFolder; noteMs: number; trainer: Pick<Trainer, 'logs'>},
	) {
		this.#job = job;
		this.#store = store;
		this.#folder = folder;
		this.#noteMs = noteMs;
		this.#trainer = trainer;
		this.#counting = {steps: job.steps, logEvery: logEvery(job.order)};
		this.#phases = job.phases;
		this.#progress = job.progress;
		this.#next = job.logRead;
	}

	/** Reads what there is. What began is written down at once, how far it is now and then, and at the `end`. */
	async readOn(end: boolean): Promise<void> {
		const {jobId} = this.#job;
		this.#phases = this.#store.require(jobId).phases;
		const phases = this.#phases;
		for (let piece = 0; piece < piecesAtOnce || end; piece++) {
			const {signs, next} = await this.#trainer.logs(this.#folder.log, this.#next);
			if (next === this.#next) break;
			this.#next = next;
			this.#unsaid = true;
			for (const sign of signs) this.#take(sign);
		}
		const isDue = end || Date.now() - this.#notedAt >= this.#noteMs;
		if (this.#phases === phases && !(this.#unsaid && isDue)) return;
		const change = {progress: this.#progress, logRead: this.#next};
		if (this.#phases === phases) this.#store.note(jobId, change);
		else this.#store.change(jobId, {...change, phases: this.#phases});
		this.#notedAt = Date.now();
		this.#unsaid = false;
	}

	#take(sign: TrainerSign): void {
		this.#begin(sign.kind === 'phase' ? sign.phase : 'training');
		if (sign.kind === 'phase' || sign.kind === 'saving') return;
		const before = this.#progress;
		const step =
			sign.kind === 'bar'
				? stepOfBar(sign, this.#counting)
				: stepOfLine(sign.printed, before?.step ?? 0, this.#counting);
		const loss = sign.kind === 'step' ? sign.loss : null;
		this.#progress = {
			step,
			at: this.#printedAt(),
			stepsPerSecond: sign.stepsPerSecond ?? before?.stepsPerSecond ?? null,
			loss: loss ?? before?.loss ?? null,
		};
	}

	#begin(phase: TrainingPhase): void {
		const retry = this.#job.retries > 0 ? this.#job.retries : undefined;
		const held = this.#phases.find(({name}) => name === phase);
		if (held?.events.some(({retry_attempt, note}) => retry_attempt === retry && note === undefined)) return;
		this.#phases = beginPhase(this.#phases, phase, eventNow(this.#job));
	}

	/** When the trainer last printed something: not now, where a service reads what was printed without it. */
	#printedAt(): string {
		const {mtime = new Date()} = statSync(this.#folder.log, {throwIfNoEntry: false}) ?? {};
		return mtime.toISOString();
	}
}

/** How the trainer that runs was set to count. */
type StepCounting = {
	/** The steps it was asked for. */
	readonly steps: number | null;
	/** Steps between two lines of its log. */
	readonly logEvery: number;
};

/** Whether a count, printed in whole units, reads like this. */
const reads = (count: number, {value, unit}: PrintedCount) => Math.abs(count / unit - value) <= 0.5;

/**
 * The step of a log line. Above a thousand it is printed rounded, so it is counted on from the step before as long as
 * that reads like what is printed.
 */
export function stepOfLine(printed: PrintedCount, before: number, {logEvery}: StepCounting): number {
	if (printed.unit === 1) return printed.value;
	const next = (Math.floor(before / logEvery) + 1) * logEvery;
	if (reads(next, printed)) return next;
	return reads(before, printed) ? before : printed.value * printed.unit;
}

/** The step that a progress bar means: it counts what was left when this run of the trainer began. */
export function stepOfBar({done, total}: {done: number; total: number}, {steps}: StepCounting): number {
	return Math.max(0, (steps ?? total) - total) + done;
}
