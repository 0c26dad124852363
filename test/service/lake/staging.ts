import {randomUUID} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {
	BIGINT,
	DOUBLE,
	type DuckDBConnection,
	DuckDBInstance,
	type DuckDBType,
	type DuckDBValue,
	INTEGER,
	LIST,
	listValue,
	UBIGINT,
	UINTEGER,
	VARCHAR,
} from '@duckdb/node-api';
import {heldMetrics} from '../../../source/contract/metrics.ts';
import type {ModelDataset, ModelEpisode} from './lake-model.ts';

/** Columns of a staged file: name, type and value of a row. */
type Column<Row> = [name: string, type: DuckDBType, value: (row: Row) => DuckDBValue];

/** Looked up as it is staged: a test may know a metric more than the others. */
const episodeColumns = (): Array<Column<ModelEpisode>> => [
	['episode_index', UINTEGER, row => row.episode_index],
	['episode_id', VARCHAR, row => row.episode_id],
	['revision', VARCHAR, row => row.revision],
	['task', VARCHAR, row => row.task],
	['tier', VARCHAR, row => row.tier],
	['frame_count', UBIGINT, row => row.frame_count],
	['duration_s', DOUBLE, row => row.duration_s],
	['quality_score', DOUBLE, row => row.quality_score],
	['review_state', VARCHAR, row => row.review_state],
	['marker_signature', VARCHAR, row => row.marker_signature],
	['tags', LIST(VARCHAR), row => listValue(row.tags)],
	['parent_dataset', VARCHAR, row => row.parent_dataset],
	['parent_episode_index', INTEGER, row => row.parent_episode_index],
	['member_ordinal', BIGINT, row => row.member_ordinal],
	...heldMetrics.map((name): Column<ModelEpisode> => [name, DOUBLE, row => row.numbers[name] ?? null]),
	['doubt', DOUBLE, row => row.numbers.doubt ?? null],
	['details', VARCHAR, row => row.details],
];

type ChannelRow = ModelEpisode['channels'][number] & {episode_index: number};

const channelColumns: Array<Column<ChannelRow>> = [
	['episode_index', UINTEGER, row => row.episode_index],
	['stream', VARCHAR, row => row.stream],
	['channel', VARCHAR, row => row.channel],
	['native_channel', VARCHAR, row => row.native_channel],
	['native_index', UINTEGER, row => row.native_index],
	['max', DOUBLE, row => row.max],
	['min', DOUBLE, row => row.min],
	['mean', DOUBLE, row => row.mean],
	['std', DOUBLE, row => row.std],
];

/** Writes what an ingest hands over, as its child process would. */
export class Stager {
	readonly #connection: DuckDBConnection;
	readonly #instance: DuckDBInstance;

	private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
		this.#instance = instance;
		this.#connection = connection;
	}

	static async create(): Promise<Stager> {
		const instance = await DuckDBInstance.create(':memory:', {threads: '1'});
		return new Stager(instance, await instance.connect());
	}

	/** Stages a dataset in a fresh folder under the lake's and says how to publish it. */
	async stage(lakeFolder: string, dataset: ModelDataset) {
		const staging = path.join(lakeFolder, 'staging', randomUUID());
		await mkdir(staging, {recursive: true});
		await this.#write(path.join(staging, 'episodes.parquet'), episodeColumns(), dataset.episodes);
		const channels = dataset.episodes.flatMap(({episode_index, channels}) =>
			channels.map(channel => ({...channel, episode_index})),
		);
		await this.#write(path.join(staging, 'channels.parquet'), channelColumns, channels);
		const description = {
			format: 'v3.0',
			robot_type: dataset.robot_type === undefined ? 'so101_follower' : dataset.robot_type,
			fps: 30,
			interface_hash: dataset.interface_hash,
			subtype: 'lerobot_v3',
			total_episodes: dataset.episodes.length,
			total_frames: 0,
			cameras: ['observation.images.front'],
			features: {},
			problems: [],
		};
		await writeFile(path.join(staging, 'dataset.json'), JSON.stringify(description));
		const {dataset_id, dataset_name} = dataset;
		return {dataset_id, dataset_name, folder: `/recordings/${dataset_name}`, staging};
	}

	async #write<Row>(file: string, columns: ReadonlyArray<Column<Row>>, rows: readonly Row[]): Promise<void> {
		const list = columns.map(([name, type]) => `"${name}" ${type}`).join(', ');
		await this.#connection.run(`CREATE OR REPLACE TABLE staged (${list})`);
		const appender = await this.#connection.createAppender('staged');
		for (const row of rows) {
			for (const [, type, value] of columns) appender.appendValue(value(row), type);
			appender.endRow();
		}
		appender.closeSync();
		await this.#connection.run(`COPY staged TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
	}

	close(): void {
		this.#connection.closeSync();
		this.#instance.closeSync();
	}
}
