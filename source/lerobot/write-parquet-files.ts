import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBAppender, DuckDBConnection, DuckDBDataChunk, DuckDBType} from '@duckdb/node-api';
import {fillTemplate} from './layout.ts';
import {quotedIdentifier, quotedString} from './sql.ts';

type ParquetColumn = {
	readonly name: string;
	readonly type: DuckDBType;
	/** As the table declares it, where that says more than the type. */
	readonly declared?: string;
};

/** Which file of a series. */
export type FilePlace = {readonly chunkIndex: number; readonly fileIndex: number};

type Series = {
	readonly connection: DuckDBConnection;
	/** The dataset's folder. */
	readonly root: string;
	/** Where the series' files lie under the root, as `info.json` spells it. */
	readonly pathTemplate: string;
	/** A name for the table that gathers the rows of a file. */
	readonly table: string;
	readonly columns: readonly ParquetColumn[];
	/** A file is closed before it would grow past this (bytes before encoding). */
	readonly maxFileBytes: number;
	readonly maxFilesInChunk: number;
};

/**
 * A series of parquet files `chunk-000/file-000`, `chunk-000/file-001`, …: rows gather in a table and become a
 * file when it is full.
 */
export class ParquetFiles {
	readonly #series: Series;
	/** The files written so far. */
	readonly files: string[] = [];
	#appender: DuckDBAppender | undefined;
	#bytes = 0;
	#fileNumber = 0;

	constructor(series: Series) {
		this.#series = series;
	}

	/** True if rows of this size still go into the open file. */
	hasRoomFor(bytes: number): boolean {
		return this.#bytes === 0 || this.#bytes + bytes <= this.#series.maxFileBytes;
	}

	/**
	 * Makes room for rows that must lie in one file.
	 *
	 * @returns the place of the file they will be in.
	 */
	async reserve(bytes: number): Promise<FilePlace> {
		if (!this.hasRoomFor(bytes)) await this.close();
		this.#bytes += bytes;
		return this.#place();
	}

	#place(): FilePlace {
		const {maxFilesInChunk} = this.#series;
		return {
			chunkIndex: Math.floor(this.#fileNumber / maxFilesInChunk),
			fileIndex: this.#fileNumber % maxFilesInChunk,
		};
	}

	async append(chunk: DuckDBDataChunk): Promise<void> {
		const {connection, table, columns} = this.#series;
		if (!this.#appender) {
			const declared = columns
				.map(({name, type, declared: more}) => `${quotedIdentifier(name)} ${more ?? type}`)
				.join(', ');
			await connection.run(`CREATE OR REPLACE TABLE ${table} (${declared})`);
			this.#appender = await connection.createAppender(table);
		}
		this.#appender.appendDataChunk(chunk);
	}

	/** Writes the rows gathered so far as a file; the next rows begin another. */
	async close(): Promise<void> {
		if (!this.#appender) return;
		const {connection, root, pathTemplate, table} = this.#series;
		this.#appender.closeSync();
		this.#appender = undefined;
		const {chunkIndex, fileIndex} = this.#place();
		const relative = fillTemplate(pathTemplate, {chunk_index: chunkIndex, file_index: fileIndex});
		const file = path.join(root, relative);
		await mkdir(path.dirname(file), {recursive: true});
		await connection.run(`COPY ${table} TO ${quotedString(file)} (${parquetOptions})`);
		await connection.run(`DROP TABLE ${table}`);
		this.files.push(file);
		this.#bytes = 0;
		this.#fileNumber++;
	}
}

/** As the reference writes its files; groups of some episodes let readers that want one episode skip the rest. */
export const parquetOptions = 'FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 16384';
