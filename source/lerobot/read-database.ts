import {open, stat} from 'node:fs/promises';
import {type DuckDBConnection, DuckDBInstance, type DuckDBType} from '@duckdb/node-api';
import {blobsOf} from '../files/hub-cache.ts';
import {DatasetError, reasonOf} from './dataset-error.ts';
import {quotedString} from './sql.ts';

type ReadOptions = {
	/**
	 * Folders whose files may be read and written; nothing else can be reached, whatever a query says, but the blobs of
	 * those that are snapshots of the Hub's cache.
	 */
	readonly folders: readonly string[];
	/** As DuckDB spells sizes. */
	readonly memoryLimit: string;
	/** Where what does not fit into memory goes; inside one of the folders. */
	readonly spillFolder: string;
};

/**
 * An in-memory DuckDB that reads untrusted parquet files: one thread, bounded memory, no way to other
 * files, to the network or to its own settings.
 *
 * DuckDB ends a stream as soon as its connection does anything else, an appender's own flushing included. So a reader
 * or writer that spans more than one statement needs its own connection.
 */
export class ReadDatabase {
	readonly #options: ReadOptions;
	readonly #instance: DuckDBInstance;
	/** For single statements that are read whole at once. */
	readonly #statements: DuckDBConnection;

	private constructor(options: ReadOptions, instance: DuckDBInstance, statements: DuckDBConnection) {
		this.#options = options;
		this.#instance = instance;
		this.#statements = statements;
	}

	static async open(options: ReadOptions): Promise<ReadDatabase> {
		const instance = await DuckDBInstance.create(':memory:', {
			threads: '1',
			memory_limit: options.memoryLimit,
			temp_directory: options.spillFolder,
			autoinstall_known_extensions: 'false',
			autoload_known_extensions: 'false',
		});
		const connection = await instance.connect();
		const folders = options.folders.flatMap(folder => [folder, blobsOf(folder) ?? folder]);
		await connection.run(`SET allowed_directories = [${folders.map(quotedString).join(', ')}]`);
		await connection.run('SET enable_external_access = false');
		await connection.run('SET lock_configuration = true');
		return new ReadDatabase(options, instance, connection);
	}

	/** Opens a connection for one user, who closes it. */
	connect(): Promise<DuckDBConnection> {
		return this.#instance.connect();
	}

	/** Runs one statement and reads its answer whole. */
	query(sql: string): ReturnType<DuckDBConnection['runAndReadAll']> {
		return this.#statements.runAndReadAll(sql);
	}

	/** A parquet file's columns and their types. */
	columnsOf(file: string): Promise<Map<string, DuckDBType>> {
		return this.readTwice(async database => {
			const schema = await database.query(`SELECT * FROM read_parquet(${quotedString(file)}) LIMIT 0`);
			return new Map(schema.columnNames().map((name, column) => [name, schema.columnType(column)]));
		});
	}

	/**
	 * Reads. A failed read is repeated through a database that shares nothing with this one, and only a second failure
	 * is reported: the error may lie in this database's state, not in the file.
	 */
	async readTwice<Read>(read: (database: ReadDatabase) => Promise<Read>): Promise<Read> {
		try {
			return await read(this);
		} catch {
			const fresh = await this.reopen();
			try {
				return await read(fresh);
			} finally {
				fresh.close();
			}
		}
	}

	/** Opens another database with the same rights and bounds. */
	reopen(): Promise<ReadDatabase> {
		return ReadDatabase.open(this.#options);
	}

	close(): void {
		this.#statements.closeSync();
		this.#instance.closeSync();
	}
}

/** Rows of a file were not read although nothing says that they are damaged. Its message ends a sentence. */
export class IncompleteRead extends Error {
	override readonly name = 'IncompleteRead';
}

/** Errors of DuckDB and the system that blame this machine, not the file. */
const machineFault =
	/^(?:Out of Memory|Interrupt) Error|No space left on device|Too many open files|Cannot allocate memory/i;

/**
 * @param file as the dataset names it
 * @returns why a file that was read twice cannot be read
 * @throws {DatasetError} where nothing says that the file is damaged: rows that were not ingested must be reported
 */
export function damageReason(error: unknown, file: string): string {
	if (error instanceof DatasetError) throw error;
	const reason = reasonOf(error);
	if (error instanceof IncompleteRead || machineFault.test(reason)) {
		throw new DatasetError(
			`${file} could not be read to its end, although it does not look damaged (${reason}). Nothing was ingested: mend that cause and try again.`,
		);
	}
	return reason;
}

const magic = 'PAR1';

/** The sentence about a parquet file that a recorder was still writing. */
export const cutOffDamage = 'has no parquet footer: its writing was cut off';

/**
 * Checks both ends of a file: a recorder that was cut off leaves no footer. A file that looks damaged is checked
 * twice, since it may be about to be replaced.
 *
 * @returns what is wrong with it, as the end of a sentence; null where it looks whole.
 */
export async function parquetDamage(file: string): Promise<string | null> {
	const damage = await damageAtEnds(file).catch(() => 'cannot be read');
	return damage === null ? null : damageAtEnds(file);
}

async function damageAtEnds(file: string): Promise<string | null> {
	// Before opening it: opening a named pipe would block.
	const stats = await stat(file);
	if (!stats.isFile()) return 'is not a file';
	const handle = await open(file);
	try {
		const {size} = stats;
		if (size === 0) return 'is empty';
		const buffer = Buffer.alloc(8);
		await handle.read(buffer, 0, 4, 0);
		if (buffer.toString('latin1', 0, 4) !== magic) return 'is not a parquet file';
		if (size < 12) return cutOffDamage;
		await handle.read(buffer, 0, 8, size - 8);
		if (buffer.toString('latin1', 4, 8) !== magic) return cutOffDamage;
		return buffer.readUInt32LE(0) > size - 12 ? 'has a damaged parquet footer' : null;
	} finally {
		await handle.close();
	}
}
