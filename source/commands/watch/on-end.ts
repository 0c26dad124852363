import {spawn} from 'node:child_process';
import {constants} from 'node:os';

/** What a command is told of what ended, in its environment. */
export type Ended = {
	readonly kind: string;
	readonly id: string;
	readonly state: string;
	readonly isGood: boolean;
};

/**
 * Runs a command of the person's in a shell once something has ended. What the service says reaches it as environment
 * variables, never as part of its text; what it prints goes to stderr, since stdout carries data alone.
 *
 * @returns why it failed, in words; undefined where it went well
 */
export function runOnEnd(command: string, {kind, id, state, isGood}: Ended): Promise<string | undefined> {
	const child = spawn(command, {
		shell: true,
		stdio: ['ignore', 2, 2],
		env: {
			...process.env,
			LAKESCOPE_KIND: kind,
			LAKESCOPE_ID: id,
			// Nothing with NUL can stand in an environment.
			LAKESCOPE_STATE: state.replaceAll('\0', ''),
			LAKESCOPE_OUTCOME: isGood ? 'good' : 'bad',
		},
	});
	return new Promise(resolve => {
		child.once('error', error => resolve(`The command of --on-end could not be run: ${error.message}.`));
		child.once('close', (code, signal) => {
			if (code === 0) resolve(undefined);
			else {
				const how = signal === null ? `${code}` : `${128 + constants.signals[signal]} (${signal})`;
				resolve(`The command of --on-end ended with ${how}.`);
			}
		});
	});
}
