import {Readable} from 'node:stream';
import type {ClickHouseClient, ClickHouseSettings} from '@clickhouse/client';
import {LakeError} from '../engine.ts';
import {asLakeError} from './clickhouse-error.ts';

/** Options that a client of this engine must be made with: values are written exactly as they were. */
export const clientOptions = {
	json: {parse: JSON.parse as <T>(text: string) => T, stringify: rowText as <T>(row: T) => string},
};

/** For every statement. Filters and lists of generations are longer than what a server takes by default. */
const settings: ClickHouseSettings = {
	max_query_size: String(256 * 1024 * 1024),
	max_ast_elements: '10000000',
	max_expanded_ast_elements: '10000000',
	output_format_json_quote_64bit_integers: 0,
	// A dataset lies whole in one shard, so what is joined or looked up is beside it.
	distributed_product_mode: 'local',
};

/** A float is stored as the one it was, not as one nearby; a row in a cluster is written before the insert returns. */
const insertSettings: ClickHouseSettings = {
	precise_float_parsing: 1,
	distributed_foreground_insert: 1,
	async_insert: 0,
};

/** A database of a ClickHouse server: statements that fail do so with a LakeError that names it. */
export class Server {
	/** The lake in sentences, without a password. */
	readonly name: string;
	readonly #client: ClickHouseClient;
	readonly #running = new Set<Promise<unknown>>();
	#closed = false;

	constructor(client: ClickHouseClient, name: string) {
		this.#client = client;
		this.name = name;
	}

	/** Runs a statement and gives its rows. Whole numbers beyond 2^53 must be asked for as text. */
	async rows<Row>(query: string): Promise<Row[]> {
		return await this.#tracked(async () => {
			const result = await this.#client.query({
				query,
				format: 'JSONEachRow',
				clickhouse_settings: settings,
			});
			return await result.json<Row>();
		});
	}

	/** Runs a statement for its effect. */
	async run(query: string): Promise<void> {
		await this.#tracked(() => this.#client.command({query, clickhouse_settings: settings}));
	}

	/** Writes rows, each its values in the order of the columns. */
	async insert(
		table: string,
		columns: readonly [string, ...string[]],
		rows: AsyncIterable<unknown[]> | Iterable<unknown[]>,
	): Promise<void> {
		await this.#tracked(() =>
			this.#client.insert({
				table,
				columns: [...columns] as [string, ...string[]],
				values: Readable.from(rows, {objectMode: true}),
				format: 'JSONCompactEachRow',
				clickhouse_settings: {...settings, ...insertSettings},
			}),
		);
	}

	/** Takes no more statements, waits for what runs, and disconnects. */
	async close(): Promise<void> {
		this.#closed = true;
		await Promise.allSettled(this.#running);
		await this.#client.close();
	}

	async #tracked<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.#closed) throw new LakeError('closed', 'The lake is closed: start the service again.');
		const running = work();
		this.#running.add(running);
		try {
			return await running;
		} catch (error) {
			throw asLakeError(error, this.name);
		} finally {
			this.#running.delete(running);
		}
	}
}

/** A row as JSON; -0 stays -0, and a number that JSON has no word for is null. */
function rowText(row: unknown): string {
	return Array.isArray(row) ? `[${row.map(valueText).join(',')}]` : JSON.stringify(row);
}

function valueText(value: unknown): string {
	if (typeof value === 'bigint') return value.toString();
	if (Object.is(value, -0)) return '-0';
	if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
	return JSON.stringify(value ?? null);
}
