import path from 'node:path';
import {makeFolder} from './document.ts';
import {fileProblem} from './file-problem.ts';
import {places, shortPath} from './places.ts';

/**
 * Keeps what was copied last in a file, for terminals whose clipboard can't be reached.
 *
 * @returns the file, as people read it.
 * @throws an Error whose message says why it can't be written.
 */
export async function keepCopy(text: string): Promise<string> {
	const file = path.join(places().state, 'copied.txt');
	try {
		await makeFolder(path.dirname(file));
		const {default: writeFileAtomic} = await import('write-file-atomic');
		await writeFileAtomic(file, `${text}\n`, {mode: 0o600});
	} catch (error) {
		throw new Error(`${shortPath(file)} cannot be written: ${fileProblem(error)}`);
	}
	return shortPath(file);
}
