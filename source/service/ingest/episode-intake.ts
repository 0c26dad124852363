import type {SiblingGroup} from '../../contract/local-series.ts';
import type {Problem} from '../../lerobot/dataset-error.ts';
import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import type {LanguageSubtask} from '../../lerobot/language.ts';
import {infoPath} from '../../lerobot/layout.ts';
import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';
import type {DatasetFolder, DatasetIndex} from '../../lerobot/read-dataset.ts';
import {turnNames} from '../../lerobot/read-markers.ts';
import type {ChannelAggregate, Signal} from '../../motion/channel-aggregates.ts';
import {type MeasuredEpisode, measureEpisode} from '../../motion/episode-metrics.ts';
import type {Profile} from '../../motion/profile.ts';
import type {Reporter} from '../workers/reporter.ts';
import {type Assessment, assessEpisode} from './assess-episode.ts';
import type {ChildRequest} from './child-request.ts';
import {SiblingJudge} from './judge-siblings.ts';
import {episodeId, revisionOf} from './revision.ts';
import type {StagingWriter} from './staging-writer.ts';
import type {StreamPlan} from './stream-plan.ts';

/** The interface's bounds on what an episode carries. */
const maxSignatureLength = 2048;
const maxTags = 512;

type IntakeOptions = {
	readonly request: ChildRequest;
	readonly dataset: DatasetFolder;
	readonly index: DatasetIndex;
	readonly plan: StreamPlan;
	readonly writer: StagingWriter;
	readonly reporter: Reporter;
};

/** Takes episodes as the data files yield them: measures each, says what is wrong with it, and hands it on. */
export class EpisodeIntake {
	readonly #options: IntakeOptions;
	readonly #taken = new Set<number>();
	readonly #siblings: SiblingJudge;
	#totalFrames = 0;
	#file = '';
	#isReadable: (file: string) => boolean = () => false;
	#subtasks: ReadonlyMap<number, readonly LanguageSubtask[]> = new Map();

