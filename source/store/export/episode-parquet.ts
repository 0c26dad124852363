import {createReadStream} from 'node:fs';
import path from 'node:path';
import {
	BIGINT,
	DOUBLE,
	DuckDBDataChunk,
	DuckDBInstance,
	type DuckDBType,
	type DuckDBValue,
	LIST,
	listValue,
	VARCHAR,
} from '@duckdb/node-api';
import {type LakeEpisode, lakeEpisode} from '../../contract/episode.ts';
import {exactJson} from '../../contract/json-text.ts';
import {heldMetrics} from '../../contract/metrics.ts';

/** A column of the parquet form. */
type Column = {
	readonly name: string;
	readonly type: DuckDBType;
	readonly read: (episode: LakeEpisode) => unknown;
};

/** The types of an episode's own fields. What may hold anything is JSON in a text. */
const fieldTypes = {
	episode_id: VARCHAR,
	dataset_id: VARCHAR,
	dataset_name: VARCHAR,
	episode_index: BIGINT,
	task: VARCHAR,
	tier: VARCHAR,
	frame_count: BIGINT,
	duration_seconds: DOUBLE,
	quality_score: DOUBLE,
	thumb_url: VARCHAR,
	interface_hash: VARCHAR,
	tags: LIST(VARCHAR),
	review_state: VARCHAR,
	metrics: 'a column each',
	dataset_version_id: VARCHAR,
	parent_episode_id: VARCHAR,
	parent_episode_index: BIGINT,
	parent_dataset_name: VARCHAR,
	member_ordinal: BIGINT,
	episode_revision_id: VARCHAR,
	channel_predicate_evidence: VARCHAR,
} as const satisfies Record<keyof typeof lakeEpisode.shape, DuckDBType | string>;

const fields = Object.keys(lakeEpisode.shape) as (keyof typeof fieldTypes)[];

const isNumber = (value: unknown): value is number | bigint =>
	typeof value === 'number' || typeof value === 'bigint';

/** JSON of some entries; undefined for none. */
function jsonOf(entries: ReadonlyArray<readonly [string, unknown]>): string | undefined {
	return entries.length > 0 ? exactJson(Object.fromEntries(entries)) : undefined;
}

/** The metrics of another service, and values that are no numbers. */
function otherMetrics({metrics}: LakeEpisode): string | undefined {
	const isHeld = (name: string, value: unknown) =>
		value === null || (isNumber(value) && (heldMetrics as readonly string[]).includes(name));
	return jsonOf(Object.entries(metrics ?? {}).filter(([name, value]) => !isHeld(name, value)));
}

const metricColumns: readonly Column[] = [
	...heldMetrics.map(name => ({
		name,
		type: DOUBLE,
		read: ({metrics}: LakeEpisode) => (isNumber(metrics?.[name]) ? metrics[name] : null),
	})),
	{name: 'other_metrics', type: VARCHAR, read: otherMetrics},
];

/** The fields as JSON lines have them, in their order; a metric is a column of its own. */
const columns: readonly Column[] = [
	...fields.flatMap((name): readonly Column[] => {
		const type = fieldTypes[name];
		return typeof type === 'string' ? metricColumns : [{name, type, read: episode => episode[name]}];
	}),
	{
		name: 'other_fields',
		type: VARCHAR,
		read: episode => jsonOf(Object.entries(episode).filter(([name]) => !Object.hasOwn(fieldTypes, name))),
	},
];

function itemOf(value: unknown, type: DuckDBType): DuckDBValue {
	if (value === undefined || value === null) return null;
	if (type === BIGINT) return BigInt(value as number | bigint);
	if (type === DOUBLE) return Number(value);
	if (type === VARCHAR) return typeof value === 'string' ? value : exactJson(value);
	return listValue(value as readonly string[]);
}

/** DuckDB's vector size. */
const chunkRows = 2048;

/** Rows that an appender holds in memory; left to itself it gathers 204,800. */
const flushedRows = 8192;

/** More than this, and DuckDB uses the disk. */
const memoryLimit = '128MB';

/**
 * Pages of episodes as the bytes of one parquet file. The rows gather in a database on the disk, since a parquet file ends
 * with what is known of all of it.
 *
 * @param scratch a folder for files that are of no use afterwards
 */
export async function* parquetPieces(
	pages: AsyncIterable<readonly LakeEpisode[]>,
	scratch: string,
): AsyncGenerator<Uint8Array, void> {
	const file = path.join(scratch, 'episodes.parquet');
	const instance = await DuckDBInstance.create(path.join(scratch, 'episodes.duckdb'), {
		threads: '1',
		memory_limit: memoryLimit,
		temp_directory: scratch,
		autoinstall_known_extensions: 'false',
		autoload_known_extensions: 'false',
	});
	try {
		const connection = await instance.connect();
		const declared = columns.map(({name, type}) => `"${name}" ${type}`).join(', ');
		await connection.run(`CREATE TABLE episodes (${declared})`);
		const appender = await connection.createAppender('episodes');
		// One serves all rows: its memory lies outside of V8's heap, which does not collect a chunk for being large.
		const chunk = DuckDBDataChunk.create(columns.map(({type}) => type));
		let waiting = 0;
		for await (const episodes of pages) {
			for (let from = 0; from < episodes.length; from += chunkRows) {
				const rows = episodes.slice(from, from + chunkRows);
				chunk.reset();
				chunk.setColumns(columns.map(({read, type}) => rows.map(row => itemOf(read(row), type))));
				appender.appendDataChunk(chunk);
				waiting += rows.length;
				if (waiting < flushedRows) continue;
				appender.flushSync();
				waiting = 0;
			}
		}
		appender.closeSync();
		const into = `'${file.replaceAll("'", "''")}'`;
		await connection.run(
			`COPY episodes TO ${into} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 16384)`,
		);
		connection.closeSync();
	} finally {
		instance.closeSync();
	}
	yield* createReadStream(file) as AsyncIterable<Uint8Array>;
}
