import {appendFile, readFile} from 'node:fs/promises';
import {positiveNumber} from '../../host/environment.ts';
import {rehearsalMessage, type TrainerHandle} from '../records/job.ts';
import {type TrainingPhase, trainingPhases} from '../records/phases.ts';
import type {Trainer, TrainerRun} from './trainer.ts';

/** Milliseconds that a rehearsal stays in a phase; `LAKESCOPE_REHEARSAL_MS` overrides it. */
const usualPhaseMs = () => positiveNumber(process.env.LAKESCOPE_REHEARSAL_MS) ?? 600;

const mark = '[lakescope] rehearsal: ';

/** How far a rehearsal is: a matter of the clock alone, so that it goes on without a service. */
const elapsedPhases = ({startedAt, phaseMs}: TrainerHandle) =>
	(Date.now() - Number(startedAt)) / Number(phaseMs);

/** Stands in where there is no trainer: prints the phases of a training, trains nothing and says so. */
export function rehearsalTrainer(phaseMs: number = usualPhaseMs()): Trainer {
	const stopped = new Set<string>();
	const keyOf = ({folder, launch}: TrainerRun) => `${folder.jobId} ${launch}`;
	const isRunning = (run: TrainerRun) =>
		!stopped.has(keyOf(run)) && elapsedPhases(run.handle) < trainingPhases.length;

	return {
		kind: 'rehearsal',
		find: async () => ({kind: 'found', command: [], message: rehearsalMessage}),
		options: async () => ({exclude_episodes: null, is_asking: false, message: rehearsalMessage}),
		lerobot: async () => undefined,
		commandFor: async () => [],
		async start({folder, onStarted}) {
			const logFrom = (await readFile(folder.log).catch(() => '')).length;
			onStarted({startedAt: Date.now(), phaseMs, logFrom});
		},
		isRunning: async run => isRunning(run),
		signal: async run => {
			stopped.add(keyOf(run));
		},
		exit: async run => (stopped.has(keyOf(run)) ? {kind: 'killed'} : {kind: 'code', code: 0}),
		async logs(run) {
			if (stopped.has(keyOf(run))) return;
			const {folder, handle} = run;
			const log = (await readFile(folder.log)).subarray(Number(handle.logFrom)).toString('utf8');
			const printed = log.split(mark).length - 1;
			const due = trainingPhases.slice(printed, Math.floor(elapsedPhases(handle)) + 1);
			if (due.length > 0) await appendFile(folder.log, due.map(phase => `${mark}${phase}\n`).join(''));
		},
		signOf(line) {
			const phase = line.startsWith(mark) ? line.slice(mark.length) : '';
			const isPhase = (text: string): text is TrainingPhase =>
				(trainingPhases as readonly string[]).includes(text);
			return isPhase(phase) ? {kind: 'phase', phase} : undefined;
		},
		endAll: async () => undefined,
		processOf: () => null,
	};
}
