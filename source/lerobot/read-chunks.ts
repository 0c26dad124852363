import type {DuckDBConnection, DuckDBDataChunk} from '@duckdb/node-api';
import {quotedString} from './write-sql.ts';

/** As many rows as a chunk of DuckDB's has at most. */
export const maxChunkRows = 2048;

/**
 * The rows of a parquet file, chunk by chunk. A stream of DuckDB's that cannot be decoded further just ends, and takes the
 * chunk before the broken one along; so its rows are counted, the lost chunk is asked for alone, and the reason is
 * had from asking for the row behind it.
 *
 * @param where a condition on the rows; those that fulfil it are not counted, so that what cannot be decoded is missing
 *   without a word.
 * @throws DuckDB's error, after the chunks before it were handed out.
 */
export async function* readChunks(
	connection: DuckDBConnection,
	expressions: readonly string[],
	file: string,
	where?: string,
): AsyncGenerator<DuckDBDataChunk> {
	const source = quotedString(file);
	const rows = `SELECT ${expressions.join(', ')} FROM read_parquet(${source})`;
	let handedOut = 0;
	async function* stream(query: string) {
		const result = await connection.stream(query);
		for (
			let chunk = await result.fetchChunk();
			chunk && chunk.rowCount > 0;
			chunk = await result.fetchChunk()
		) {
			handedOut += chunk.rowCount;
			yield chunk;
		}
	}
	if (where !== undefined) {
		yield* stream(`${rows} WHERE ${where}`);
		return;
	}
	const counted = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${source})`);
	const expected = Number(counted.getRows()[0]?.[0]);
	yield* stream(rows);
	if (handedOut >= expected) return;
	yield* stream(`${rows} LIMIT ${maxChunkRows} OFFSET ${handedOut}`);
	await connection.run(`${rows} LIMIT 1 OFFSET ${handedOut}`);
	throw new Error(`${expected - handedOut} of its ${expected} rows are not there`);
}
