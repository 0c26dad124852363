import type {CommandLine} from './flags.ts';
import {jobSubject} from './job-subject.ts';
import {statusCommand} from './status-command.ts';

/** `lakescope augmentation ID [--json] [--watch] [--on-end CMD]` */
export function augmentation(line: CommandLine): Promise<number> {
	return statusCommand(line, 'augmentation', id => jobSubject('augmentation', id));
}
