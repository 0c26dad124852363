import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import type {ExploreQuery, ExploreResponse} from '../../../contract/explore.ts';
import type {DatasetListResponse} from '../../../contract/listing.ts';
import type {ChannelList, Histogram, HistogramQuery} from '../../../contract/local-distribution.ts';
import type {LocalExploreQuery, LocalExploreResponse} from '../../../contract/local-explore.ts';
import type {Stream} from '../../../contract/vocabulary.ts';
import {count} from '../count.ts';
import type {
	DatasetDetails,
	DatasetQuery,
	EpisodePlace,
	HeldDataset,
	LakeEngine,
	LakeTotals,
	Mark,
	Publication,
	Published,
	Recording,
} from '../engine.ts';
import {RecentAnswers} from '../recent-answers.ts';
import {ConnectionPool, Database} from './database.ts';
import {listDatasets} from './dataset-list.ts';
import {removeDataset} from './dataset-rows.ts';
import {episodePlace} from './episode-place.ts';
import {explore, localExplore} from './explore.ts';
import {histogram} from './histogram.ts';
import {duckDbFiles} from './lake-files.ts';
import {Parameters} from './parameters.ts';
import type {publish} from './publish.ts';
import {recordings, rejectedOf, showReviews} from './reviews.ts';
import {prepareSchema, requireSchema} from './schema.ts';

/** Explores that run side by side; a fifth waits for one of them. */
const readers = 4;

/** The lake of a folder in DuckDB: the only code that opens its file. */
export class DuckDbLake implements LakeEngine {
	readonly #database: Database;
	readonly #readers: ConnectionPool;
	readonly #writer: ConnectionPool;
	readonly #publish: typeof publish;
	readonly #isReadOnly: boolean;
	readonly #explored = new RecentAnswers<LocalExploreResponse>();
	#closing: Promise<void> | undefined;

	private constructor(parts: {
		database: Database;
		readers: ConnectionPool;
		writer: ConnectionPool;
		publish: typeof publish;
		isReadOnly: boolean;
	}) {
		this.#isReadOnly = parts.isReadOnly;
		this.#database = parts.database;
		this.#readers = parts.readers;
		this.#writer = parts.writer;
		this.#publish = parts.publish;
	}

	/**
	 * Opens the lake of `folder`, or creates it; publications are read from `folder/staging` alone.
	 *
	 * @param work where the engine may write for a while, if the lake is to be opened without writing to it
	 * @throws LakeError `locked`, `newer`, `older`, `not-a-lake`, `denied` or `full`.
	 */
	static async open(folder: string, work?: string): Promise<DuckDbLake> {
		const root = path.resolve(folder);
		const opening = Database.open(path.join(root, duckDbFiles.database), path.join(root, 'staging'), work);
		// Publishing needs the whole contract, which loads in the time that the engine takes to open the file.
		const [database, {publish}] = await Promise.all([opening, import('./publish.ts')]);
		try {
			const writer = await database.connect();
			await (work === undefined ? prepareSchema : requireSchema)(database, writer);
			const connections = await Promise.all(Array.from({length: readers}, () => database.connect()));
			return new DuckDbLake({
				database,
				readers: new ConnectionPool(connections),
				writer: new ConnectionPool([writer]),
				publish,
				isReadOnly: work !== undefined,
			});
		} catch (error) {
			database.close();
			throw error;
		}
	}

	async explore(query: ExploreQuery): Promise<ExploreResponse> {
		return await this.#readers.use(connection => explore(this.#database, connection, query));
	}

	async histogram(query: HistogramQuery): Promise<Histogram> {
		return await this.#readers.use(connection => histogram(this.#database, connection, query));
	}

	async channels(): Promise<ChannelList> {
		return await this.#readers.use(connection => listChannels(this.#database, connection));
	}

