import type {DuckDBConnection} from '@duckdb/node-api';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import {clearBands} from './slot-bands.ts';

/** Where a dataset's rows lie, and what a next generation takes over. */
export type DatasetPlace = {
	dataset_key: number;
	dataset_id: string;
	dataset_name: string;
	generation: bigint;
	created_at: bigint;
	row_base: bigint;
	episode_count: bigint;
	profile_base: number;
	profile_count: number;
};

export async function datasetPlaces(
	database: Database,
	connection: DuckDBConnection,
): Promise<DatasetPlace[]> {
	return await database.rows<DatasetPlace>(
		connection,
		`SELECT dataset_key, dataset_id, dataset_name, generation, created_at,
			row_base, episode_count, profile_base, profile_count
		FROM dataset`,
	);
}

/** Deletes every row of a dataset. Must run inside a transaction. */
export async function clearDataset(
	database: Database,
	connection: DuckDBConnection,
	{dataset_key, row_base, episode_count}: DatasetPlace,
): Promise<void> {
	await clearBands(database, connection, {base: Number(row_base), count: Number(episode_count)});
	for (const table of ['episode', 'profile', 'dataset']) {
		const bound = new Parameters();
		await database.run(
			connection,
			`DELETE FROM ${table} WHERE dataset_key = ${bound.integer(dataset_key)}`,
			bound,
		);
	}
}

/** Forgets the channel layouts that no dataset has any more. */
export async function dropUnusedLayouts(database: Database, connection: DuckDBConnection): Promise<void> {
	await database.run(
		connection,
		'DELETE FROM channel WHERE layout_key NOT IN (SELECT layout_key FROM dataset)',
	);
}

/**
 * Takes a dataset out of the lake. One that comes back starts again at generation 1.
 *
 * @returns whether the lake held it.
 */
export async function removeDataset(
	database: Database,
	connection: DuckDBConnection,
	datasetId: string,
): Promise<boolean> {
	return await database.transaction(connection, 'READ WRITE', async () => {
		const places = await datasetPlaces(database, connection);
		const place = places.find(({dataset_id}) => dataset_id === datasetId);
		if (!place) return false;
		await clearDataset(database, connection, place);
		await dropUnusedLayouts(database, connection);
		return true;
	});
}
