import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {lakeFolderProblem} from '../host/start-error.ts';

/** SQLITE_BUSY: another process holds the lock. */
const busy = 5;

/** The lock that makes a process the only service of a lake. */
type LakeLock = {release(): void};

function tryLock(file: string): LakeLock | undefined {
	const database = new DatabaseSync(file);
	try {
		database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
		return {release: () => database.close()};
	} catch (error) {
		database.close();
		if ((error as {errcode?: number}).errcode === busy) return undefined;
		throw error;
	}
}

/**
 * Takes the lake for this process. SQLite's exclusive lock on an empty file is the kernel's own file lock, which
 * Node does not offer otherwise: it ends with its process, however that ends, so that no lock is ever stale and no
 * number of a dead process has to be judged.
 *
 * @param giveUp asked between two tries, as the service that holds the lock may be on its way out
 * @returns undefined when another process holds it
 * @throws {ServiceStartError} when the folder cannot be written
 */
export async function takeLake(
	lake: string,
	giveUp: () => boolean | Promise<boolean>,
): Promise<LakeLock | undefined> {
	const file = path.join(lake, 'service.lock');
	for (;;) {
		try {
			const lock = tryLock(file);
			if (lock) return lock;
		} catch (error) {
			throw lakeFolderProblem(lake, error);
		}
		if (await giveUp()) return undefined;
		await delay(20);
	}
}
