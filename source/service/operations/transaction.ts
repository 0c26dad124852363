import type {DatabaseSync} from 'node:sqlite';

/** Does what is written together or not at all: where `work` throws, nothing of it stays. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		// A full disk may have rolled it back already.
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}

/**
 * Writes without waiting for the disk: what is lost with the machine's power is only how far something had come.
 */
export function withoutSync(database: DatabaseSync, write: () => void): void {
	database.exec('PRAGMA synchronous = NORMAL');
	try {
		write();
	} finally {
		database.exec('PRAGMA synchronous = FULL');
	}
}
