import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {augmentationTables} from '../augmentation/augmentation-store.ts';
import {compositionTables} from '../compose/composition-store.ts';
import {eventTables} from '../events/event-store.ts';
import {lakeFolderProblem, ServiceStartError} from '../host/start-error.ts';
import {jobTables} from '../jobs/records/job-store.ts';
import {definitionTables} from '../operations/definition-store.ts';
import {inTransaction} from '../operations/transaction.ts';
import {repairTables} from '../repair/dataset-repairs.ts';
import {reviewTables} from '../reviews/review-store.ts';
import {uploadTables} from '../uploads/upload-store.ts';

/**
 * Turns a file of one version into one of the next; the first turns version 1 into version 2. A new one goes to the end.
 * New tables need none: they are made as the file is opened.
 */
const migrations: ReadonlyArray<(database: DatabaseSync) => void> = [
	database => addColumn(database, 'ingests', 'changed_episodes', 'INTEGER'),
	database => addColumn(database, 'ingests', 'other_changes_json', 'TEXT'),
];

/** The version of the tables below, in the file's `user_version`. */
const formatVersion = migrations.length + 1;

/** Adds a column where the file has the table, and the table has it not yet. */
function addColumn(database: DatabaseSync, table: string, column: string, type: string): void {
	const names = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
	if (names.length === 0 || names.some(({name}) => name === column)) return;
	database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}

const tables = `
	CREATE TABLE IF NOT EXISTS lake (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
	CREATE TABLE IF NOT EXISTS ingests (
		operation_id TEXT PRIMARY KEY,
		repo_id TEXT NOT NULL,
		dataset_name TEXT NOT NULL,
		folder TEXT NOT NULL,
		phase TEXT NOT NULL,
		message TEXT,
		progress_json TEXT,
		dataset_version_id TEXT,
		generation INTEGER,
		episode_count INTEGER,
		total_frames INTEGER,
		changed_episodes INTEGER,
		other_changes_json TEXT,
		problems_json TEXT NOT NULL DEFAULT '[]',
		problem_count INTEGER NOT NULL DEFAULT 0,
		attempts INTEGER NOT NULL DEFAULT 0,
		expected_generation INTEGER,
		child_pid INTEGER,
		child_started TEXT,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS ingests_by_dataset ON ingests (dataset_name, created_at);
	CREATE INDEX IF NOT EXISTS ingests_by_age ON ingests (created_at);
	${definitionTables}
	${eventTables}
	${augmentationTables}
	${jobTables}
	${uploadTables}
	${reviewTables}
	${compositionTables}
	${repairTables}
`;

/** Makes the tables that are missing, and those of an earlier version what this program writes, all or nothing of it. */
function bringUpToDate(database: DatabaseSync, found: number): void {
	inTransaction(database, () => {
		if (found > 0) for (const migration of migrations.slice(found - 1)) migration(database);
		database.exec(tables);
		// Written where it is another, as each write waits for the disk; tables that are there write nothing.
		if (found !== formatVersion) database.exec(`PRAGMA user_version = ${formatVersion}`);
	});
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, whatever follows them. */
const damages: ReadonlySet<number> = new Set([11, 26]);

function isDamage(error: unknown): boolean {
	const {errcode} = (error ?? {}) as {errcode?: number};
	return errcode !== undefined && damages.has(errcode & 0xff);
}

/**
 * Opens what a lake's service must not forget: its operations, and what the lake is. Every commit is on the disk
 * before it returns.
 *
 * @throws {ServiceStartError} when the file is of a newer version, is no such file, or cannot be written
 */
export function openOperations(lake: string): DatabaseSync {
	const file = path.join(lake, 'operations.db');
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000');
		const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
		if (found > formatVersion) {
			throw new ServiceStartError(
				`${file} was written by a newer lakescope (format ${found}; this one knows ${formatVersion}). Update lakescope, or choose another folder with --lake DIR.`,
			);
		}
		bringUpToDate(database, found);
		return database;
	} catch (error) {
		database?.close();
		if (error instanceof ServiceStartError) throw error;
		if (!isDamage(error)) throw lakeFolderProblem(lake, error);
		throw new ServiceStartError(
			`${file} is damaged, or is not a file of lakescope's. Move it away to start without what it held: reviews, jobs, and the record of ingests and uploads; the episodes are not in it.`,
			{cause: error},
		);
	}
}
