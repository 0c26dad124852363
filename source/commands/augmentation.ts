import type {CommandLine} from './flags.ts';
import {jobSubject} from './watch/job-subject.ts';
import {statusCommand} from './watch/status-command.ts';

/** `lakescope augmentation ID [--json] [--watch] [--on-end CMD]` */
export function augmentation(line: CommandLine): Promise<number> {
	return statusCommand(line, 'augmentation', id => jobSubject('augmentation', id));
}
