import {knownActions} from './action-names.ts';
import {type KeyOverrides, readOverrides} from './rebinding.ts';

/** Keys by action, as the configuration has them. */
export type WrittenKeys = Readonly<Record<string, string | readonly string[]>>;

/** What is wrong with the user's keys, as a sentence that says where to look. */
export function keyProblemSentence(message: string): string {
	return `The configuration's keys: ${message}.`;
}

/** The user's keys as far as they can be used, and a sentence for each that can't. */
export function readKeys(written: WrittenKeys): {overrides: KeyOverrides; problems: readonly string[]} {
	const {overrides, problems} = readOverrides(written, knownActions);
	return {overrides, problems: problems.map(({message}) => keyProblemSentence(message))};
}
