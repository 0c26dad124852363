import {stripVTControlCharacters} from 'node:util';
import type {TrainingPhase} from '../records/phases.ts';

/** What a line of LeRobot's trainer tells of where it is. */
export type TrainerSign =
	| {readonly kind: 'phase'; readonly phase: TrainingPhase}
	| {
			readonly kind: 'step';
			/** The step as it was printed: exact below a thousand, rounded to `1K`, `2M` above. */
			readonly printed: PrintedCount;
			readonly loss: number | null;
			readonly stepsPerSecond: number | null;
	  }
	/** The progress bar: exact, but counted from where this run of the trainer began. */
	| {
			readonly kind: 'bar';
			readonly done: number;
			readonly total: number;
			readonly stepsPerSecond: number | null;
	  }
	| {readonly kind: 'saving'; readonly step: number};

/** A count of `value × unit`, rounded to whole units. */
export type PrintedCount = {readonly value: number; readonly unit: number};

const units: Record<string, number> = {'': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12, Q: 1e15};

/** The sentences with which LeRobot begins its parts, in `lerobot_train.py`. */
const openings: ReadonlyArray<readonly [RegExp, TrainingPhase]> = [
	[/\bCreating dataset\b/, 'dataset'],
	[/\bCreating (policy|reward model|optimizer and scheduler)\b/, 'model'],
	[/\bStart offline training\b/, 'training'],
	[/\bEnd of training\b/, 'saving'],
];

function numberAfter(line: string, name: string): number | null {
	const found = line.match(new RegExp(`(?:^|\\s)${name}:(-?[\\d.]+(?:e[-+]?\\d+)?)(?=\\s|$)`, 'i'));
	const value = Number(found?.[1]);
	return found && Number.isFinite(value) ? value : null;
}

/** Steps a second, from the seconds that one update and the loading of its data take. */
function meteredRate(line: string): number | null {
	const update = numberAfter(line, 'updt_s');
	if (update === null) return null;
	const seconds = update + (numberAfter(line, 'data_s') ?? 0);
	return seconds > 0 ? 1 / seconds : null;
}

function barRate(rest: string): number | null {
	const found = rest.match(/([\d.]+)(step\/s|s\/step)/);
	const value = Number(found?.[1]);
	if (!found || !(value > 0)) return null;
	return found[2] === 'step/s' ? value : 1 / value;
}

/**
 * Reads a line of the trainer's output: `logging.info(train_tracker)`'s `step:200 smpl:2K … loss:3.1`, its sentences,
 * and tqdm's `Training: 12%|█▏ | 120/1000 [00:12<01:28, 9.93step/s]`.
 */
export function readTrainerLine(raw: string): TrainerSign | undefined {
	const line = stripVTControlCharacters(raw);
	const step = line.match(/(?:^|\s)step:(\d+(?:\.\d+)?)([KMBTQ]?)(?=\s|$)/);
	if (step) {
		const printed = {value: Number(step[1]), unit: units[step[2] ?? ''] ?? 1};
		return {kind: 'step', printed, loss: numberAfter(line, 'loss'), stepsPerSecond: meteredRate(line)};
	}
	const bar = line.match(/^Training:\s+\d+%\|[^|]*\|\s*(\d+)\/(\d+)\s*\[(.*)/);
	if (bar) {
		const stepsPerSecond = barRate(bar[3] ?? '');
		return {kind: 'bar', done: Number(bar[1]), total: Number(bar[2]), stepsPerSecond};
	}
	const saving = line.match(/\bCheckpoint policy after step (\d+)/);
	if (saving) return {kind: 'saving', step: Number(saving[1])};
	const opening = openings.find(([sentence]) => sentence.test(line));
	return opening && {kind: 'phase', phase: opening[1]};
}
