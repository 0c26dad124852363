import {heldMetrics} from '../../../contract/metrics.ts';
import {bandSlots, slotColumns} from '../channel-slots.ts';
import {LakeError} from '../engine.ts';
import {text, texts} from './literals.ts';
import type {Server} from './server.ts';

/** The version of the tables that this program reads and writes. */
const schemaVersion = 1;

/** The least version of ClickHouse whose statements are used. */
const leastVersion = [24, 8] as const;

/** The columns of the slots of a band, by their place in it. */
export const slotNames = slotColumns(0, bandSlots);

/** How a table is kept in a cluster: whole on every server, or spread by the dataset that a row is of. */
type Table = {
	readonly columns: string;
	readonly order: string;
	readonly isSpread?: true;
	readonly index?: string;
};

const slots = slotNames.map(column => `${column} Nullable(Float64)`);

/**
 * The tables of a lake, the same star as the embedded engine's. A publication has a `generation_key` of its own, which its
 * rows in `episode`, `profile` and `slots` carry; it is in the lake once `dataset` has its row. `claim` gives each
 * publication of a name an `edition` that no other has, and of a dataset's rows that of the last edition counts.
 */
export const tables: Readonly<Record<string, Table>> = {
	lake: {
		columns: 'schema_version UInt32, metric_columns Array(String), cluster String, written DateTime64(3)',
		order: 'written',
	},
	claim: {
		columns:
			'dataset_name String, edition UInt64, generation_key UInt64, claimed DateTime64(3) DEFAULT now64(3)',
		order: '(dataset_name, edition)',
	},
	dataset: {
		columns: `dataset_id String, edition UInt64, is_removed UInt8, generation_key UInt64, written DateTime64(3) DEFAULT now64(3),
			dataset_name String, dataset_version_id String, generation UInt64, folder String, subtype String,
			format Nullable(String), robot_type Nullable(String), fps Nullable(Float64), interface_hash Nullable(String),
			cameras Array(String), features String, metadata Nullable(String), siblings Nullable(String), problems String,
			episode_count UInt64, changed_episodes Nullable(UInt64), frame_count UInt128, duration_s Float64,
			created_at Int64, updated_at Int64, layout_key UInt64, path_folded String`,
		order: '(dataset_id, edition)',
	},
	channel: {
		columns: `layout_key UInt64, slot UInt32, stream LowCardinality(String), channel String, native_channel String,
			native_index UInt32`,
		order: '(layout_key, slot)',
	},
	review: {
		columns: `dataset_name String, revision String, state LowCardinality(String), sequence UInt64, writer UUID,
			written DateTime64(3) DEFAULT now64(3)`,
		order: '(dataset_name, revision, sequence)',
	},
	profile: {
		columns: `generation_key UInt64, profile_key UInt32, task Nullable(String), tier LowCardinality(Nullable(String)),
			marker_signature Nullable(String), tags Array(String), task_folded String, tags_folded Array(String),
			dataset_id String, dataset_name String, name_folded String, interface_hash Nullable(String),
			robot_type Nullable(String), episodes UInt64, frames UInt128, seconds Float64`,
		order: '(generation_key, profile_key)',
		isSpread: true,
	},
	episode: {
		columns: `generation_key UInt64, episode_index UInt32, profile_key UInt32, layout_key UInt64,
			dataset_name LowCardinality(String), episode_id UUID, revision String, review_state LowCardinality(String),
			parent_dataset Nullable(String), parent_episode_index Nullable(Int32), member_ordinal Nullable(Int64),
			frame_count UInt64, duration_s Float64, quality_score Nullable(Float64), doubt Nullable(Float64),
			details Nullable(String), ${[...ownMetrics().map(metricColumn), ...slots].join(', ')}`,
		order: '(generation_key, episode_index)',
		isSpread: true,
		index: 'INDEX by_id episode_id TYPE bloom_filter GRANULARITY 4',
	},
	slots: {
		columns: `dataset_name LowCardinality(String), generation_key UInt64, band UInt16, episode_index UInt32, ${slots.join(', ')}`,
		order: '(generation_key, band, episode_index)',
		isSpread: true,
	},
};

/** The metrics that are not columns of every episode anyway. */
function ownMetrics(): string[] {
	return heldMetrics.filter(name => !/^(frame_count|duration_s|quality_score)$/.test(name));
}

function metricColumn(name: string): string {
	return `${name} Nullable(Float64)`;
}

const clusterName = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * The statements that make the tables: of one server, or of a cluster, where the wide tables are spread by dataset and
 * the small ones are kept whole on every server.
 *
 * @throws RangeError for a name that no cluster can have
 */
