import type {DuckDBConnection} from '@duckdb/node-api';
import {bandSlots} from '../channel-slots.ts';
import type {Database} from './database.ts';
import {bandColumns, bandTable} from './slot-bands.ts';

/** Turns the tables of one version into those of the next. One that was broken off is run again from its beginning. */
type Migration = (database: Database, connection: DuckDBConnection) => Promise<void>;

/**
 * The migrations by the version that they start from: the first turns a lake of version 1 into one of version 2. A new
 * one goes to the end, with a lake of the version before in `test/service/lake/earlier/`. New metrics need none.
 */
const migrations: readonly Migration[] = [addColumnsOfVersion1, moveSlotsIntoBands];

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
 * before people could review have the state of their ingest, unless they were reviewed since.
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

/**
 * In version 2 every slot was a column of `episode`, which doubled as a dataset with more channels came. A band moves in a
 * transaction of its own, so that no more than one is held in memory.
 */
async function moveSlotsIntoBands(database: Database, connection: DuckDBConnection): Promise<void> {
	const columns = await database.rows<{slots: bigint}>(
		connection,
		`SELECT count(*) AS slots FROM duckdb_columns()
		WHERE table_name = 'episode' AND regexp_full_match(column_name, 's[0-9]+_max')`,
	);
	const bands = Math.ceil(Number(columns[0]?.slots ?? 0) / bandSlots);
	for (let band = 1; band < bands; band++) {
		const within = `slot >= ${band * bandSlots} AND slot < ${(band + 1) * bandSlots}`;
		await database.run(
			connection,
			`CREATE OR REPLACE TABLE ${bandTable(band)} AS
			SELECT row_key, ${bandColumns(band).join(', ')} FROM episode
			WHERE layout_key IN (SELECT layout_key FROM channel WHERE ${within})`,
		);
	}
	await database.transaction(connection, 'READ WRITE', async () => {
		await database.run(
			connection,
			'CREATE TABLE IF NOT EXISTS unpublished (row_base BIGINT NOT NULL, row_count BIGINT NOT NULL)',
		);
		if (bands <= 1) return;
		const moved = Array.from({length: bands - 1}, (_, index) => bandColumns(index + 1)).flat();
		for (const statement of [
			`CREATE TABLE narrower_episode AS SELECT * EXCLUDE (${moved.join(', ')}) FROM episode`,
			'DROP TABLE episode',
			'ALTER TABLE narrower_episode RENAME TO episode',
		]) {
			await database.run(connection, statement);
		}
	});
}
