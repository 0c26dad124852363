import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {heldMetrics} from '../../../contract/metrics.ts';
import {bandOf, bandSlots, slotColumns} from '../channel-slots.ts';
import type {Publication, Published} from '../engine.ts';
import {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import {publish} from './publish.ts';
import {prepareSchema} from './schema.ts';
import {bandTable} from './slot-bands.ts';

/** Columns that a row may bring into a draft, with their types and how they are read from JSON. */
const types: Readonly<Record<string, string>> = {
	tags: 'VARCHAR[]',
	cameras: 'VARCHAR[]',
	dataset_key: 'INTEGER',
	profile_key: 'INTEGER',
	layout_key: 'INTEGER',
	slot: 'INTEGER',
	native_index: 'UINTEGER',
	row_key: 'BIGINT',
	episode_index: 'UINTEGER',
	generation: 'BIGINT',
	episode_count: 'BIGINT',
	frame_count: 'VARCHAR',
	duration_s: 'DOUBLE',
	quality_score: 'DOUBLE',
	doubt: 'DOUBLE',
	created_at: 'BIGINT',
	updated_at: 'BIGINT',
	row_base: 'BIGINT',
	profile_base: 'INTEGER',
	profile_count: 'INTEGER',
	...Object.fromEntries(heldMetrics.map(name => [name, name === 'frame_count' ? 'VARCHAR' : 'DOUBLE'])),
};

/** Rows that are taken in, or given, at once. */
const rowsAtOnce = 8192;

/** A dataset's row in a draft, without what the publication itself says. */
export type DraftDataset = {
	dataset_key: number;
	dataset_version_id: string;
	folder: string;
	subtype: string;
	format: string | null;
	robot_type: string | null;
	fps: number | null;
	interface_hash: string | null;
	cameras: string[];
	features: string;
	metadata: string | null;
	siblings: string | null;
	problems: string;
	episode_count: bigint;
	frame_count: bigint;
	duration_s: number;
	created_at: bigint;
	updated_at: bigint;
	row_base: bigint;
	layout_key: number;
};

export type DraftProfile = {
	profile_key: number;
	task: string | null;
	tier: string | null;
	marker_signature: string | null;
	tags: string[];
	episodes: bigint;
	frames: bigint;
	seconds: number;
};

/**
 * A publication for an engine elsewhere, worked out in a DuckDB file of its own: it takes what the lake holds that the
 * publication looks at, publishes, and gives the rows that came of it. So what a publication checks, counts, inherits and
 * says is the same for every engine.
 */
export class PublicationDraft {
	readonly #database: Database;
	readonly #connection: DuckDBConnection;

	private constructor(database: Database, connection: DuckDBConnection) {
		this.#database = database;
		this.#connection = connection;
	}

	/** @param file is removed when the draft is closed; one that was left is removed first */
	static async open(file: string, stagingFolder: string): Promise<PublicationDraft> {
		await removeFile(file);
		const database = await Database.open(file, stagingFolder);
		const connection = await database.connect();
		await prepareSchema(database, connection);
		return new PublicationDraft(database, connection);
	}

	/** The names of the datasets that staged episodes descend from; none of a file that cannot be read. */
	async parents(staging: string): Promise<string[]> {
		const bound = new Parameters();
		const file = bound.text(path.join(staging, 'episodes.parquet'));
		const sql = `SELECT DISTINCT parent_dataset FROM read_parquet(${file}) WHERE parent_dataset IS NOT NULL`;
		const found = await this.#database
			.rows<{parent_dataset: string}>(this.#connection, sql, bound)
			// Publishing says what the file is not.
			.catch(() => []);
		return found.map(({parent_dataset}) => parent_dataset);
	}

	/** Takes rows of the lake in. */
	async take(
		table: 'dataset' | 'profile' | 'channel' | 'episode',
		rows: ReadonlyArray<Record<string, unknown>>,
	): Promise<void> {
		for (let from = 0; from < rows.length; from += rowsAtOnce) {
			const some = rows.slice(from, from + rowsAtOnce);
			const names = Object.keys(some[0] ?? {});
			const structure = JSON.stringify([
				Object.fromEntries(names.map(name => [name, types[name] ?? 'VARCHAR'])),
			]);
			const values = names.map(name => {
				if (name === 'revision') return `from_hex(one.revision) AS revision`;
				return `one.${name} AS ${name}`;
			});
			const bound = new Parameters();
			await this.#database.run(
				this.#connection,
				`INSERT INTO ${table} BY NAME SELECT ${values.join(', ')} FROM (
					SELECT unnest(from_json(${bound.text(JSON.stringify(some))}::JSON, ${bound.text(structure)})) AS one
				)`,
				bound,
			);
		}
	}

	async publish(publication: Publication): Promise<Published> {
		return await publish(this.#database, this.#connection, publication);
	}

	async dataset(name: string): Promise<DraftDataset> {
		const bound = new Parameters();
		const sql = `SELECT * FROM dataset WHERE dataset_name = ${bound.text(name)}`;
		const [found] = await this.#database.rows<DraftDataset>(this.#connection, sql, bound);
		if (!found) throw new Error(`The draft of ${name} holds no such dataset.`);
		return found;
	}

	/** The channels of a layout, in the order of their slots. */
	async channels(layout: number) {
		return await this.#database.rows<{
			slot: number;
			stream: string;
			channel: string;
			native_channel: string;
			native_index: number;
		}>(
			this.#connection,
			`SELECT slot, stream, channel, native_channel, native_index FROM channel WHERE layout_key = ${layout} ORDER BY slot`,
		);
	}

	/** The profiles of a dataset, with what their episodes sum up to. */
	async profiles({dataset_key}: DraftDataset): Promise<DraftProfile[]> {
		return await this.#database.rows<DraftProfile>(
			this.#connection,
			`SELECT profile_key, task, tier, marker_signature, tags, count(*)::HUGEINT AS episodes,
				sum(frame_count)::HUGEINT AS frames, sum(duration_s) AS seconds
			FROM episode JOIN profile USING (profile_key) WHERE episode.dataset_key = ${dataset_key}
			GROUP BY ALL ORDER BY profile_key`,
		);
	}

	/** The episodes of a dataset in the order of their indices, with the slots of the first band that a layout has. */
	episodes(dataset: DraftDataset, columns: readonly string[]): AsyncGenerator<unknown[]> {
		const values = columns.map(column => {
			if (column === 'episode_id') return 'e.episode_id::VARCHAR AS episode_id';
			if (column === 'revision') return "coalesce(lower(hex(e.revision)), '') AS revision";
			if (column === 'review_state')
				return 'coalesce(e.ingested_state, e.review_state)::VARCHAR AS review_state';
			return `e.${column}`;
		});
		return this.#inParts(dataset, columns, `SELECT ${values.join(', ')} FROM episode e`);
	}

	/** The slots of a band beyond the first. */
	slots(dataset: DraftDataset, band: number, slots: readonly number[]): AsyncGenerator<unknown[]> {
		const columns = slots.flatMap(slot => slotColumns(slot, slot + 1));
		return this.#inParts(
			dataset,
			['episode_index', ...columns],
			`SELECT e.episode_index, ${columns.map(column => `b.${column}`).join(', ')}
			FROM episode e JOIN ${bandTable(band)} b ON b.row_key = e.row_key`,
		);
	}

	async *#inParts(
		{dataset_key, row_base, episode_count}: DraftDataset,
		columns: readonly string[],
		select: string,
	): AsyncGenerator<unknown[]> {
		const end = Number(row_base) + Number(episode_count);
		for (let from = Number(row_base); from < end; from += rowsAtOnce) {
			const rows = await this.#database.rows<Record<string, unknown>>(
				this.#connection,
				`${select} WHERE e.dataset_key = ${dataset_key} AND e.row_key >= ${from} AND e.row_key < ${from + rowsAtOnce}
				ORDER BY e.row_key`,
			);
			for (const row of rows) yield columns.map(column => row[column]);
		}
	}

	async close(): Promise<void> {
		this.#connection.closeSync();
		this.#database.close();
		await removeFile(this.#database.file);
	}
}

/** The slots of a layout by their band. */
export function slotsByBand(channels: ReadonlyArray<{slot: number}>): Map<number, number[]> {
	const slots = channels.map(({slot}) => slot).sort((a, b) => a - b);
	return Map.groupBy(slots, bandOf);
}

/** The columns of these slots in the table of their band, whichever band that is. */
export const columnsInBand = (slots: readonly number[]) =>
	slots.flatMap(slot => slotColumns(slot % bandSlots, (slot % bandSlots) + 1));

async function removeFile(file: string): Promise<void> {
	for (const each of [file, `${file}.wal`]) await rm(each, {force: true});
	await rm(`${file}.tmp`, {recursive: true, force: true});
}
