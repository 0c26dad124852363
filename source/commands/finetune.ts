import type {CommandLine} from './flags.ts';
import {jobSubject} from './job-subject.ts';
import {statusCommand} from './status-command.ts';

/** `lakescope finetune ID [--json] [--watch] [--on-end CMD]` */
export function finetune(line: CommandLine): Promise<number> {
	return statusCommand(line, 'finetune', id => jobSubject('finetune', id));
}
