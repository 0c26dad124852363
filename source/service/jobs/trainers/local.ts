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

/** LeRobot's trainer on this machine. */
export function localTrainer(): Trainer {
	const help = new TrainerHelp();
	return {
		find: () => findTrainer(),
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
