import type {PrintedCount} from './trainer-sign.ts';

/** How the trainer that runs was set to count. */
export type StepCounting = {
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
