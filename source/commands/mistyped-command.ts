import {nearest} from '../query/nearest.ts';
import {commandNames} from './flags.ts';
import {UsageError} from './usage-error.ts';

/**
 * Refuses a line of one bare word that looks like a mistyped command: as a search it would only show an empty lake.
 *
 * @throws {UsageError} naming the commands that may have been meant, and how the word is searched for.
 */
export function refuseMistypedCommand(words: readonly string[]): void {
	const [word = '', ...more] = words;
	if (more.length > 0 || !/^[a-z][a-z-]*$/.test(word)) return;
	const [best, ...others] = nearest(word, commandNames);
	if (best === undefined) return;
	const meant = [best, ...others].map(name => `lakescope ${name}`).join(' or ');
	throw new UsageError(
		`There is no command ${word}. Was it meant to be ${meant}? To search the lake for the word: lakescope -- ${word}`,
	);
}
