import type {DuckDBConnection} from '@duckdb/node-api';
import {heldMetrics} from '../../../contract/metrics.ts';
import {reviewStates} from '../../../contract/vocabulary.ts';
import {LakeError} from '../engine.ts';
import type {Database} from './database.ts';
import {migrate, schemaVersion} from './migrations.ts';
import {Parameters} from './parameters.ts';
import {bandColumns} from './slot-bands.ts';

const episodeTable = `CREATE TABLE episode (
		row_key BIGINT NOT NULL,
		dataset_key INTEGER NOT NULL,
		profile_key INTEGER NOT NULL,
		layout_key INTEGER NOT NULL,
		episode_index UINTEGER NOT NULL,
		episode_id UUID NOT NULL,
		revision BLOB,
		review_state review_state NOT NULL,
		parent_dataset VARCHAR,
		parent_episode_index INTEGER,
		member_ordinal BIGINT,
		frame_count UBIGINT NOT NULL,
		duration_s DOUBLE NOT NULL,
		quality_score DOUBLE,
		doubt DOUBLE,
		ingested_state review_state,
		details VARCHAR,
		${[...heldMetrics, ...bandColumns(0)].map(column => `${column} DOUBLE`).join(', ')}
	)`;

/**
 * The tables of a lake, a star around `episode`.
 *
 * Explore filters and counts by text (task, tier, marker signature, tags, dataset, embodiment). Those are held once
 * for each combination that occurs, in `profile` and `dataset`; an episode holds the combination's number. One scan
 * that groups by that number then answers totals and all facets at once.
 *
 * Channel statistics are columns of `episode`: slot k of a dataset's channels is `s<k>_max` and so on, and `channel`
 * says which channel that is in which layout (the datasets with the same channels share a layout). Asking a channel
 * therefore costs what asking a metric costs, where a table of its own would cost a join of millions of rows. That holds for
 * the first 32; what a dataset has beyond lies in `slots_1`, `slots_2` and so on, 32 slots each, by `row_key`, so that no
 * row of another dataset is wider for it.
 *
 * The rows of a dataset have consecutive `row_key`s in the order of their index, so that a page reads few row groups.
 * There are no primary keys: DuckDB's indexes refuse to delete and insert one key in a transaction, and there is one
 * writer.
 */
const tables = [
	'CREATE TABLE lake (schema_version INTEGER NOT NULL, metric_columns VARCHAR[])',
	`CREATE TYPE review_state AS ENUM (${reviewStates.map(state => `'${state}'`).join(', ')})`,
	`CREATE TABLE dataset (
		dataset_key INTEGER NOT NULL,
		dataset_id VARCHAR NOT NULL,
		dataset_name VARCHAR NOT NULL,
		dataset_version_id VARCHAR NOT NULL,
		generation BIGINT NOT NULL,
		folder VARCHAR NOT NULL,
		subtype VARCHAR NOT NULL,
		format VARCHAR,
		robot_type VARCHAR,
		fps DOUBLE,
		interface_hash VARCHAR,
		cameras VARCHAR[] NOT NULL,
		features VARCHAR NOT NULL,
		metadata VARCHAR,
		siblings VARCHAR,
		problems VARCHAR NOT NULL,
		episode_count BIGINT NOT NULL,
		changed_episodes BIGINT,
		frame_count HUGEINT NOT NULL,
		duration_s DOUBLE NOT NULL,
		created_at BIGINT NOT NULL,
		updated_at BIGINT NOT NULL,
		layout_key INTEGER NOT NULL,
		row_base BIGINT NOT NULL,
		profile_base INTEGER NOT NULL,
		profile_count INTEGER NOT NULL
	)`,
	`CREATE TABLE profile (
		profile_key INTEGER NOT NULL,
		dataset_key INTEGER NOT NULL,
		task VARCHAR,
		tier VARCHAR,
		marker_signature VARCHAR,
		tags VARCHAR[] NOT NULL
	)`,
	`CREATE TABLE channel (
		layout_key INTEGER NOT NULL,
		slot INTEGER NOT NULL,
		stream VARCHAR NOT NULL,
		channel VARCHAR NOT NULL,
		native_channel VARCHAR NOT NULL,
		native_index UINTEGER NOT NULL
	)`,
	episodeTable,
	'CREATE TABLE unpublished (row_base BIGINT NOT NULL, row_count BIGINT NOT NULL)',
];

