import type {CommandLine} from './flags.ts';
import {ingestSubject} from './ingest-subject.ts';
import {statusCommand} from './status-command.ts';

/** `lakescope sync-status ID [--json] [--watch] [--on-end CMD]` */
export function syncStatus(line: CommandLine): Promise<number> {
	return statusCommand(line, 'sync-status', ingestSubject);
}
