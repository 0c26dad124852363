import {resumeArguments, startArguments} from './command-line.ts';
import {findTrainer} from './find-trainer.ts';
import {readLogLines} from './log-window.ts';
import type {Trainer} from './trainer.ts';
import {TrainerHelp} from './trainer-options.ts';
import {
	endProcessesOf,
	exitCodeOf,
	isRunning,
	launchTrainer,
	runOf,
	signalTrainer,
} from './trainer-process.ts';
import {readTrainerLine} from './trainer-sign.ts';

/** What helps where a shell has a trainer that the service does not find. */
const wayFromShell = {
	told: 'A shell that has it on its PATH tells a service that runs: open this form from there.',
	kept: 'This service was started with "lakescope serve" and looks for it where that was started: end it, and start it again from a shell that has it.',
} as const;

/**
 * LeRobot's trainer on this machine.
 *
 * @param environment `kept` for a service that looks where it was started, whatever its callers have
 */
export function localTrainer(environment: keyof typeof wayFromShell = 'told'): Trainer {
	const help = new TrainerHelp();
	return {
		async find() {
			const finding = await findTrainer();
			if (finding.kind !== 'absent') return finding;
			return {...finding, message: `${finding.message} ${wayFromShell[environment]}`};
		},
		options: () => help.options(),
		argumentsOf: (job, output, checkpoint) =>
			checkpoint ? resumeArguments(job, output, checkpoint) : startArguments(job, output),
		start: launchTrainer,
		isRunning: handle => isRunning(runOf(handle)),
		signal: (handle, jobId, signal) => signalTrainer(runOf(handle), jobId, signal),
		exit: exitCodeOf,
		endAll: endProcessesOf,
		async logs(logFile, offset) {
			const {lines, next} = await readLogLines(logFile, offset);
			return {signs: lines.flatMap(line => readTrainerLine(line) ?? []), next};
		},
		processOf: handle => runOf(handle).pid,
	};
}
