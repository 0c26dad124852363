import {readFile, rename, rm} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {defaultDataPath, episodesFolder, fillTemplate} from '../lerobot/layout.ts';
import {quotedString} from '../lerobot/sql.ts';
import {partialFolder, removePartials, writeDataset} from '../lerobot/write-dataset.ts';
import type {DatasetToWrite} from '../lerobot/write-description.ts';
import {parquetOptions} from '../lerobot/write-parquet-files.ts';
import {type SampleDataset, sampleDatasets} from './datasets.ts';
import {type Film, filmToData, filmToVideos, type VideoEncoder} from './film.ts';
import {type PictureForm, robotFeatures} from './robots.ts';
import {isThere, isWritten, sampleCard, sampleMark} from './sample-card.ts';
import {episodesToWrite, lostFrames} from './sample-episodes.ts';
import {telemetryFeatures} from './telemetry.ts';

type SampleOptions = {
	/** Called with the episodes that are there, out of all that were asked for. */
	readonly onProgress?: (done: number, total: number, datasetName: string) => void;
	/** Called once a dataset is wholly there, with its folder. */
	readonly onDataset?: (datasetName: string, folder: string) => void;
	readonly signal?: AbortSignal;
	/** Encodes what the cameras see. @default pictures in the data files */
	readonly encoder?: VideoEncoder | undefined;
	/** Names of the datasets to write. @default all */
	readonly datasets?: readonly string[];
};

/**
 * Writes the sample's datasets as LeRobot v3.0 folders, `folder/NAME` each. Complete datasets are kept,
 * half-written ones are removed, and those of another version of the sample are replaced.
 *
 * @returns the datasets' folders, in order.
 * @throws {Error} where a folder of a dataset's name holds something else, or cannot be written.
 */
export async function writeSample(folder: string, options: SampleOptions = {}): Promise<string[]> {
	const {onProgress, onDataset, signal} = options;
	const asked = sampleDatasets.filter(({name}) => options.datasets?.includes(name) ?? true);
	const total = asked.reduce((sum, dataset) => sum + dataset.episodes, 0);
	const folders: string[] = [];
	let encoder = options.encoder;
	let done = 0;
	for (const dataset of asked) {
		signal?.throwIfAborted();
		const target = path.join(folder, dataset.name);
		await removePartials(target);
		if (!(await isWritten(target, dataset))) {
			await removeOlder(target);
			const onEpisode = (written: number) => onProgress?.(done + written, total, dataset.name);
			const written = encoder && (await writeWithVideos(target, dataset, encoder, {...options, onEpisode}));
			if (!written) {
				encoder = undefined;
				await writeWith(filmToData(dataset.program), 'data', target, dataset, {...options, onEpisode});
			}
		}
		done += dataset.episodes;
		onProgress?.(done, total, dataset.name);
		onDataset?.(dataset.name, target);
		folders.push(target);
	}
	return folders;
}

type WriteOptions = {readonly signal?: AbortSignal; readonly onEpisode: (written: number) => void};

/** @returns false where the encoder fails: the sample then does without videos */
async function writeWithVideos(
	target: string,
	dataset: SampleDataset,
	encoder: VideoEncoder,
	options: WriteOptions,
): Promise<boolean> {
	const film = filmToVideos(dataset.program, encoder, partialFolder(target));
	try {
		await writeWith(film, {codec: encoder.codec}, target, dataset, options);
		return true;
	} catch (error) {
		await film.abandon();
		if (film.failed) return false;
		throw error;
	}
}

async function writeWith(
	film: Film,
	form: PictureForm,
	target: string,
	dataset: SampleDataset,
	{signal, onEpisode}: WriteOptions,
): Promise<void> {
	await writeDataset(target, describe(dataset, form), episodesToWrite(dataset, film), {
		...(signal && {signal}),
		onEpisode,
		beforePublish: async (root, connection) => {
			await film.finish(root);
			await loseFrames(root, lostFrames(dataset), connection);
		},
	});
}

function describe(dataset: SampleDataset, form: PictureForm): DatasetToWrite {
	const {robot} = dataset.program;
	return {
		robotType: robot.type,
		fps: robot.fps,
		features: {...robotFeatures(robot, form), ...(dataset.telemetry && telemetryFeatures(robot))},
		...(dataset.markers && {markers: dataset.markers}),
		lineage: dataset.derivation !== undefined,
		tags: true,
		card: sampleCard(dataset),
		...(dataset.dataFilesSizeInMb && {dataFilesSizeInMb: dataset.dataFilesSizeInMb}),
	};
}

async function removeOlder(target: string): Promise<void> {
	if (!(await isThere(target))) return;
	const card = await readFile(path.join(target, 'README.md'), 'utf8').catch(() => '');
	if (!card.includes(sampleMark)) {
		throw new Error(`${target} is in the sample's way and is not part of it; move it elsewhere.`);
	}
	await rm(target, {recursive: true});
}

/**
 * Takes the last frames of some episodes out of a written dataset's data files, and leaves its metadata as it
 * is: what a crash during recording leaves behind.
 *
 * @param lost frames to lose, by episode.
 */
async function loseFrames(
	root: string,
	lost: ReadonlyMap<number, number>,
	connection: DuckDBConnection,
): Promise<void> {
	if (lost.size === 0) return;
	const episodes = quotedString(path.join(root, episodesFolder, '*/*.parquet'));
	const files = await connection.runAndReadAll(
		`SELECT "data/chunk_index", "data/file_index", list(episode_index), list("length") FROM read_parquet(${episodes})
		WHERE episode_index IN (${[...lost.keys()].join(', ')}) GROUP BY ALL ORDER BY ALL`,
	);
	for (const [chunkIndex, fileIndex, indices, lengths] of files.getRowsJS() as [
		bigint,
		bigint,
		bigint[],
		bigint[],
	][]) {
		const relative = fillTemplate(defaultDataPath, {
			chunk_index: String(chunkIndex),
			file_index: String(fileIndex),
		});
		const file = path.join(root, relative);
		const gone = indices.map((index, place) => {
			const kept = Number(lengths[place]) - (lost.get(Number(index)) ?? 0);
			return `(episode_index = ${index} AND frame_index >= ${kept})`;
		});
		await connection.run(
			`COPY (SELECT * FROM read_parquet(${quotedString(file)}) WHERE NOT (${gone.join(' OR ')}))
			TO ${quotedString(`${file}.new`)} (${parquetOptions})`,
		);
		await rename(`${file}.new`, file);
	}
}
