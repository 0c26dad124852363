import {mkdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {languageStretches, readLanguageSubtasks} from '../../lerobot/language.ts';
import {infoPath, locate} from '../../lerobot/layout.ts';
import {findDataColumns} from '../../lerobot/read-data-columns.ts';
import {type EpisodeFrames, readDataFile} from '../../lerobot/read-data-file.ts';
import {parquetDamage, ReadDatabase} from '../../lerobot/read-database.ts';
import {type DatasetFolder, type DatasetIndex, openDataset, readIndex} from '../../lerobot/read-dataset.ts';
import {turnStretches} from '../../lerobot/read-markers.ts';
import {taskOf} from '../ingest/episode-intake.ts';
import {revisionOf} from '../ingest/revision.ts';
import {type StreamPlan, streamPlan} from '../ingest/stream-plan.ts';
import {memoryLimit} from '../workers/inside-child.ts';
import {type Drawn, drawSeries, readProgress} from './draw-series.ts';
import {readFrame, type WantedFrame} from './read-frame.ts';
import {
	type OfEpisode,
	type ReadFrame,
	type ReadSeries,
	SeriesRefusal,
	type WantedSeries,
} from './series-messages.ts';

type Opened = {
	readonly folder: string;
	/** When `meta/info.json` was written, and what it is. */
	readonly stamp: string;
	readonly dataset: DatasetFolder;
	readonly index: DatasetIndex;
	readonly plan: StreamPlan;
	readonly database: ReadDatabase;
};

/** Reads episodes one at a time; the dataset of the last one stays open, as the next is likely of the same. */
export class SeriesReader {
	#opened: Opened | undefined;

	/** @throws {SeriesRefusal} */
	async read(request: OfEpisode, wanted: WantedSeries): Promise<ReadSeries> {
		return this.#reading(request, async (opened, frames, file) => {
			const drawn: Drawn = drawSeries(frames, opened.plan, opened.dataset.info.fps, wanted);
			const markers = await markersIn(opened, frames, file);
			const {database, dataset} = opened;
			const progress = await readProgress(database, dataset.root, request.episode_index, drawn);
			return {...drawn, markers, ...progress};
		});
	}

	/**
	 * A picture of one camera.
	 *
	 * @throws {SeriesRefusal}
	 */
	async frame(request: OfEpisode, wanted: WantedFrame): Promise<ReadFrame> {
		return this.#reading(request, ({dataset, index, database}, {frames}) =>
			readFrame(
				{database, dataset, listing: index.listings.get(request.episode_index), dataFiles: index.dataFiles},
				{...wanted, episode: request.episode_index, frames},
			),
		);
	}

	async #reading<Read>(
		request: OfEpisode,
		read: (opened: Opened, frames: EpisodeFrames, file: string) => Promise<Read>,
	): Promise<Read> {
		const readOnce = async () => {
			const opened = await this.#open(request);
			const {frames, file} = await this.#frames(opened, request);
			return read(opened, frames, file);
		};
		try {
			return await readOnce().catch(error => {
				if (error instanceof SeriesRefusal) throw error;
				// The open database may be at fault: only the error of a fresh one is reported.
				this.#close();
				return readOnce();
			});
		} catch (error) {
			if (error instanceof SeriesRefusal) throw error;
			this.#close();
			throw new SeriesRefusal('unreadable', `${request.folder} cannot be read: ${reasonOf(error)}.`);
		}
	}

	async #open({folder, scratch}: OfEpisode): Promise<Opened> {
		const stamp = await this.#stamp(folder);
		if (this.#opened?.folder === folder && this.#opened.stamp === stamp) return this.#opened;
		this.#close();
		const dataset = await openDataset(folder).catch(error => {
			if (!(error instanceof DatasetError)) throw error;
			throw new SeriesRefusal('gone', error.message);
		});
		await mkdir(scratch, {recursive: true, mode: 0o700});
		const database = await ReadDatabase.open({
			folders: [dataset.root, scratch],
			memoryLimit,
			spillFolder: path.join(scratch, 'spill'),
		});
		const index = await readIndex(database, dataset, () => undefined);
		this.#opened = {folder, stamp, dataset, index, plan: streamPlan(dataset.layout), database};
		return this.#opened;
	}

	async #stamp(folder: string): Promise<string> {
		try {
			const {mtimeMs, ino, size} = await stat(path.join(folder, infoPath));
			return `${mtimeMs} ${ino} ${size}`;
		} catch {
			throw new SeriesRefusal(
				'gone',
				`The dataset's folder ${folder} is gone, or is no longer a dataset. Put it back, or ingest the dataset from where it is now.`,
			);
		}
	}

	/** Looks where the metadata places the episode, then wherever there are frames; the file is the one that has them. */
	async #frames(opened: Opened, request: OfEpisode): Promise<{frames: EpisodeFrames; file: string}> {
		const {index, dataset} = opened;
		const home = index.listings.get(request.episode_index)?.dataFile;
		const files =
			home === undefined ? index.dataFiles : [home, ...index.dataFiles.filter(file => file !== home)];
		for (const file of files) {
			const located = await locate(dataset.root, file);
			if (!located.found || (await parquetDamage(located.path)) !== null) continue;
			const frames = await this.#framesIn(opened, located.path, request.episode_index);
			if (!frames) continue;
			this.#check(opened, frames, request);
			return {frames, file: located.path};
		}
		throw this.#changed(request);
	}

	async #framesIn(
		{database, plan}: Opened,
		file: string,
		episode: number,
	): Promise<EpisodeFrames | undefined> {
		const columns = await findDataColumns(database, file, plan.wanted, plan.expected);
		if (columns.bookkeeping.episode_index === undefined) return undefined;
		for await (const frames of readDataFile(database, file, columns, episode)) return frames;
		return undefined;
	}

	/** The drawn episode must be the ingested one: the figures beside it are of that. */
	#check({plan, dataset, index}: Opened, frames: EpisodeFrames, request: OfEpisode): void {
		const listing = index.listings.get(request.episode_index);
		const revision = revisionOf({
			fps: dataset.info.fps,
			task: taskOf(frames, listing, index.tasks),
			features: plan.wanted.map(({feature}, place) => [feature, frames.signals[place]]),
			timestamps: frames.timestamps,
		});
		if (revision !== request.revision) throw this.#changed(request);
	}

	#changed({folder, episode_index}: OfEpisode): SeriesRefusal {
		return new SeriesRefusal(
			'changed',
			`Episode ${episode_index} in ${folder} is not as it was ingested: the dataset changed since. Ingest it again: lakescope ingest ${folder}`,
		);
	}

	#close(): void {
		this.#opened?.database.close();
		this.#opened = undefined;
	}
}

/** Markers that are told one by one, and the characters of a name. */
const mostMarkers = 500;
const longestMarker = 512;

/** The subtasks that the dataset marks in an episode, wherever it keeps them; a problem there is the ingest's to report. */
async function markersIn(
	{dataset, index, database}: Opened,
	{episodeIndex, frames, subtasks}: EpisodeFrames,
	file: string,
): Promise<ReadSeries['markers']> {
	const {fps} = dataset.info;
	const {sparse, dense} = index.listings.get(episodeIndex)?.subtasks ?? {};
	const said = async () => {
		const found = await readLanguageSubtasks(database, file, episodeIndex).catch(() => undefined);
		const own = found?.get(episodeIndex);
		return own === undefined ? undefined : languageStretches(own, fps, frames);
	};
	const stretches = sparse ?? dense ?? (await said()) ?? turnStretches(subtasks, index.subtasks, frames);
	return stretches.slice(0, mostMarkers).map(({name, startFrame, endFrame}) => ({
		name: name.slice(0, longestMarker),
		from: startFrame / fps,
		to: (endFrame + 1) / fps,
	}));
}
