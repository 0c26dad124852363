import {stripVTControlCharacters} from 'node:util';
import type {TrainingPhase} from '../records/phases.ts';

/** The progress that a line of LeRobot's trainer reports. */
export type TrainerSign =
	| {readonly kind: 'phase'; readonly phase: TrainingPhase}
	| {
			readonly kind: 'step';
			/** The step as it was printed: exact below a thousand, rounded to `1K`, `2M` above. */
			readonly printed: PrintedCount;
			readonly loss: number | null;
			readonly stepsPerSecond: number | null;
			/** All that the line tells by a number, null where that is not finite. */
			readonly metrics: Metrics;
	  }
	/** The loss on the episodes that are held out, at an exact step. */
	| {readonly kind: 'evaluation'; readonly step: number; readonly loss: number | null}
	/** The progress bar: exact, but counted from where this run of the trainer began. */
	| {
			readonly kind: 'bar';
			readonly done: number;
			readonly total: number;
			readonly stepsPerSecond: number | null;
	  }
	| {readonly kind: 'saving'; readonly step: number};

export type Metrics = Readonly<Record<string, number | null>>;

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

/** The names that LeRobot shortens for its log, as its own charts write them in full. */
const fullNames: Readonly<Record<string, string>> = {
	smpl: 'samples',
	ep: 'episodes',
	epch: 'epochs',
	grdn: 'grad_norm',
	updt_s: 'update_s',
	'smp/s': 'samples_per_s',
};

/** A policy tells of its own losses too; a line with more names than this is none of the trainer's. */
const mostMetrics = 64;

/** The numbers of a line by their names, never by their places: which there are differs by version and policy. */
function metricsOf(line: string): Metrics {
	const tokens = line.matchAll(/(?:^|\s)([A-Za-z_][\w./]{0,63}):(\S{1,32})(?=\s|$)/g);
	const found: Record<string, number | null> = {};
	for (const [, name = '', text = ''] of [...tokens].slice(0, mostMetrics)) {
		const number = text.match(/^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([KMBTQ]?)$/i);
		if (number) found[fullNames[name] ?? name] = finite(Number(number[1]) * unitOf(number[2]));
		else if (/^[-+]?(nan|inf)$/i.test(text)) found[fullNames[name] ?? name] = null;
	}
	return found;
}

const finite = (value: number) => (Number.isFinite(value) ? value : null);

const unitOf = (letter = '') => units[letter.toUpperCase()] ?? 1;

/** Steps a second, from the seconds that one step takes, or its update and the loading of its data. */
function meteredRate({step_s, update_s, data_s}: Metrics): number | null {
	const seconds = step_s ?? (update_s == null ? 0 : update_s + (data_s ?? 0));
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
	const step = line.match(/(?:^|\s)step:(\d{1,15}(?:\.\d+)?)([KMBTQ]?)(?=\s|$)/);
	const printed = {value: Number(step?.[1]), unit: unitOf(step?.[2])};
	if (step && printed.value * printed.unit <= Number.MAX_SAFE_INTEGER) {
		const {step: _, ...metrics} = metricsOf(line.slice(step.index));
		return {
			kind: 'step',
			printed,
			loss: metrics.loss ?? null,
			stepsPerSecond: meteredRate(metrics),
			metrics,
		};
	}
	const held = line.match(/\bstep (\d{1,15}): eval_loss=(\S+)/);
	if (held) {
		const loss = Number(held[2]);
		return {kind: 'evaluation', step: Number(held[1]), loss: Number.isFinite(loss) ? loss : null};
	}
	const bar = line.match(/^Training:\s+\d+%\|[^|]*\|\s*(\d+)\/(\d+)\s*\[(.*)/);
	if (bar) {
		const stepsPerSecond = barRate(bar[3] ?? '');
		return {kind: 'bar', done: Number(bar[1]), total: Number(bar[2]), stepsPerSecond};
	}
	const saving = line.match(/\bCheckpoint policy after step (\d{1,15})\b/);
	if (saving) return {kind: 'saving', step: Number(saving[1])};
	const opening = openings.find(([sentence]) => sentence.test(line));
	return opening && {kind: 'phase', phase: opening[1]};
}
