import {mkdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {systemCode} from './file-problem.ts';

/**
 * Makes a folder and those above it, for this user alone. Node's own recursive mkdir says of a read-only file system
 * that there is no such folder, and tries for ever where a file system says that of a new one, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
	const parent = path.dirname(folder);
	const found = await stat(folder).catch((error: unknown) => {
		if (systemCode(error) !== 'ENOENT' || parent === folder) throw error;
	});
	if (found?.isDirectory()) return;
	if (!found) await makeFolder(parent);
	await mkdir(folder, {mode: 0o700}).catch(async (error: unknown) => {
		// Another process may have made it meanwhile.
		const made = await stat(folder).catch(() => undefined);
		if (!made?.isDirectory()) throw error;
	});
}
