import type {DuckDBConnection} from '@duckdb/node-api';
import type {Database} from './database.ts';

/** Turns the tables of one version into those of the next. One that was broken off is run again from its beginning. */
type Migration = (database: Database, connection: DuckDBConnection) => Promise<void>;

/**
 * The migrations by the version that they start from: the first turns a lake of version 1 into one of version 2. A new
 * one goes to the end, with a lake of the version before in `test/service/lake/earlier/`. New metrics need none.
 */
const migrations: readonly Migration[] = [addColumnsOfVersion1];

/** The version that this program writes; a lake of a higher one was written by a newer program. */
export const schemaVersion = migrations.length + 1;

/** Brings a lake of an earlier version to this program's, one version after the other. */
export async function migrate(database: Database, connection: DuckDBConnection, from: number): Promise<void> {
	for (const [index, migration] of migrations.entries()) {
		if (index + 1 < from) continue;
		await migration(database, connection);
		await database.run(connection, `UPDATE lake SET schema_version = ${index + 2}`);
	}
}

/**
 * Programs of version 1 added columns without a new version, so that a lake has some of them, by its age. Episodes from
 * before people could review have the state of their ingest, unless somebody reviewed them since.
 */
async function addColumnsOfVersion1(database: Database, connection: DuckDBConnection): Promise<void> {
	await database.transaction(connection, 'READ WRITE', async () => {
		for (const statement of [
			'ALTER TABLE lake ADD COLUMN IF NOT EXISTS metric_columns VARCHAR[]',
			'ALTER TABLE dataset ADD COLUMN IF NOT EXISTS metadata VARCHAR',
			'ALTER TABLE dataset ADD COLUMN IF NOT EXISTS siblings VARCHAR',
			'ALTER TABLE dataset ADD COLUMN IF NOT EXISTS changed_episodes BIGINT',
			'ALTER TABLE episode ADD COLUMN IF NOT EXISTS doubt DOUBLE',
			'ALTER TABLE episode ADD COLUMN IF NOT EXISTS ingested_state review_state',
			'DROP TABLE IF EXISTS review',
		]) {
			await database.run(connection, statement);
		}
	});
	await database.run(
		connection,
		`UPDATE episode SET ingested_state = review_state
		WHERE ingested_state IS NULL AND review_state IN ('unreviewed', 'auto_accepted')`,
	);
}
