import {resumeArguments, startArguments} from '../lerobot/command-line.ts';
import {readTrainerLine} from '../lerobot/trainer-sign.ts';
import {findTrainer} from './find-trainer.ts';
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

/** The way out if a shell has a trainer that the service does not find. */
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
		kind: 'local',
		async find() {
			const finding = await findTrainer();
			if (finding.kind !== 'absent') return finding;
			return {...finding, message: `${finding.message} ${wayFromShell[environment]}`};
		},
		options: () => help.options(),
		lerobot: (command, wait) => help.lerobot(command, wait),
		async commandFor(job, output, checkpoint) {
			const trainer = job.trainer ?? [];
			if (checkpoint) return [...trainer, ...resumeArguments(job, output, checkpoint)];
			const lerobot = await help.lerobot(trainer, 'all');
			return [...trainer, ...startArguments(job, output, lerobot === 'asking' ? undefined : lerobot)];
		},
		async start({folder, launch, command, seconds, onStarted}) {
			await launchTrainer({
				jobId: folder.jobId,
				command,
				folder: folder.folder,
				logFile: folder.log,
				exitFile: folder.exitFile(launch),
				seconds,
				onStarted,
			});
		},
		isRunning: ({handle}) => isRunning(runOf(handle)),
		signal: ({handle, folder}, signal) => signalTrainer(runOf(handle), folder.jobId, signal),
		async exit({folder, launch}) {
			const code = await exitCodeOf(folder.exitFile(launch));
			return code === undefined ? {kind: 'killed'} : {kind: 'code', code};
		},
		// Its process writes into the file itself.
		logs: async () => {},
		signOf: readTrainerLine,
		async endAll({jobId}) {
			const left = await endProcessesOf(jobId);
			if (left.length === 0) return undefined;
			const which = left.length === 1 ? `Process ${left[0]}` : `Processes ${left.join(', ')}`;
			return `${which} of it did not end when killed, and may hold the GPU. Look with: ps -o pid,stat,wchan,cmd -p ${left.join(',')}`;
		},
		processOf: handle => runOf(handle).pid,
	};
}
