import type {CommandLine} from './flags.ts';
import {jobSubject} from './watch/job-subject.ts';
import {statusCommand} from './watch/status-command.ts';

/** `lakescope finetune ID [--json] [--watch] [--on-end CMD]` */
export function finetune(line: CommandLine): Promise<number> {
	return statusCommand(line, 'finetune', id => jobSubject('finetune', id));
}
