import {rename} from 'node:fs/promises';
import {type DuckDBConnection, DuckDBListValue} from '@duckdb/node-api';
import {reasonOf} from './dataset-error.ts';
import {defaultDataPath, episodesFolder} from './layout.ts';
import {quotedIdentifier, quotedString} from './sql.ts';
import {type FrameColumn, frameChunks} from './write-columns.ts';
import {
	cameraKeys,
	type DatasetToWrite,
	type EpisodeToWrite,
	type FrameValues,
	videoKeys,
} from './write-description.ts';
import {
	type EpisodeColumn,
	type EpisodeFacts,
	episodeChunk,
	episodeColumns,
	isNumeric,
	statColumn,
} from './write-episode-columns.ts';
import {frameColumns, frameValues} from './write-frames.ts';
import {Names} from './write-names.ts';
import {type FilePlace, ParquetFiles, parquetOptions} from './write-parquet-files.ts';
import {
	asPicture,
	columnQuantiles,
	DatasetStats,
	type FeatureStats,
	featureStats,
	statNames,
} from './write-stats.ts';

/** The parquet files of a dataset while it is written, one episode after the other. */
export class DatasetRows {
	readonly #stats = new DatasetStats();
	/** Columns of cameras' statistics that not every episode fills: the dataset goes without them. */
	readonly #lacking = new Set<string>();
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
		const stats = this.#statsOf(values, episode);
		const data = await this.#data.reserve(bytesOf(values));
		for (const chunk of frameChunks(this.#frameColumns, values, episode.length))
			await this.#data.append(chunk);
		await this.#addFacts(episode, data, stats);
	}

	#statsOf(values: readonly FrameValues[], {length, pictures}: EpisodeToWrite): Map<string, FeatureStats> {
		const all = new Map<string, FeatureStats>();
		for (const [place, {name, width}] of this.#frameColumns.entries()) {
			const numbers = values[place];
			if (numbers === undefined || !ArrayBuffer.isView(numbers)) continue;
			const stats = featureStats(numbers, length, width);
			all.set(name, stats);
			this.#stats.add(name, stats);
		}
		for (const camera of cameraKeys(this.#dataset.features)) {
			const {stats, counts} = pictures?.[camera] ?? {};
			for (const stat of statNames) {
				if (!stats || stats[stat].includes(null)) this.#lacking.add(statColumn(camera, stat));
			}
			if (!stats) continue;
			all.set(camera, stats);
			this.#stats.add(camera, stats, counts);
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
		await this.#dropLacking();
		await this.#tasks.write(this.#connection, this.#root, 'task');
		if (this.#dataset.markers?.includes('frame')) {
			await this.#subtasks.write(this.#connection, this.#root, 'subtask');
		}
	}

	/** A column that some episodes fill is worse than none: readers fold it as if all did. */
	async #dropLacking(): Promise<void> {
		if (this.#lacking.size === 0) return;
		const without = [...this.#lacking].map(quotedIdentifier).join(', ');
		for (const file of this.#meta.files) {
			await this.#connection.run(
				`COPY (SELECT * EXCLUDE (${without}) FROM read_parquet(${quotedString(file)})) TO ${quotedString(`${file}.new`)} (${parquetOptions})`,
			);
			await rename(`${file}.new`, file);
		}
	}

	/**
	 * The content of `meta/stats.json`. Quantiles of numbers are of all frames, as they were written; cameras of which an
	 * episode has no statistics have none.
	 */
	async wholeStats(): Promise<Record<string, object>> {
		const numbers = this.#frameColumns.filter(isNumeric);
		const found = await columnQuantiles(this.#connection, this.#data.files, numbers, this.#totalFrames);
		for (const [name, quantiles] of found) this.#stats.setQuantiles(name, quantiles);
		const cameras = cameraKeys(this.#dataset.features).filter(
			camera => !this.#lacking.has(statColumn(camera, 'mean')),
		);
		return Object.fromEntries([
			...numbers.map(({name}) => [name, this.#stats.get(name) ?? {}]),
			...cameras.map(camera => [camera, asPicture(this.#stats.get(camera) ?? {})]),
		]);
	}
}

/** A chunk of episodes costs a vector for each of a hundred columns, so they are appended some at a time. */
const factsAtOnce = 128;

function bytesOf(columns: readonly (FrameValues | readonly unknown[])[]): number {
	return columns.reduce(
		(sum, values) => sum + (ArrayBuffer.isView(values) ? values.byteLength : bytesOfItems(values)),
		0,
	);
}

function bytesOfItems(values: readonly unknown[]): number {
	const rows = new Map<DuckDBListValue, number>();
	const bytesOfRows = (value: DuckDBListValue) => {
		const known = rows.get(value) ?? String(value).length;
		rows.set(value, known);
		return known;
	};
	return values.reduce((sum: number, value) => {
		if (value instanceof DuckDBListValue) return sum + bytesOfRows(value);
		return sum + (value instanceof Uint8Array ? value.byteLength : 8);
	}, 0);
}
