import path from 'node:path';
import {fileProblem} from './file-problem.ts';
import {makeFolder} from './make-folder.ts';
import {shortPath} from './places.ts';

/**
 * Keeps a key in a file for this user alone, whole or not at all.
 *
 * @returns the sentence that says why that failed; it does not hold the key.
 */
export async function writeKey(file: string, key: string): Promise<string | undefined> {
	try {
		await makeFolder(path.dirname(file));
		const {default: writeFileAtomic} = await import('write-file-atomic');
		await writeFileAtomic(file, `${key}\n`, {mode: 0o600});
		return undefined;
	} catch (error) {
		return `The key cannot be kept in ${shortPath(file)}: ${fileProblem(error)}.`;
	}
}
