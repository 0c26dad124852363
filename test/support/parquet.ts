import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {
	type DuckDBConnection,
	DuckDBDataChunk,
	DuckDBInstance,
	type DuckDBType,
	type DuckDBValue,
} from '@duckdb/node-api';

export type Column = readonly [name: string, type: DuckDBType];

/** Reads a parquet file back, a row an object. */
export async function readParquet(file: string): Promise<Record<string, unknown>[]> {
	return withDuckDB(async connection => {
		const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${file}')`);
		return reader.getRowObjectsJS();
	});
}

/** Works with a DuckDB of its own. */
export async function withDuckDB<Result>(
	work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
	const instance = await DuckDBInstance.create(':memory:', {threads: '1'});
	const connection = await instance.connect();
	try {
		return await work(connection);
	} finally {
		connection.closeSync();
		instance.closeSync();
	}
}

/** Writes rows as a parquet file. */
export async function writeParquet(
	connection: DuckDBConnection,
	file: string,
	columns: readonly Column[],
	rows: readonly DuckDBValue[][],
	rowGroupSize?: number,
): Promise<void> {
	await mkdir(path.dirname(file), {recursive: true});
	await connection.run(
		`CREATE OR REPLACE TABLE written (${columns.map(([name, type]) => `"${name}" ${type}`).join(', ')})`,
	);
	const appender = await connection.createAppender('written');
	for (let from = 0; from < rows.length; from += 2048) {
		const some = rows.slice(from, from + 2048);
		const chunk = DuckDBDataChunk.create(
			columns.map(([, type]) => type),
			some.length,
		);
		chunk.setRows(some);
		appender.appendDataChunk(chunk);
	}
	appender.closeSync();
	const size = rowGroupSize ? `, ROW_GROUP_SIZE ${rowGroupSize}` : '';
	await connection.run(`COPY written TO '${file}' (FORMAT parquet, COMPRESSION snappy${size})`);
}
