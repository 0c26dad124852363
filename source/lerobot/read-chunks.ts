import type {DuckDBDataChunk} from '@duckdb/node-api';
import {IncompleteRead, type ReadDatabase} from './read-database.ts';
import {quotedString} from './sql.ts';

/** As many rows as a chunk of DuckDB's has at most. */
export const maxChunkRows = 2048;

/** Rows requested at once after the point where a stream ended; halved until they can be decoded. */
const mostRowsAtOnce = 8 * maxChunkRows;

/**
 * The rows of a parquet file, chunk by chunk. A DuckDB stream that fails ends without an error, and loses the rows that
 * it had read ahead. So the rows are counted first, and missing rows are read again through a database that shares
 * nothing with this one; only rows that fail there too are called damaged.
 *
 * @param where a condition on the rows.
 * @throws DuckDB's error, after all rows before those that cannot be decoded were handed out.
 * @throws {IncompleteRead} where rows are missing without an error.
 */
export async function* readChunks(
	database: ReadDatabase,
	expressions: readonly string[],
	file: string,
	where?: string,
): AsyncGenerator<DuckDBDataChunk> {
	const source = quotedString(file);
	const condition = where === undefined ? '' : ` WHERE ${where}`;
	const rows = `SELECT ${expressions.join(', ')} FROM read_parquet(${source})${condition}`;
	const count =
		where === undefined
			? `SELECT num_rows FROM parquet_file_metadata(${source})`
			: `SELECT count(*) FROM read_parquet(${source})${condition}`;
	const expected = await database.readTwice(async from =>
		Number((await from.query(count)).getRows()[0]?.[0]),
	);
	let read = 0;
	for await (const chunk of stream(database, rows)) {
		read += chunk.rowCount;
		yield chunk;
	}
	if (read >= expected) return;
	const fresh = await database.reopen();
	try {
		for await (const chunk of stream(fresh, `${rows} OFFSET ${read}`)) {
			read += chunk.rowCount;
			yield chunk;
		}
		for await (const chunk of readBitByBit(fresh, rows, read)) {
			read += chunk.rowCount;
			yield chunk;
		}
	} finally {
		fresh.close();
	}
	if (read < expected) {
		throw new IncompleteRead(
			where === undefined
				? `its footer counts ${expected} rows, but only ${read} could be read`
				: `${expected} rows were counted, and ${read} of them were had without an error`,
		);
	}
}

/** The chunks of a stream. DuckDB ends a stream that fails without an error. */
async function* stream(database: ReadDatabase, query: string): AsyncGenerator<DuckDBDataChunk> {
	const connection = await database.connect();
	try {
		const result = await connection.stream(query).catch(() => undefined);
		for (let chunk = await result?.fetchChunk(); chunk?.rowCount; chunk = await result?.fetchChunk()) {
			yield chunk;
		}
	} finally {
		connection.closeSync();
	}
}

/** Reads on from a row in statements that are read whole, so that their errors are seen. */
async function* readBitByBit(
	database: ReadDatabase,
	rows: string,
	from: number,
): AsyncGenerator<DuckDBDataChunk> {
	const connection = await database.connect();
	let read = from;
	let atOnce = mostRowsAtOnce;
	const next = async () => {
		const result = await connection.run(`${rows} LIMIT ${atOnce} OFFSET ${read}`);
		return (await result.fetchAllChunks()).filter(({rowCount}) => rowCount > 0);
	};
	try {
		for (;;) {
			const chunks = await next().catch(error => {
				if (atOnce === 1) throw error;
				atOnce = Math.ceil(atOnce / 4);
			});
			if (chunks === undefined) continue;
			if (chunks.length === 0) return;
			for (const chunk of chunks) {
				read += chunk.rowCount;
				yield chunk;
			}
		}
	} finally {
		connection.closeSync();
	}
}
