import {realpath} from 'node:fs/promises';
import path from 'node:path';
import {makeFolder} from '../../files/make-folder.ts';
import {lakeFolderProblem} from '../start-error.ts';

/**
 * Makes a lake's folder when it is not there, for this user alone.
 *
 * @returns its real path
 * @throws {ServiceStartError} when it cannot be made or reached
 */
export async function prepareLakeFolder(folder: string): Promise<string> {
	try {
		await makeFolder(path.resolve(folder));
		return await realpath(folder);
	} catch (error) {
		throw lakeFolderProblem(folder, error);
	}
}
