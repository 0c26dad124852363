import type {EpisodeToWrite, Lineage, MarkerForm, Subtask} from '../lerobot/write-description.ts';
import {plantedFaults, type SampleDataset, sampleDatasets, sampleSeed} from './datasets.ts';
import {augmented, trimmed} from './derive.ts';
import {type SampleEpisode, simulateEpisode} from './episode.ts';
import type {Film} from './film.ts';
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

/** The same as they are written: with tags, markers and what the cameras saw. */
export async function* episodesToWrite(dataset: SampleDataset, film: Film): AsyncGenerator<EpisodeToWrite> {
	let index = 0;
	for (const episode of simulatedEpisodes(dataset)) {
		const random = createRandom(`${episodeSeed(dataset, index++)}/tags`);
		const {length, timestamps, lineage} = episode;
		const {videos, pictures, values} = await film.take(episode);
		yield {
			length,
			tasks: [episode.task],
			values: {...episode.values, ...values},
			videos,
			pictures,
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
