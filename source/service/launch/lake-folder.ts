import {mkdir, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {lakeFolderProblem} from '../start-error.ts';

/**
 * Makes a folder and those above it. Node's own recursive mkdir tries for ever where a file system says of a new
 * folder that it is not there, as /proc does.
 */
async function makeFolder(folder: string): Promise<void> {
	const parent = path.dirname(folder);
	const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'ENOENT' || parent === folder) throw error;
	});
	if (found?.isDirectory()) return;
	if (!found) await makeFolder(parent);
	await mkdir(folder, {mode: 0o700}).catch(async (error: NodeJS.ErrnoException) => {
		// Another process may have made it meanwhile.
		const made = await stat(folder).catch(() => undefined);
		if (!made?.isDirectory()) throw error;
	});
}

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