export function ddl(cluster?: string): string[] {
	if (cluster !== undefined && !clusterName.test(cluster)) {
		throw new RangeError(`${cluster} is no name of a cluster.`);
	}
	return Object.entries(tables).flatMap(([name, {columns, order, isSpread, index}]) => {
		const body = `(${columns}${index ? `, ${index}` : ''})`;
		if (cluster === undefined) {
			return [`CREATE TABLE IF NOT EXISTS ${name} ${body} ENGINE = MergeTree ORDER BY ${order}`];
		}
		const local = isSpread ? `${name}_local` : name;
		const shard = isSpread ? '{shard}' : 'all';
		const on = `ON CLUSTER '${cluster}'`;
		const kept = `CREATE TABLE IF NOT EXISTS ${local} ${on} ${body}
			ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/${local}/${shard}', '{replica}') ORDER BY ${order}`;
		if (!isSpread) return [kept];
		return [
			kept,
			`CREATE TABLE IF NOT EXISTS ${name} ${on} AS ${local}
			ENGINE = Distributed('${cluster}', currentDatabase(), '${local}', cityHash64(dataset_name))`,
		];
	});
}

/** The row that says that the tables are those of this program. */
export function stateRow(cluster = ''): string {
	return `INSERT INTO lake (schema_version, metric_columns, cluster, written)
		VALUES (${schemaVersion}, ${texts(heldMetrics)}, ${text(cluster)}, now64(3))`;
}

/** The state of a lake's tables: missing, of this program, or short of metrics that came since. */
export type SchemaState = {
	readonly exists: boolean;
	readonly missing: readonly string[];
	readonly cluster: string;
};

/**
 * Looks whether a server is one that can hold a lake, and what its database holds.
 *
 * @throws LakeError `failed` for a server that is too old or none, `not-a-lake` for another program's tables, `newer`
 */
export async function inspect(server: Server): Promise<SchemaState> {
	await requireVersion(server);
	const names = await server.rows<{name: string}>(
		'SELECT name FROM system.tables WHERE database = currentDatabase()',
	);
	if (names.length === 0) return {exists: false, missing: [], cluster: ''};
	const absent = Object.keys(tables).filter(table => !names.some(({name}) => name === table));
	if (absent.includes('lake')) {
		throw new LakeError(
			'not-a-lake',
			`${server.name} holds tables of another program: name a database of its own for the lake.`,
		);
	}
	const [state] = await server.rows<{schema_version: number; metric_columns: string[]; cluster: string}>(
		'SELECT schema_version, metric_columns, cluster FROM lake ORDER BY written DESC LIMIT 1',
	);
	if (state === undefined || absent.length > 0) return {exists: false, missing: [], cluster: ''};
	if (state.schema_version > schemaVersion) {
		throw new LakeError(
			'newer',
			`${server.name} has version ${state.schema_version}, and this lakescope reads versions up to ${schemaVersion}: update lakescope.`,
		);
	}
	return {
		exists: true,
		missing: heldMetrics.filter(name => !state.metric_columns.includes(name)),
		cluster: state.cluster,
	};
}

async function requireVersion(server: Server): Promise<void> {
	const [found] = await server.rows<{version?: unknown}>('SELECT version() AS version');
	const version = String(found?.version ?? '');
	const [major, minor] = version.split('.').map(Number);
	if (major === undefined || minor === undefined || !Number.isInteger(major) || !Number.isInteger(minor)) {
		throw new LakeError(
			'failed',
			`${server.name} does not answer as ClickHouse does: see whether the address is right.`,
		);
	}
	const [leastMajor, leastMinor] = leastVersion;
	if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
	throw new LakeError(
		'failed',
		`${server.name} is ClickHouse ${version}, and lakescope needs ${leastVersion.join('.')} or later: update the server.`,
	);
}

/** Makes what is missing of the tables. */
export async function prepareSchema(server: Server, cluster?: string): Promise<SchemaState> {
	const found = await inspect(server);
	if (!found.exists) {
		for (const statement of ddl(cluster)) await server.run(statement);
		await server.run(stateRow(cluster));
		return {exists: true, missing: [], cluster: cluster ?? ''};
	}
	if (found.missing.length === 0) return found;
	for (const name of found.missing) {
		const add = (table: string, on = '') =>
			server.run(`ALTER TABLE ${table} ${on} ADD COLUMN IF NOT EXISTS ${metricColumn(name)}`);
		if (found.cluster === '') await add('episode');
		else {
			await add('episode_local', `ON CLUSTER '${found.cluster}'`);
			await add('episode', `ON CLUSTER '${found.cluster}'`);
		}
	}
	await server.run(stateRow(found.cluster));
	return {...found, missing: []};
}
