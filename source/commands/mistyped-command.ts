import {commandNames, meantPerhaps} from './flags.ts';
import {UsageError} from './print/failure.ts';

/**
 * Refuses a line of one bare word that looks like a mistyped command: as a search it would only show an empty lake.
 *
 * @throws {UsageError} naming the commands that may have been meant, and how the word is searched for.
 */
export function refuseMistypedCommand(words: readonly string[]): void {
	const [word = '', ...more] = words;
	if (more.length > 0 || !/^[a-z][a-z-]*$/.test(word)) return;
	const meant = meantPerhaps(word, commandNames, name => `lakescope ${name}`);
	if (meant === undefined) return;
	throw new UsageError(
		`There is no command ${word}. ${meant} To search the lake for the word: lakescope -- ${word}`,
	);
}
