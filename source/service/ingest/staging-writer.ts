import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {
	DOUBLE,
	type DuckDBAppender,
	type DuckDBConnection,
	DuckDBDataChunk,
	DuckDBListValue,
	type DuckDBType,
	UINTEGER,
} from '@duckdb/node-api';
import type {Channel} from '../../lerobot/features.ts';
import type {ReadDatabase} from '../../lerobot/read-database.ts';
import {quotedString} from '../../lerobot/sql.ts';
import type {ChannelAggregate} from '../../motion/channel-aggregates.ts';
import {type StagedEpisode, stagedEpisodeColumns} from './staged-columns.ts';

/** As many rows as a chunk of DuckDB's may have. */
const maxChunkRows = 2048;

const aggregateColumns = [
	['episode_index', UINTEGER],
	['place', UINTEGER],
	['max', DOUBLE],
	['min', DOUBLE],
	['mean', DOUBLE],
	['std', DOUBLE],
] as const satisfies readonly (readonly [string, DuckDBType])[];

/**
 * Gathers what an ingest finds and writes it into the staging folder. A channel's names are kept once and joined
 * to its figures by DuckDB: there are a dozen channels, and a dozen figures an episode. It writes over a connection of its
 * own, since an appender flushes by itself and would end a stream of the same one.
 */
export class StagingWriter {
	readonly #connection: DuckDBConnection;
	readonly #folder: string;
	readonly #episodes: Table;
	readonly #aggregates: Table;

	private constructor(connection: DuckDBConnection, folder: string, episodes: Table, aggregates: Table) {
		this.#connection = connection;
		this.#folder = folder;
		this.#episodes = episodes;
		this.#aggregates = aggregates;
	}

	/** @param channels what `addAggregates`' figures belong to, one for one. */
	static async open(
		database: ReadDatabase,
		folder: string,
		channels: readonly Channel[],
	): Promise<StagingWriter> {
		const connection = await database.connect();
		await writeChannelNames(connection, channels);
		return new StagingWriter(
			connection,
			folder,
			await Table.create(
				connection,
				'episode',
				stagedEpisodeColumns.map(({name, type}) => [name, type]),
			),
			await Table.create(connection, 'aggregate', aggregateColumns),
		);
	}

	addEpisode(episode: StagedEpisode): void {
		this.#episodes.append(
			stagedEpisodeColumns.map(({value}) => {
				const cell = value(episode);
				return Array.isArray(cell) ? new DuckDBListValue(cell) : (cell as string | number | bigint | null);
			}),
		);
	}

	/** @param aggregates one a channel; null where the episode has no figure of it. */
	addAggregates(episodeIndex: number, aggregates: readonly (ChannelAggregate | null)[]): void {
		for (let place = 0; place < aggregates.length; place++) {
			const figures = aggregates[place];
			if (!figures) continue;
			const {max, min, mean, std} = figures;
			this.#aggregates.append([episodeIndex, place, max, min, mean, std]);
		}
	}

	/** Writes `episodes.parquet`, `channels.parquet` and, with what the dataset is, `dataset.json`. */
	async finish(dataset: object): Promise<void> {
		this.#episodes.close();
		this.#aggregates.close();
		await this.#copy('SELECT * FROM episode ORDER BY episode_index', 'episodes.parquet');
		await this.#copy(
			'SELECT episode_index, stream, channel, native_channel, native_index, "max", "min", "mean", "std" FROM aggregate JOIN channel USING (place)',
			'channels.parquet',
		);
		this.#connection.closeSync();
		await writeFile(path.join(this.#folder, 'dataset.json'), JSON.stringify(dataset));
	}

	async #copy(query: string, name: string): Promise<void> {
		const file = path.join(this.#folder, name);
		await this.#connection.run(`COPY (${query}) TO ${quotedString(file)} (FORMAT parquet)`);
	}
}

async function writeChannelNames(connection: DuckDBConnection, channels: readonly Channel[]): Promise<void> {
	await connection.run(
		'CREATE TABLE channel (place UINTEGER, stream VARCHAR, channel VARCHAR, native_channel VARCHAR, native_index UINTEGER)',
	);
	const appender = await connection.createAppender('channel');
	for (const [place, {stream, name, nativeName, nativeIndex}] of channels.entries()) {
		appender.appendUInteger(place);
		appender.appendVarchar(stream);
		appender.appendVarchar(name);
		appender.appendVarchar(nativeName);
		appender.appendUInteger(nativeIndex);
		appender.endRow();
	}
	appender.closeSync();
}

type Cell = string | number | bigint | DuckDBListValue | null;

/** A table that takes rows and hands them to DuckDB chunk by chunk. */
class Table {
	readonly #types: readonly DuckDBType[];
	readonly #appender: DuckDBAppender;
	readonly #columns: Cell[][];
	#rows = 0;

	private constructor(types: readonly DuckDBType[], appender: DuckDBAppender) {
		this.#types = types;
		this.#appender = appender;
		this.#columns = types.map(() => []);
	}

	static async create(
		connection: DuckDBConnection,
		name: string,
		columns: readonly (readonly [string, DuckDBType])[],
	): Promise<Table> {
		const declared = columns.map(([column, type]) => `"${column}" ${type}`).join(', ');
		await connection.run(`CREATE TABLE ${name} (${declared})`);
		return new Table(
			columns.map(([, type]) => type),
			await connection.createAppender(name),
		);
	}

	append(row: readonly Cell[]): void {
		for (let column = 0; column < row.length; column++) {
			(this.#columns[column] as Cell[]).push(row[column] as Cell);
		}
		if (++this.#rows === maxChunkRows) this.#flush();
	}

	close(): void {
		if (this.#rows > 0) this.#flush();
		this.#appender.closeSync();
	}

	#flush(): void {
		const chunk = DuckDBDataChunk.create(this.#types, this.#rows);
		chunk.setColumns(this.#columns);
		this.#appender.appendDataChunk(chunk);
		for (const column of this.#columns) column.length = 0;
		this.#rows = 0;
	}
}
