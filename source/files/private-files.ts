import {chmod, lstat, readdir} from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes other users' permissions on a file. It is not opened for that: closing it again would end the locks
 * that this process holds on it.
 */
export async function tightenFile(file: string): Promise<void> {
	const found = await lstat(file).catch(() => undefined);
	if (!found?.isFile() || (found.mode & 0o077) === 0) return;
	// A file of another user, or one on a file system without modes, stays as it is.
	await chmod(file, found.mode & 0o700).catch(() => undefined);
}

/** The same for the files in a folder, and in the folders in it. */
export async function tightenFolder(folder: string): Promise<void> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	await Promise.all(
		entries.map(entry => {
			const place = path.join(folder, entry.name);
			return entry.isDirectory() ? tightenFolder(place) : tightenFile(place);
		}),
	);
}
