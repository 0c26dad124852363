import type {EpisodeToWrite, Lineage, MarkerForm, Subtask, VideoSpan} from '../lerobot/write-description.ts';
import {plantedFaults, type SampleDataset, sampleDatasets, sampleSeed} from './datasets.ts';
import {augmented, trimmed} from './derive.ts';
import {type SampleEpisode, simulateEpisode} from './episode.ts';
import {createRandom} from './random.ts';
import {withTelemetry} from './telemetry.ts';

/** The episodes of a dataset, simulated one at a time. */
export function* simulatedEpisodes(dataset: SampleDataset): Generator<SampleEpisode> {
	const faults = plantedFaults(dataset);
	const parents = dataset.derivation ? healthyEpisodes(parentOf(dataset)) : [];
	for (let index = 0; index < dataset.episodes; index++) {
		const seed = episodeSeed(dataset, index);
		const episode = dataset.derivation
			? childEpisode(dataset, parents, index)
			: simulateEpisode(dataset.program, seed, faults.get(index));
		yield dataset.telemetry ? withTelemetry(episode, dataset.program.robot, index, seed) : episode;
	}
}

/** The same as they are written: with tags, markers and video spans. */
export function* episodesToWrite(dataset: SampleDataset): Generator<EpisodeToWrite> {
	const {robot} = dataset.program;
	const videos = new VideoFiles(Object.keys(robot.cameras));
	let index = 0;
	for (const episode of simulatedEpisodes(dataset)) {
		const random = createRandom(`${episodeSeed(dataset, index++)}/tags`);
		const {length, values, timestamps, lineage} = episode;
		yield {
			length,
			tasks: [episode.task],
			values,
			videos: videos.spans(length / robot.fps, episode.cameraSkew),
			// Some episodes stay unmarked, as in real datasets.
			...(random.chance(0.93) && {subtasks: inAllForms(dataset.markers ?? [], episode.subtasks)}),
			tags: ['sample', `operator-${episode.operator}`, ...(random.chance(0.1) ? ['holdout'] : [])],
			...(timestamps && {timestamps}),
			...(lineage && {lineage}),
		};
	}
}

/** For the truncated episodes of a dataset: how many frames its data files lack. */
export function lostFrames(dataset: SampleDataset): ReadonlyMap<number, number> {
	const truncated = [...plantedFaults(dataset)].filter(([, fault]) => fault === 'truncated');
	return new Map(
		truncated.map(([index, fault]) => {
			const episode = simulateEpisode(dataset.program, episodeSeed(dataset, index), fault);
			return [index, episode.lostFrames];
		}),
	);
}

function episodeSeed({name}: SampleDataset, index: number): string {
	return `${sampleSeed}/${name}/${index}`;
}

function parentOf({name, derivation}: SampleDataset): SampleDataset {
	const parent = sampleDatasets.find(dataset => dataset.name === derivation?.parent);
	if (!parent)
		throw new Error(
			`The sample's dataset ${name} derives from ${derivation?.parent}, which is not part of the sample.`,
		);
	return parent;
}

function healthyEpisodes(dataset: SampleDataset): number[] {
	const faults = plantedFaults(dataset);
	return Array.from({length: dataset.episodes}, (_, index) => index).filter(index => !faults.has(index));
}

function childEpisode(dataset: SampleDataset, parents: readonly number[], index: number): SampleEpisode {
	const parent = parentOf(dataset);
	const members = dataset.derivation?.members ?? 1;
	const parentIndex = parents[Math.floor(index / members)] ?? 0;
	const lineage: Lineage = {
		parentDataset: parent.name,
		parentEpisodeIndex: parentIndex,
		memberOrdinal: index % members,
	};
	const original = simulateEpisode(parent.program, episodeSeed(parent, parentIndex), undefined);
	const {robot} = dataset.program;
	return dataset.derivation?.by === 'trimming'
		? trimmed(original, robot, lineage)
		: augmented(original, robot, episodeSeed(dataset, index), lineage);
}

function inAllForms(
	forms: readonly MarkerForm[],
	subtasks: readonly Subtask[],
): Partial<Record<MarkerForm, readonly Subtask[]>> {
	return Object.fromEntries(forms.map(form => [form, subtasks]));
}

/** Seconds of video after which a camera begins another file. */
const secondsAFile = 900;

/** Lays the episodes of each camera one after the other, as a recorder does. */
class VideoFiles {
	readonly #cameras: Map<string, {fileIndex: number; end: number}>;

	constructor(cameras: readonly string[]) {
		this.#cameras = new Map(cameras.map(camera => [camera, {fileIndex: 0, end: 0}]));
	}

	spans(seconds: number, skew: Readonly<Record<string, number>>): Record<string, VideoSpan> {
		const spans: Record<string, VideoSpan> = {};
		for (const [camera, file] of this.#cameras) {
			if (file.end > secondsAFile) {
				file.fileIndex++;
				file.end = 0;
			}
			const fromTimestamp = file.end;
			file.end += Math.max(0, seconds + (skew[camera] ?? 0));
			spans[camera] = {chunkIndex: 0, fileIndex: file.fileIndex, fromTimestamp, toTimestamp: file.end};
		}
		return spans;
	}
}
