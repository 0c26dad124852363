import {mkdirSync} from 'node:fs';
import {totalmem} from 'node:os';
import path from 'node:path';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {LakeError} from '../engine.ts';
import {asLakeError, locked} from './duckdb-error.ts';
import type {Parameters} from './parameters.ts';

/** A file lock of POSIX belongs to the process, so DuckDB cannot see a second opening by the same one. */
const openHere = new Set<string>();

const gibibyte = 1024 ** 3;

/** An open DuckDB file: statements that fail do so with a LakeError that names the file. */
export class Database {
	readonly file: string;
	readonly #instance: DuckDBInstance;

	private constructor(file: string, instance: DuckDBInstance) {
		this.file = file;
		this.#instance = instance;
	}

	/**
	 * Opens or creates the file, then closes the engine to everything but it and `readableFolder`: no other file,
	 * no network, no extension, and no setting can be changed any more.
	 *
	 * @param work where the engine may write for a while; the file is then opened without writing to it
	 */
	static async open(file: string, readableFolder: string, work?: string): Promise<Database> {
		if (openHere.has(file)) throw locked(file, 'this process');
		// DuckDB takes what follows a question mark for parameters when it names its log beside the file.
		if (file.includes('?')) {
			throw new LakeError(
				'failed',
				`The lake ${file} cannot lie in a folder with a question mark in its name: choose another with --lake.`,
			);
		}
		openHere.add(file);
		try {
			mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
			const instance = await DuckDBInstance.create(file, {
				...(work !== undefined && {access_mode: 'READ_ONLY', temp_directory: path.join(work, 'tmp')}),
				autoinstall_known_extensions: 'false',
				autoload_known_extensions: 'false',
				memory_limit: `${Math.min(4, totalmem() / gibibyte / 2).toFixed(2)}GiB`,
				// Groups of up to 2^16 profiles are summed in plain arrays instead of hash tables.
				perfect_ht_threshold: '16',
			});
			const database = new Database(file, instance);
			try {
				const connection = await instance.connect();
				const folder = `${readableFolder}${path.sep}`.replaceAll("'", "''");
				// The order matters: the list cannot be set once access is off.
				await connection.run(
					[
						`SET allowed_directories = ['${folder}']`,
						'SET enable_external_access = false',
						'SET lock_configuration = true',
					].join('; '),
				);
				connection.closeSync();
			} catch (error) {
				instance.closeSync();
				throw error;
			}
			return database;
		} catch (error) {
			openHere.delete(file);
			throw asLakeError(error, file);
		}
	}

	async connect(): Promise<DuckDBConnection> {
		return await this.#instance.connect();
	}

	/** Runs a statement and gives its rows, 64-bit integers as bigints. */
	async rows<Row>(connection: DuckDBConnection, sql: string, bound?: Parameters): Promise<Row[]> {
		try {
			const reader = await connection.runAndReadAll(sql, bound?.values, bound?.types);
			return reader.getRowObjectsJS() as Row[];
		} catch (error) {
			throw asLakeError(error, this.file);
		}
	}

	/** Runs a statement for its effect. */
	async run(connection: DuckDBConnection, sql: string, bound?: Parameters): Promise<void> {
		try {
			await connection.run(sql, bound?.values, bound?.types);
		} catch (error) {
			throw asLakeError(error, this.file);
		}
	}

	/** Runs `work` in one transaction: all it reads is one snapshot, and all it writes is kept or none of it. */
	async transaction<Result>(
		connection: DuckDBConnection,
		mode: 'READ ONLY' | 'READ WRITE',
		work: () => Promise<Result>,
	): Promise<Result> {
		await this.run(connection, `BEGIN TRANSACTION ${mode}`);
		try {
			const result = await work();
			await this.run(connection, 'COMMIT');
			return result;
		} catch (error) {
			// A commit that failed has ended the transaction already; the first error is the one to tell.
			await connection.run('ROLLBACK').catch(() => undefined);
			throw error instanceof LakeError ? error : asLakeError(error, this.file);
		}
	}

	/** Closes the file; every connection must be idle. */
	close(): void {
		this.#instance.closeSync();
		openHere.delete(this.file);
	}
}

/**
 * A fixed number of connections lent one user at a time; a user that finds none free waits in line. With a size
 * of one it is a lock.
 */
export class ConnectionPool {
	readonly #idle: DuckDBConnection[];
	readonly #size: number;
	readonly #waiting: Array<(connection: DuckDBConnection) => void> = [];
	#whenIdle: (() => void) | undefined;
	#closed = false;

	constructor(connections: readonly DuckDBConnection[]) {
		this.#idle = [...connections];
		this.#size = connections.length;
	}

	/** Lends a connection to `work` and takes it back when that has ended, however it ends. */
	async use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
		if (this.#closed) throw new LakeError('closed', 'The lake is closed: start the service again.');
		const connection =
			this.#idle.pop() ??
			(await new Promise<DuckDBConnection>(resolve => {
				this.#waiting.push(resolve);
			}));
		try {
			return await work(connection);
		} finally {
			const next = this.#waiting.shift();
			if (next) next(connection);
			else this.#idle.push(connection);
			if (this.#idle.length === this.#size) this.#whenIdle?.();
		}
	}

	/** Takes no more work, waits for what runs or stands in line, and disconnects. */
	async close(): Promise<void> {
		this.#closed = true;
		if (this.#idle.length < this.#size) {
			await new Promise<void>(resolve => {
				this.#whenIdle = resolve;
			});
		}
		for (const connection of this.#idle.splice(0)) connection.closeSync();
	}
}
