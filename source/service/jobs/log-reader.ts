import {statSync} from 'node:fs';
import type {LocalPhaseEvent} from '../../contract/local-jobs.ts';
import type {Job, Progress} from './job.ts';
import type {JobFolder} from './job-folder.ts';
import type {JobStore} from './job-store.ts';
import {beginPhase, type PhaseHistory, type TrainingPhase} from './phases.ts';
import {logEvery} from './trainer/command-line.ts';
import {readLogLines} from './trainer/log-lines.ts';
import {stepOfBar, stepOfLine} from './trainer/step-count.ts';
import {readTrainerLine, type TrainerSign} from './trainer/trainer-sign.ts';

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
	readonly #counting;
	#phases: PhaseHistory;
	#progress: Progress | null;
	#next: number;
	#notedAt = 0;
	#unsaid = false;
	readonly #job: Job;

	constructor(job: Job, {store, folder, noteMs}: {store: JobStore; folder: JobFolder; noteMs: number}) {
		this.#job = job;
		this.#store = store;
		this.#folder = folder;
		this.#noteMs = noteMs;
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
			const {lines, next} = await readLogLines(this.#folder.log, this.#next);
			if (next === this.#next) break;
			this.#next = next;
			this.#unsaid = true;
			for (const line of lines) this.#take(readTrainerLine(line));
		}
		const isDue = end || Date.now() - this.#notedAt >= this.#noteMs;
		if (this.#phases === phases && !(this.#unsaid && isDue)) return;
		const change = {progress: this.#progress, logRead: this.#next};
		if (this.#phases === phases) this.#store.note(jobId, change);
		else this.#store.change(jobId, {...change, phases: this.#phases});
		this.#notedAt = Date.now();
		this.#unsaid = false;
	}

	#take(sign: TrainerSign | undefined): void {
		if (!sign) return;
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
