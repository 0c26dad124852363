import {randomUUID} from 'node:crypto';
import {mkdir, open, readdir, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {reasonOf} from './dataset-error.ts';
import {defaultDataPath, defaultVideoPath, infoPath, statsPath} from './layout.ts';
import {DatasetRows} from './write-dataset-rows.ts';
import {checkDescription, type DatasetToWrite, type EpisodeToWrite, videoKeys} from './write-description.ts';
import {allFeatures} from './write-frames.ts';

type WriteOptions = {
	readonly signal?: AbortSignal;
	/** Called after each episode with the number written so far. */
	readonly onEpisode?: (written: number) => void;
	/** Called on the finished folder before it is renamed; it may add to the dataset or change it. */
	readonly beforePublish?: (folder: string, connection: DuckDBConnection) => Promise<void>;
};

type WrittenDataset = {readonly totalEpisodes: number; readonly totalFrames: number};

/**
 * Writes a LeRobot v3.0 dataset: `meta/info.json`, `meta/stats.json`, `meta/tasks.parquet` (and
 * `subtasks.parquet`), `meta/episodes/…`, `data/…`, and README.md where there is a card. Videos are declared by
 * the episodes' spans; their files are the caller's.
 *
 * The folder appears whole or not at all: it is written beside its place (`.NAME.partial-PID-…`) and renamed at
 * the end. One episode is held in memory besides the rows of the file that is open.
 *
 * @param folder must not exist yet.
 * @throws {Error} that names the folder, and the episode where one is at fault; the signal's reason on abort.
 */
export async function writeDataset(
	folder: string,
	dataset: DatasetToWrite,
	episodes: AsyncIterable<EpisodeToWrite> | Iterable<EpisodeToWrite>,
	options: WriteOptions = {},
): Promise<WrittenDataset> {
	const {signal} = options;
	signal?.throwIfAborted();
	checkDescription(dataset);
	if (await stat(folder).catch(() => undefined)) {
		throw new Error(`${folder} already exists; a dataset is only written to a new folder.`);
	}
	const partial = partialFolder(folder);
	try {
		await mkdir(path.join(partial, 'meta'), {recursive: true});
		const written = await withDatabase(async connection => {
			const totals = await writeContent(partial, dataset, episodes, connection, options);
			await options.beforePublish?.(partial, connection);
			return totals;
		});
		signal?.throwIfAborted();
		await flushToDisk(partial);
		await rename(partial, folder);
		return written;
	} catch (cause) {
		// If this fails too, the first failure is still the one to report.
		await rm(partial, {recursive: true, force: true}).catch(() => undefined);
		if (signal?.aborted && cause === signal.reason) throw cause;
		throw new Error(`The dataset ${folder} could not be written: ${reasonOf(cause)}`, {cause});
	}
}

/**
 * Removes unfinished folders that killed writers left beside `folder`.
 *
 * @returns the folders removed.
 */
export async function removePartials(folder: string): Promise<string[]> {
	const parent = path.dirname(folder);
	const prefix = `.${path.basename(folder)}.partial-`;
	const removed: string[] = [];
	for (const name of await readdir(parent).catch(() => [])) {
		if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue;
		await rm(path.join(parent, name), {recursive: true, force: true});
		removed.push(path.join(parent, name));
	}
	return removed;
}

/** A new name for what is written beside `folder` before it becomes it; `removePartials` knows such names. */
export function partialFolder(folder: string): string {
	return path.join(path.dirname(folder), `.${path.basename(folder)}.partial-${process.pid}-${randomUUID()}`);
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

async function withDatabase<Result>(
	work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
	// One thread: the files' bytes then follow from their content alone.
	const instance = await DuckDBInstance.create(':memory:', {threads: '1'});
	const connection = await instance.connect();
	try {
		return await work(connection);
	} finally {
		connection.closeSync();
		instance.closeSync();
	}
}

async function writeContent(
	root: string,
	dataset: DatasetToWrite,
	episodes: AsyncIterable<EpisodeToWrite> | Iterable<EpisodeToWrite>,
	connection: DuckDBConnection,
	{signal, onEpisode}: WriteOptions,
): Promise<WrittenDataset> {
	const rows = new DatasetRows(root, dataset, connection);
	for await (const episode of episodes) {
		signal?.throwIfAborted();
		await rows.add(episode);
		onEpisode?.(rows.totalEpisodes);
		// Computing episodes must not keep a service that writes a dataset from answering.
		await setImmediate();
	}
	if (rows.totalEpisodes === 0) throw new Error('there was no episode to write');
	await rows.close();
	await writeFile(path.join(root, statsPath), json(await rows.wholeStats()));
	await writeFile(path.join(root, infoPath), json(info(dataset, rows)));
	if (dataset.card !== undefined) await writeFile(path.join(root, 'README.md'), dataset.card);
	return {totalEpisodes: rows.totalEpisodes, totalFrames: rows.totalFrames};
}

function info(dataset: DatasetToWrite, rows: DatasetRows): object {
	return {
		codebase_version: 'v3.0',
		robot_type: dataset.robotType,
		total_episodes: rows.totalEpisodes,
		total_frames: rows.totalFrames,
		total_tasks: rows.totalTasks,
		chunks_size: dataset.chunksSize ?? 1000,
		data_files_size_in_mb: dataset.dataFilesSizeInMb ?? 100,
		video_files_size_in_mb: dataset.videoFilesSizeInMb ?? 500,
		fps: dataset.fps,
		splits: dataset.splits ?? {train: `0:${rows.totalEpisodes}`},
		data_path: defaultDataPath,
		video_path: videoKeys(dataset.features).length > 0 ? defaultVideoPath : null,
		features: allFeatures(dataset),
	};
}

function json(value: unknown): string {
	return `${JSON.stringify(value, null, 4)}\n`;
}

/** Without this, a power cut after the rename could leave a folder of empty files that looks complete. */
async function flushToDisk(folder: string): Promise<void> {
	for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
		if (!entry.isFile()) continue;
		const file = await open(path.join(entry.parentPath, entry.name), 'r');
		await file.sync().finally(() => file.close());
	}
}
