import {constants} from 'node:os';

/** Why the program in the terminal ends. */
export type Ending =
	| {readonly how: 'quit'}
	| {readonly how: 'signal'; readonly signal: NodeJS.Signals}
	/** The terminal is not there any more: its window closed, its connection dropped. */
	| {readonly how: 'gone'}
	| {readonly how: 'crash'; readonly error: unknown};

/** The exit code of the process: 0 after a quit, 1 after a crash, 128 and the signal's number else. */
export function exitCode(ending: Ending): number {
	if (ending.how === 'quit') return 0;
	if (ending.how === 'crash') return 1;
	return 128 + constants.signals[ending.how === 'gone' ? 'SIGHUP' : ending.signal];
}