	constructor(options: IntakeOptions) {
		this.#options = options;
		this.#siblings = new SiblingJudge(
			options.dataset.layout,
			usualFrames(options.index.listings.values()),
			options.request.doubt,
		);
		this.#reportCounts();
	}

	/** Episodes that there should be. */
	get expected(): number {
		const {index, dataset} = this.#options;
		return Math.max(index.listings.size || (dataset.info.total_episodes ?? 0), this.#taken.size);
	}

	get taken(): number {
		return this.#taken.size;
	}

	get takenIndices(): readonly number[] {
		return [...this.#taken];
	}

	get totalFrames(): number {
		return this.#totalFrames;
	}

	/**
	 * @param isReadable whether a data file, relative to the dataset's root, is one of those that are read.
	 * @param subtasks that the file says of its episodes in language.
	 */
	beginFile(
		file: string,
		{
			isReadable,
			subtasks,
		}: {
			isReadable: (file: string) => boolean;
			subtasks: ReadonlyMap<number, readonly LanguageSubtask[]>;
		},
	): void {
		this.#file = file;
		this.#isReadable = isReadable;
		this.#subtasks = subtasks;
		this.#progress();
	}

	async take(frames: EpisodeFrames): Promise<void> {
		const {index, plan, dataset, writer, request} = this.#options;
		const {episodeIndex} = frames;
		if (Number.isNaN(episodeIndex)) {
			const message = `${this.#file} has ${frames.frames} frames without an episode_index; they are left out.`;
			this.#options.reporter.problem({file: this.#file, message});
			return;
		}
		const listing = index.listings.get(episodeIndex);
		const refusal = this.#refusal(frames, listing);
		if (refusal) {
			this.#problem(episodeIndex, refusal);
			return;
		}
		this.#taken.add(episodeIndex);
		this.#totalFrames += frames.frames;
		const {fps} = dataset.info;
		const signals = this.#signals(frames);
		const profile = this.#siblings.profile(signals.action, signals.state);
		const measured = this.#measure(frames, signals, profile, listing);
		const assessment = assessEpisode({frames, listing, wanted: plan.wanted, measured, fps});
		for (const fault of [...assessment.faults, ...assessment.notes]) this.#problem(episodeIndex, fault);
		const task = taskOf(frames, listing, index.tasks);
		const revision = revisionOf({
			fps,
			task,
			features: plan.wanted.map(({feature}, place) => [feature, frames.signals[place]]),
			timestamps: frames.timestamps,
		});
		writer.addAggregates(episodeIndex, this.#aggregates(measured));
		const {tier} = assessment;
		const missingVideos = await index.videoFiles.missing(listing?.videos ?? [], episodeIndex);
		this.#siblings.add(
			{
				episodeIndex,
				episodeId: episodeId(request.dataset_id, episodeIndex, revision),
				revision,
				task,
				tier,
				markerSignature: this.#markers(frames, listing),
				tags: listing?.tags.slice(0, maxTags) ?? [],
				parentDataset: listing?.parentDataset ?? null,
				parentEpisodeIndex: listing?.parentEpisodeIndex ?? null,
				memberOrdinal: listing?.memberOrdinal ?? null,
				metrics: measured.metrics,
			},
			details(assessment, missingVideos, listing),
			assessment.broken,
			measured,
			profile,
			signals.action ?? signals.state,
		);
		this.#progress();
	}

	/**
	 * Sets the episodes taken against each other and hands them to the writer.
	 *
	 * @returns what those of each task are usually like
	 */
	handOver(): SiblingGroup[] {
		for (const episode of this.#siblings.judged()) this.#options.writer.addEpisode(episode);
		for (const message of this.#siblings.shared()) this.#options.reporter.problem({file: infoPath, message});
		return this.#siblings.groups();
	}

	/** Says which listed episodes were nowhere; those of a broken file were named with it. */
	reportAbsent(): void {
		const {listings, listedIn} = this.#options.index;
		for (const {episodeIndex, dataFile} of listings.values()) {
			if (this.#taken.has(episodeIndex)) continue;
			if (dataFile !== undefined && !this.#isReadable(dataFile)) continue;
			const place = dataFile ? `${dataFile} holds no frame of it` : 'no data file holds a frame of it';
			this.#options.reporter.problem({
				file: dataFile ?? listedIn,
				episodeIndex,
				message: `Episode ${episodeIndex} is not there: ${listedIn} lists it, but ${place}.`,
			});
		}
	}

	#reportCounts(): void {
		const {index, dataset, reporter} = this.#options;
		const {total_episodes: counted, total_frames: countedFrames} = dataset.info;
		const listed = index.listings.size;
		const disagree = (what: string, said: number, found: number) =>
			reporter.problem({
				file: infoPath,
				message: `${infoPath} counts ${said} ${what}, ${index.listedIn} lists ${found}.`,
			});
		if (typeof counted === 'number' && counted !== listed) disagree('episodes', counted, listed);
		let frames = 0;
		for (const {length} of index.listings.values()) frames += length ?? 0;
		if (typeof countedFrames === 'number' && countedFrames !== frames && counted === listed) {
			disagree('frames', countedFrames, frames);
		}
	}

	/** Why frames are not this episode's, as the end of a sentence about it. */
	#refusal({episodeIndex, frames}: EpisodeFrames, listing: EpisodeListing | undefined): string | undefined {
		if (!Number.isInteger(episodeIndex) || episodeIndex < 0 || episodeIndex > 4_294_967_295) {
			return `${frames} frames have this index, which no episode can have; they are left out`;
		}
		if (this.#taken.has(episodeIndex))
			return `${frames} more frames of it follow elsewhere; they are left out`;
		const home = listing?.dataFile;
		if (home !== undefined && home !== this.#file && this.#isReadable(home)) {
			return `${frames} frames of it lie here, but ${this.#options.index.listedIn} places it in ${home}; they are left out`;
		}
		return undefined;
	}

	#signals(frames: EpisodeFrames): Signals {
		const signals = this.#options.plan.wanted.map(
			({feature, stream}, place): [string, Signal | undefined] => {
				const values = frames.signals[place];
				return [stream, values && {values, dims: feature.dims}];
			},
		);
		const of = (wanted: string) =>
			signals.filter(([stream]) => stream === wanted).map(([, signal]) => signal);
		return {action: of('action')[0], state: of('state')[0], telemetry: of('telemetry')};
	}

	#measure(
		frames: EpisodeFrames,
		signals: Signals,
		profile: Profile,
		listing: EpisodeListing | undefined,
	): MeasuredEpisode {
		return measureEpisode({
			frames: frames.frames,
			fps: this.#options.dataset.info.fps,
			...signals,
			profile,
			timestamps: frames.timestamps,
			cameraSpans: (listing?.videos ?? []).flatMap(({from, to}) =>
				from === undefined || to === undefined ? [] : [{from, to}],
			),
		});
	}

	/** The aggregates of all channels, in the plan's order. */
	#aggregates(measured: MeasuredEpisode): (ChannelAggregate | null)[] {
		const telemetry = measured.telemetry.values();
		return this.#options.plan.wanted.flatMap(({feature, stream}) => {
			const aggregates = stream === 'telemetry' ? telemetry.next().value : measured[stream];
			return aggregates ? aggregates.channels : Array<null>(feature.dims).fill(null);
		});
	}

	#markers({episodeIndex, subtasks}: EpisodeFrames, listing: EpisodeListing | undefined): string | null {
		const {subtasks: names} = this.#options.index;
		const markers =
			listing?.markers ??
			this.#subtasks.get(episodeIndex)?.map(({name}) => name) ??
			turnNames(subtasks, names);
		return markers.join(' > ').slice(0, maxSignatureLength) || null;
	}

	#problem(episodeIndex: number, message: string): void {
		const problem: Problem = {file: this.#file, message: `Episode ${episodeIndex}: ${message}.`};
		this.#options.reporter.problem(
			Number.isInteger(episodeIndex) && episodeIndex >= 0 ? {...problem, episodeIndex} : problem,
		);
	}

	#progress(): void {
		this.#options.reporter.progress({
			done: this.#taken.size,
			total: this.expected,
			step: 'reading',
			detail: this.#file,
		});
	}
}

