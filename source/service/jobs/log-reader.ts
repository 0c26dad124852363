import {stat} from 'node:fs/promises';
import type {LocalPhaseEvent} from '../../contract/local-jobs.ts';
import {logEvery} from './lerobot/command-line.ts';
import type {Metrics, PrintedCount, TrainerSign} from './lerobot/trainer-sign.ts';
import {isRehearsal, type Job, type Progress} from './records/job.ts';
import type {JobFolder} from './records/job-folder.ts';
import {appendPoints, linesAPoint, type SeriesPoint} from './records/job-series.ts';
import type {JobStore} from './records/job-store.ts';
import {readLogLines} from './records/log-window.ts';
import {beginPhase, type PhaseHistory, phaseName, type TrainingPhase} from './records/phases.ts';
import type {Trainer} from './trainers/trainer.ts';

/** Pieces of a log that are read in one go, before the job itself is looked at again. */
const piecesAtOnce = 32;

/** An event of now, with the retry it happens in; every event of a rehearsal says that it is one. */
export function eventNow(
	{retries, trainer}: Pick<Job, 'retries' | 'trainer'>,
	note: string | undefined = isRehearsal({trainer}) ? 'rehearsal' : undefined,
): LocalPhaseEvent {
	return {
		timestamp: new Date().toISOString(),
		...(retries > 0 && {retry_attempt: retries}),
		...(note !== undefined && {note}),
	};
}

/** Follows a trainer's log and derives its job's phases and progress from it. */
export class LogReader {
	readonly #store: JobStore;
	readonly #folder: JobFolder;
	readonly #noteMs: number;
	readonly #trainer: Pick<Trainer, 'signOf'>;
	readonly #counting;
	#phases: PhaseHistory;
	#progress: Progress | null;
	#next: number;
	#notedAt = 0;
	#unsaid = false;
	/** It has read up to the log's end before. */
	#hasReadOn = false;
	/** Lines that were read and are not stored yet. */
	#points: SeriesPoint[] = [];
	readonly #job: Job;

	constructor(
		job: Job,
		{
			store,
			folder,
			noteMs,
			trainer,
		}: {store: JobStore; folder: JobFolder; noteMs: number; trainer: Pick<Trainer, 'signOf'>},
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

	/** Reads what is new. Phases are written down at once; progress now and then, and at the `end`. */
	async readOn(end: boolean): Promise<void> {
		const {jobId} = this.#job;
		this.#phases = this.#store.require(jobId).phases;
		const phases = this.#phases;
		for (let piece = 0; piece < piecesAtOnce || end; piece++) {
			const {lines, next} = await readLogLines(this.#folder.log, this.#next);
			if (next === this.#next) break;
			this.#next = next;
			this.#unsaid = true;
			const printedAt = await this.#printedAt();
			for (const line of lines) {
				const sign = this.#trainer.signOf(line);
				if (sign) this.#take(sign, printedAt);
			}
		}
		this.#hasReadOn = true;
		// Before the place in the log is: what is read twice is told twice, and counts once.
		appendPoints(this.#folder.series, this.#points);
		this.#points = [];
		const isDue = end || Date.now() - this.#notedAt >= this.#noteMs;
		if (this.#phases === phases && !(this.#unsaid && isDue)) return;
		const change = {progress: this.#progress, logRead: this.#next};
		if (this.#phases === phases) this.#store.note(jobId, change);
		else this.#store.change(jobId, {...change, phases: this.#phases});
		this.#notedAt = Date.now();
		this.#unsaid = false;
	}

	#take(sign: TrainerSign, at: string): void {
		this.#begin(sign.kind === 'phase' ? sign.phase : 'training');
		if (sign.kind === 'phase') return;
		const before = this.#progress;
		if (sign.kind === 'saving' || sign.kind === 'evaluation') {
			if (sign.kind === 'evaluation') this.#points.push({step: sign.step, values: {eval_loss: sign.loss}});
			// These are printed exactly, so the rounded ones behind them are counted on from here.
			this.#progress = {stepsPerSecond: null, loss: null, ...before, step: sign.step, at};
			return;
		}
		const step =
			sign.kind === 'bar'
				? stepOfBar(sign, this.#counting)
				: stepOfLine(sign.printed, before?.step ?? 0, this.#counting);
		const loss = sign.kind === 'step' ? sign.loss : null;
		if (sign.kind === 'step') this.#keep(step, sign.metrics);
		this.#progress = {
			step,
			at,
			stepsPerSecond: sign.stepsPerSecond ?? before?.stepsPerSecond ?? null,
			loss: loss ?? before?.loss ?? null,
		};
	}

	#keep(step: number, metrics: Metrics): void {
		const {steps, logEvery} = this.#counting;
		const isKept = Math.round(step / logEvery) % linesAPoint(steps, logEvery) === 0;
		if (!isKept && step !== steps) return;
		const samples = samplesAt(step, this.#job.order.batch_size, metrics.samples);
		this.#points.push({step, values: {...metrics, ...(samples !== undefined && {samples})}});
	}

	#begin(phase: TrainingPhase): void {
		const event = eventNow(this.#job);
		const held = this.#phases.find(({name}) => name === phaseName(phase, isRehearsal(this.#job)));
		const isKnown = held?.events.some(
			({retry_attempt, note}) => retry_attempt === event.retry_attempt && note === event.note,
		);
		if (!isKnown) this.#phases = beginPhase(this.#phases, phase, event);
	}

	/**
	 * When the trainer last printed: long ago, if it did so while no service was there. What comes while this reads was
	 * printed just now: the clock of another machine that writes the file may be wrong.
	 */
	async #printedAt(): Promise<string> {
		const now = Date.now();
		if (this.#hasReadOn) return new Date(now).toISOString();
		const facts = await stat(this.#folder.log).catch(() => undefined);
		return new Date(Math.min(now, facts?.mtimeMs ?? now)).toISOString();
	}
}

/** How the trainer that runs was set to count. */
type StepCounting = {
	/** The steps it was asked for. */
	readonly steps: number | null;
	/** Steps between two lines of its log. */
	readonly logEvery: number;
};

/** A count is printed rounded to whole units: does this one print so? */
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

/** Samples are printed rounded too: exact ones are so many batches a step, of as many processes as read like it. */
export function samplesAt(
	step: number,
	batchSize: number,
	printed: number | null | undefined,
): number | null | undefined {
	if (printed == null || step === 0) return printed;
	const exact = step * batchSize * Math.max(1, Math.round(printed / (step * batchSize)));
	const unit = printed < 1000 ? 1 : 10 ** (3 * Math.floor(Math.log10(printed) / 3));
	return reads(exact, {value: printed / unit, unit}) ? exact : printed;
}
