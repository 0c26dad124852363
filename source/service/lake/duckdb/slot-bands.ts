import type {DuckDBConnection} from '@duckdb/node-api';
import {bandSlots, slotColumns} from '../channel-slots.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import type {KeyRange} from './staged-dataset.ts';

/** The table of a band beyond the first, with a row for each episode of the datasets that have so many channels. */
export function bandTable(band: number): string {
	return `slots_${band}`;
}

/** The columns of a band's slots. */
export function bandColumns(band: number): string[] {
	return slotColumns(band * bandSlots, (band + 1) * bandSlots);
}

/** Makes the table of a band, unless the lake has it. */
export async function createBand(
	database: Database,
	connection: DuckDBConnection,
	band: number,
): Promise<void> {
	const columns = bandColumns(band).map(column => `${column} DOUBLE`);
	await database.run(
		connection,
		`CREATE TABLE IF NOT EXISTS ${bandTable(band)} (row_key BIGINT NOT NULL, ${columns.join(', ')})`,
	);
}

/** Deletes what the bands hold of these rows. */
export async function clearBands(
	database: Database,
	connection: DuckDBConnection,
	{base, count}: KeyRange,
): Promise<void> {
	const tables = await database.rows<{table_name: string}>(
		connection,
		"SELECT table_name FROM duckdb_tables() WHERE NOT internal AND regexp_full_match(table_name, 'slots_[0-9]+')",
	);
	for (const {table_name} of tables) {
		const bound = new Parameters();
		await database.run(
			connection,
			`DELETE FROM ${table_name}
			WHERE row_key >= ${bound.integer(base)} AND row_key < ${bound.integer(base + count)}`,
			bound,
		);
	}
}

/**
 * Notes that rows of the bands are written before the dataset that they are of: no episode has their keys yet. Where that
 * is broken off, the next publication takes them out again.
 */
export async function noteUnpublished(
	database: Database,
	connection: DuckDBConnection,
	{base, count}: KeyRange,
): Promise<void> {
	const bound = new Parameters();
	const values = `(${bound.integer(base)}, ${bound.integer(count)})`;
	await database.run(connection, `INSERT INTO unpublished VALUES ${values}`, bound);
}

/** Takes out what publications left that were broken off. */
export async function clearUnpublished(database: Database, connection: DuckDBConnection): Promise<void> {
	const ranges = await database.rows<{row_base: bigint; row_count: bigint}>(
		connection,
		'SELECT row_base, row_count FROM unpublished',
	);
	if (ranges.length === 0) return;
	await database.transaction(connection, 'READ WRITE', async () => {
		for (const {row_base, row_count} of ranges) {
			await clearBands(database, connection, {base: Number(row_base), count: Number(row_count)});
		}
		await database.run(connection, 'DELETE FROM unpublished');
	});
}