/** The streams of an episode, as they are read. */
type Signals = {
	readonly action: Signal | undefined;
	readonly state: Signal | undefined;
	readonly telemetry: readonly (Signal | undefined)[];
};

/** The usual length of a dataset's episodes, by its metadata; a length as good as any where that says none. */
function usualFrames(listings: Iterable<EpisodeListing>): number {
	const lengths = Float64Array.from([...listings].flatMap(({length}) => length ?? [])).sort();
	return lengths[lengths.length >> 1] ?? 300;
}

/** The entries of an episode's `metrics` besides its figures. */
function details(
	{tierReasons, notes}: Assessment,
	missingVideos: readonly string[],
	listing: EpisodeListing | undefined,
): Record<string, readonly string[]> {
	const said = Object.entries({
		tier_reasons: tierReasons,
		notes,
		missing_videos: missingVideos,
		tasks: listing && listing.tasks.length > 1 ? listing.tasks : [],
	}).filter(([, list]) => list.length > 0);
	return Object.fromEntries(said);
}

/** The interface's bound on a task's text. */
const maxTaskLength = 262_144;

/** An episode's task: the one in its metadata, otherwise the one that its frames' task index stands for. */
export function taskOf(
	{taskIndex}: Pick<EpisodeFrames, 'taskIndex'>,
	listing: EpisodeListing | undefined,
	tasks: ReadonlyMap<number, string>,
): string | null {
	const byFrame = taskIndex === undefined ? undefined : tasks.get(taskIndex);
	return (listing?.tasks[0] ?? byFrame)?.slice(0, maxTaskLength) ?? null;
}