/**
 * Lays the tables into a new file, or brings those of an existing one up to what this program reads: first by version,
 * then by the metrics that came since. An episode that was ingested before a metric existed has it unknown, until its
 * dataset is ingested again.
 *
 * @throws LakeError `newer` for a lake of a later version, `not-a-lake` for another program's database.
 */
export async function prepareSchema(database: Database, connection: DuckDBConnection): Promise<void> {
	const found = await stateOf(database, connection);
	if (found === undefined) {
		await database.transaction(connection, 'READ WRITE', async () => {
			for (const statement of tables) await database.run(connection, statement);
			await writeState(database, connection);
		});
		return;
	}
	const {schema_version: version} = found;
	if (version > schemaVersion) throw newer(database, version);
	const held = new Set(found.metric_columns);
	const missing = heldMetrics.filter(column => !held.has(column));
	if (version === schemaVersion && missing.length === 0) return;
	await migrate(database, connection, version);
	await database.transaction(connection, 'READ WRITE', async () => {
		for (const column of missing) {
			await database.run(connection, `ALTER TABLE episode ADD COLUMN IF NOT EXISTS ${column} DOUBLE`);
		}
		await writeState(database, connection);
	});
}

/**
 * Looks whether a lake that cannot be written is as this program reads it.
 *
 * @throws LakeError `newer` or `older` where it is not
 */
export async function requireSchema(database: Database, connection: DuckDBConnection): Promise<void> {
	const found = await stateOf(database, connection);
	const version = found?.schema_version ?? 0;
	if (version > schemaVersion) throw newer(database, version);
	const held = new Set(found?.metric_columns);
	if (version === schemaVersion && heldMetrics.every(column => held.has(column))) return;
	throw new LakeError(
		'older',
		`The lake ${database.file} was written by an earlier lakescope and cannot be changed now: open it once where it can be written.`,
	);
}

function newer({file}: Database, version: number): LakeError {
	return new LakeError(
		'newer',
		`The lake ${file} has version ${version}, and this lakescope reads versions up to ${schemaVersion}: update lakescope, or choose another folder with --lake.`,
	);
}

/** Notes that the tables are those of this program. */
async function writeState(database: Database, connection: DuckDBConnection): Promise<void> {
	const bound = new Parameters();
	await database.run(connection, 'DELETE FROM lake');
	await database.run(
		connection,
		`INSERT INTO lake VALUES (${bound.integer(schemaVersion)}, ${bound.texts(heldMetrics)})`,
		bound,
	);
}

/** The version and metrics that a lake's tables have; version 1 has no metrics. */
type LakeState = {schema_version: number; metric_columns?: string[] | null};

/**
 * The version of a lake's tables; undefined for an empty file. Other tables are looked up only where it
 * says nothing: listing the tables takes 4 ms of every start.
 */
async function stateOf(database: Database, connection: DuckDBConnection): Promise<LakeState | undefined> {
	try {
		const [found] = await database.rows<LakeState>(connection, 'SELECT * FROM lake');
		return found ?? {schema_version: 1};
	} catch (error) {
		const names = await database.rows<{table_name: string}>(
			connection,
			'SELECT table_name FROM duckdb_tables() WHERE NOT internal',
		);
		if (names.length === 0) return undefined;
		if (names.some(({table_name}) => table_name === 'lake')) throw error;
		throw new LakeError(
			'not-a-lake',
			`The file ${database.file} is a DuckDB database, but no lake: choose another folder with --lake.`,
		);
	}
}