	async localExplore(query: LocalExploreQuery): Promise<LocalExploreResponse> {
		return await this.#explored.to(query, () =>
			this.#readers.use(connection => localExplore(this.#database, connection, query)),
		);
	}

	async datasets(query: DatasetQuery, among?: readonly string[]): Promise<DatasetListResponse> {
		return await this.#readers.use(connection => listDatasets(this.#database, connection, query, among));
	}

	async details(nameOrId: string): Promise<DatasetDetails | undefined> {
		return await this.#readers.use(connection => datasetDetails(this.#database, connection, nameOrId));
	}

	async dataset(name: string): Promise<HeldDataset | undefined> {
		return await this.#held('dataset_name', name);
	}

	async datasetById(datasetId: string): Promise<HeldDataset | undefined> {
		return await this.#held('dataset_id', datasetId);
	}

	async #held(column: 'dataset_name' | 'dataset_id', value: string): Promise<HeldDataset | undefined> {
		const bound = new Parameters();
		const sql = `SELECT dataset_id, dataset_name, folder, dataset_version_id,
				generation::INTEGER AS generation, episode_count::INTEGER AS episode_count, frame_count AS total_frames,
				changed_episodes::INTEGER AS changed_episodes
			FROM dataset WHERE ${column} = ${bound.text(value)}`;
		const [found] = await this.#readers.use(connection =>
			this.#database.rows<Omit<HeldDataset, 'other_changes'>>(connection, sql, bound),
		);
		return found && {...found, other_changes: null};
	}

	async totals(): Promise<LakeTotals> {
		const [totals] = await this.#readers.use(connection =>
			this.#database.rows<{
				datasets: bigint;
				episodes: bigint;
				frames: bigint;
				duration: number;
				untrainable: bigint;
			}>(
				connection,
				`SELECT count(*) AS datasets, coalesce(sum(episode_count), 0)::HUGEINT AS episodes,
					coalesce(sum(frame_count), 0)::HUGEINT AS frames, coalesce(sum(duration_s), 0) AS duration,
					count(*) FILTER (contains(problems, '"prevents_training":true')) AS untrainable
				FROM dataset`,
			),
		);
		return {
			datasets: Number(totals?.datasets ?? 0n),
			episodes: count(totals?.episodes ?? 0n),
			frames: count(totals?.frames ?? 0n),
			duration: totals?.duration ?? 0,
			untrainable: Number(totals?.untrainable ?? 0n),
		};
	}

	async publish(publication: Publication): Promise<Published> {
		return await this.#write(connection => this.#publish(this.#database, connection, publication));
	}

	async recordings(episodeIds: readonly string[]): Promise<Recording[]> {
		return await this.#readers.use(connection => recordings(this.#database, connection, episodeIds));
	}

	async rejectedOf(datasetName: string): Promise<number[]> {
		return await this.#readers.use(connection => rejectedOf(this.#database, connection, datasetName));
	}

	async place(episodeId: string): Promise<EpisodePlace | undefined> {
		return await this.#readers.use(connection => episodePlace(this.#database, connection, episodeId));
	}

	async nextOrdinal(datasetName: string): Promise<number> {
		const bound = new Parameters();
		const sql = `SELECT coalesce(max(member_ordinal) + 1, 0)::DOUBLE AS next FROM episode
			WHERE parent_dataset = ${bound.text(datasetName)}`;
		const [found] = await this.#readers.use(connection =>
			this.#database.rows<{next: number}>(connection, sql, bound),
		);
		return Math.min(found?.next ?? 0, Number.MAX_SAFE_INTEGER);
	}

	async review(marks: readonly Mark[]): Promise<void> {
		if (marks.length === 0) return;
		await this.#write(connection => showReviews(this.#database, connection, marks));
	}

	async remove(datasetId: string): Promise<boolean> {
		return await this.#write(connection => removeDataset(this.#database, connection, datasetId));
	}

	async close(): Promise<void> {
		this.#closing ??= this.#close();
		await this.#closing;
	}

	/** Writes one at a time. What was read before, or in between, is not said any more once this settles. */
	async #write<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
		try {
			return await this.#writer.use(work);
		} finally {
			this.#explored.forget();
		}
	}

	async #close(): Promise<void> {
		await this.#readers.close();
		try {
			if (!this.#isReadOnly) {
				await this.#writer.use(connection => this.#database.run(connection, 'CHECKPOINT'));
			}
		} finally {
			await this.#writer.close();
			this.#database.close();
		}
	}
}

/** Some arms with some hands each; a lake that has more names the rest when they are typed out. */
const most = 2000;

/** The channels of the lake, the most common first, and in how many episodes each may be asked for. */
export async function listChannels(database: Database, connection: DuckDBConnection): Promise<ChannelList> {
	const rows = await database.rows<{stream: Stream; channel: string; episodes: bigint}>(
		connection,
		`SELECT stream, channel, sum(episode_count)::HUGEINT AS episodes
		FROM (SELECT DISTINCT layout_key, stream, channel FROM channel) JOIN dataset USING (layout_key)
		GROUP BY stream, channel
		ORDER BY episodes DESC, stream, channel
		LIMIT ${most + 1}`,
	);
	return {
		items: rows.slice(0, most).map(row => ({...row, episodes: count(row.episodes)})),
		more: rows.length > most,
	};
}

/** The dataset of that name or id, if the lake holds one. */
export async function datasetDetails(
	database: Database,
	connection: DuckDBConnection,
	nameOrId: string,
): Promise<DatasetDetails | undefined> {
	const bound = new Parameters();
	const sql = `SELECT dataset_id, dataset_name, folder, subtype, format, fps, robot_type, cameras, features FROM dataset
		WHERE dataset_name = ${bound.text(nameOrId)} OR dataset_id = ${bound.text(nameOrId.toLowerCase())}
		ORDER BY dataset_name = ${bound.text(nameOrId)} DESC LIMIT 1`;
	const [found] = await database.rows<Omit<DatasetDetails, 'features'> & {features: string}>(
		connection,
		sql,
		bound,
	);
	return found && {...found, features: JSON.parse(found.features) as DatasetDetails['features']};
}
