import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {aggregates} from '../../contract/vocabulary.ts';
import type {Channel} from './channel-slots.ts';
import type {Database} from './database.ts';
import {LakeError} from './lake-error.ts';
import {metricColumns} from './numeric-columns.ts';
import {Parameters} from './parameters.ts';

/** JSON has no word for NaN and the infinities: a value that is not finite counts as not measured. */
const finite = (column: string) => `CASE WHEN isfinite(${column}::DOUBLE) THEN ${column}::DOUBLE END`;

/** Section 2.1's longest task and most tags. */
const longestTask = 262_144;
const mostTags = 512;

const episodes = (file: string) => `
	CREATE OR REPLACE TEMP TABLE staged_episode AS
	SELECT
		row_number() OVER (ORDER BY episode_index, episode_id) - 1 AS place,
		episode_index::UINTEGER AS episode_index,
		episode_id::UUID AS episode_id,
		from_hex(revision) AS revision,
		left(task, ${longestTask}) AS task,
		nullif(tier, '') AS tier,
		nullif(marker_signature, '') AS marker_signature,
		coalesce(tags[:${mostTags}], []) AS tags,
		review_state::review_state AS review_state,
		parent_dataset,
		parent_episode_index::INTEGER AS parent_episode_index,
		member_ordinal::BIGINT AS member_ordinal,
		frame_count::UBIGINT AS frame_count,
		coalesce(${finite('duration_s')}, 0) AS duration_s,
		${finite('quality_score')} AS quality_score,
		${metricColumns.map(column => `${finite(column)} AS ${column}`).join(', ')},
		${finite('doubt')} AS doubt,
		details
	FROM read_parquet(${file})`;

/** Of two channels of one name in an episode's stream, the one with the lowest native index counts. */
const channels = (file: string) => `
	CREATE OR REPLACE TEMP TABLE staged_channel AS
	SELECT
		episode_index::UINTEGER AS episode_index,
		stream, channel, native_channel,
		native_index::UINTEGER AS native_index,
		${aggregates.map(aggregate => `${finite(`"${aggregate}"`)} AS "${aggregate}"`).join(', ')}
	FROM read_parquet(${file})
	QUALIFY row_number() OVER (
		PARTITION BY episode_index, stream, channel ORDER BY native_index, native_channel
	) = 1`;

const flaws = `
	SELECT
		count(*) - count(DISTINCT episode_index) AS twice,
		count(*) FILTER (
			details IS NOT NULL AND (NOT json_valid(details) OR json_type(details) <> 'OBJECT')
		) AS unreadable
	FROM staged_episode`;

/**
 * Loads `episodes.parquet` and `channels.parquet` of a staging folder into the temporary tables `staged_episode` and
 * `staged_channel` of the connection, within the bounds of the interface.
 *
 * @throws LakeError `staging` when a file is missing, or its columns or values are not the agreed ones.
 */
export async function loadStagedRows(
	database: Database,
	connection: DuckDBConnection,
	staging: string,
): Promise<void> {
	for (const [name, statement] of [
		['episodes.parquet', episodes],
		['channels.parquet', channels],
	] as const) {
		const file = path.join(staging, name);
		const bound = new Parameters();
		const sql = statement(bound.text(file));
		try {
			await database.run(connection, sql, bound);
		} catch (error) {
			if (error instanceof LakeError && error.reason !== 'failed') throw error;
			throw unreadable(file, (error as LakeError).message, error);
		}
	}
	const [found] = await database.rows<{twice: bigint; unreadable: bigint}>(connection, flaws);
	const file = path.join(staging, 'episodes.parquet');
	if (found?.twice) throw unreadable(file, 'an episode index occurs twice');
	if (found?.unreadable) throw unreadable(file, 'details that are no JSON object');
}

function unreadable(file: string, reason: string, cause?: unknown): LakeError {
	return new LakeError('staging', `The ingest handed over no readable ${file} (${reason}).`, {cause});
}

/** The channels that any staged episode has, action first, then state, then telemetry, each in native order. */
export async function stagedChannels(database: Database, connection: DuckDBConnection): Promise<Channel[]> {
	return await database.rows<Channel>(
		connection,
		`SELECT DISTINCT stream, channel, native_channel, native_index FROM staged_channel
		ORDER BY stream, native_index, native_channel, channel`,
	);
}

/** Forgets the temporary tables. */
export async function dropStagedRows(database: Database, connection: DuckDBConnection): Promise<void> {
	await database.run(connection, 'DROP TABLE IF EXISTS staged_episode');
	await database.run(connection, 'DROP TABLE IF EXISTS staged_channel');
}
