import {open, stat} from 'node:fs/promises';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {quotedString} from './write-sql.ts';

type ConnectionOptions = {
	/** Folders whose files may be read and written; nothing else can be reached, whatever a query says. */
	readonly folders: readonly string[];
	/** As DuckDB spells sizes. */
	readonly memoryLimit: string;
	/** Where what does not fit into memory goes; inside one of the folders. */
	readonly spillFolder: string;
};

/**
 * An in-memory DuckDB that reads parquet files nobody vouches for: one thread, bounded memory, no way to other
 * files, to the network or to its own settings.
 */
export async function openReadConnection(options: ConnectionOptions): Promise<DuckDBConnection> {
	const instance = await DuckDBInstance.create(':memory:', {
		threads: '1',
		memory_limit: options.memoryLimit,
		temp_directory: options.spillFolder,
		autoinstall_known_extensions: 'false',
		autoload_known_extensions: 'false',
	});
	const connection = await instance.connect();
	await connection.run(`SET allowed_directories = [${options.folders.map(quotedString).join(', ')}]`);
	// Rows are handed out as they are decoded: what is broken further on must not take them along.
	await connection.run("SET streaming_buffer_size = '1KB'");
	await connection.run('SET enable_external_access = false');
	await connection.run('SET lock_configuration = true');
	return connection;
}

const magic = 'PAR1';

/**
 * Looks at both ends of a file, which a recorder that was cut off leaves without its footer.
 *
 * @returns what is wrong with it, as the end of a sentence; null where it looks whole.
 */
export async function parquetDamage(file: string): Promise<string | null> {
	// Before it is opened: a named pipe would be waited for.
	const stats = await stat(file);
	if (!stats.isFile()) return 'is not a file';
	const handle = await open(file);
	try {
		const {size} = stats;
		if (size === 0) return 'is empty';
		const buffer = Buffer.alloc(8);
		await handle.read(buffer, 0, 4, 0);
		if (buffer.toString('latin1', 0, 4) !== magic) return 'is not a parquet file';
		if (size < 12) return 'has no parquet footer: its writing was cut off';
		await handle.read(buffer, 0, 8, size - 8);
		if (buffer.toString('latin1', 4, 8) !== magic) return 'has no parquet footer: its writing was cut off';
		return buffer.readUInt32LE(0) > size - 12 ? 'has a damaged parquet footer' : null;
	} finally {
		await handle.close();
	}
}
