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
