import type {DuckDBConnection} from '@duckdb/node-api';
import {reasonOf} from './dataset-error.ts';
import {defaultDataPath, episodesFolder} from './layout.ts';
import {type FrameColumn, frameChunks} from './write-columns.ts';
import {type DatasetToWrite, type EpisodeToWrite, type FrameValues, videoKeys} from './write-description.ts';
import {
	type EpisodeColumn,
	type EpisodeFacts,
	episodeChunk,
	episodeColumns,
} from './write-episode-columns.ts';
import {frameColumns, frameValues} from './write-frames.ts';
import {Names} from './write-names.ts';
import {type FilePlace, ParquetFiles} from './write-parquet-files.ts';
import {DatasetStats, type FeatureStats, featureStats} from './write-stats.ts';

/** The parquet files of a dataset while it is written, one episode after the other. */
export class DatasetRows {
	readonly stats = new DatasetStats();
	readonly #root: string;
	readonly #dataset: DatasetToWrite;
	readonly #connection: DuckDBConnection;
	readonly #tasks = new Names();
	readonly #subtasks = new Names();
	readonly #frameColumns: readonly FrameColumn[];
	readonly #episodeColumns: readonly EpisodeColumn[];
	readonly #data: ParquetFiles;
	readonly #meta: ParquetFiles;
	#facts: EpisodeFacts[] = [];
	#totalEpisodes = 0;
	#totalFrames = 0;

	constructor(root: string, dataset: DatasetToWrite, connection: DuckDBConnection) {
		this.#root = root;
		this.#dataset = dataset;
		this.#connection = connection;
		this.#frameColumns = frameColumns(dataset);
		this.#episodeColumns = episodeColumns(dataset, this.#frameColumns);
		const files = {
			connection,
			root,
			maxFileBytes: (dataset.dataFilesSizeInMb ?? 100) * 1024 ** 2,
			maxFilesInChunk: dataset.chunksSize ?? 1000,
		};
		this.#data = new ParquetFiles({
			...files,
			table: 'frames',
			pathTemplate: defaultDataPath,
			columns: this.#frameColumns,
		});
		this.#meta = new ParquetFiles({
			...files,
			table: 'episodes',
			pathTemplate: `${episodesFolder}/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet`,
			columns: this.#episodeColumns,
		});
	}

	get totalEpisodes(): number {
		return this.#totalEpisodes;
	}

	get totalFrames(): number {
		return this.#totalFrames;
	}

	get totalTasks(): number {
		return this.#tasks.size;
	}

	/**
	 * @throws {Error} that names the episode and its fault.
	 */
	async add(episode: EpisodeToWrite): Promise<void> {
		try {
			await this.#add(episode);
		} catch (cause) {
			throw new Error(`episode ${this.#totalEpisodes}: ${reasonOf(cause)}`, {
				cause,
			});
		}
		this.#totalEpisodes++;
		this.#totalFrames += episode.length;
	}

	async #add(episode: EpisodeToWrite): Promise<void> {
		const values = frameValues(this.#frameColumns, episode, {
			episodeIndex: this.#totalEpisodes,
			fromIndex: this.#totalFrames,
			fps: this.#dataset.fps,
			tasks: this.#tasks,
			subtasks: this.#subtasks,
		});
		const camera = videoKeys(this.#dataset.features).find(key => !episode.videos[key]);
		if (camera !== undefined) throw new Error(`it has no span for the camera "${camera}"`);
		const stats = this.#statsOf(values, episode.length);
		const data = await this.#data.reserve(bytesOf(values));
		for (const chunk of frameChunks(this.#frameColumns, values, episode.length))
			await this.#data.append(chunk);
		await this.#addFacts(episode, data, stats);
	}

	#statsOf(values: readonly FrameValues[], length: number): Map<string, FeatureStats> {
		const all = new Map<string, FeatureStats>();
		for (const [place, {name, width}] of this.#frameColumns.entries()) {
			const numbers = values[place];
			if (numbers === undefined || !ArrayBuffer.isView(numbers)) continue;
			const stats = featureStats(numbers, length, width);
			all.set(name, stats);
			this.stats.add(name, stats);
		}
		return all;
	}

	async #addFacts(episode: EpisodeToWrite, data: FilePlace, stats: Map<string, FeatureStats>): Promise<void> {
		const bytes = bytesOf([...stats.values()].flatMap(feature => Object.values(feature)));
		if (!this.#meta.hasRoomFor(bytes)) await this.#flushFacts();
		const meta = await this.#meta.reserve(bytes);
		this.#facts.push({
			// The values are in the data files already; kept here they would fill the memory.
			episode: {...episode, values: {}},
			episodeIndex: this.#totalEpisodes,
			fromIndex: this.#totalFrames,
			data,
			meta,
			stats,
		});
		if (this.#facts.length === factsAtOnce) await this.#flushFacts();
	}

	async #flushFacts(): Promise<void> {
		if (this.#facts.length === 0) return;
		await this.#meta.append(episodeChunk(this.#episodeColumns, this.#facts));
		this.#facts = [];
	}

	/** Writes the rows that are still open, and the tables of tasks and subtasks. */
	async close(): Promise<void> {
		await this.#flushFacts();
		await this.#data.close();
		await this.#meta.close();
		await this.#tasks.write(this.#connection, this.#root, 'task');
		if (this.#dataset.markers?.includes('frame')) {
			await this.#subtasks.write(this.#connection, this.#root, 'subtask');
		}
	}
}

/** A chunk of episodes costs a vector for each of a hundred columns, so they are appended some at a time. */
const factsAtOnce = 128;

function bytesOf(columns: readonly (FrameValues | readonly unknown[])[]): number {
	return columns.reduce(
		(sum, values) => sum + (ArrayBuffer.isView(values) ? values.byteLength : values.length * 8),
		0,
	);
}
