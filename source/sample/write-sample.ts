import {readFile, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {infoPath} from '../lerobot/layout.ts';
import {removePartials, writeDataset} from '../lerobot/write-dataset.ts';
import type {DatasetToWrite} from '../lerobot/write-description.ts';
import {sampleCard, sampleMark} from './card.ts';
import {type SampleDataset, sampleDatasets} from './datasets.ts';
import {robotFeatures} from './robots.ts';
import {episodesToWrite, lostFrames} from './sample-episodes.ts';
import {telemetryFeatures} from './telemetry.ts';
import {loseFrames} from './truncate.ts';

export type SampleOptions = {
	/** Called with the episodes that are there, out of all that were asked for. */
	readonly onProgress?: (done: number, total: number, datasetName: string) => void;
	/** Called once a dataset is wholly there, with its folder. */
	readonly onDataset?: (datasetName: string, folder: string) => void;
	readonly signal?: AbortSignal;
	/** Names of the datasets to write. @default all */
	readonly datasets?: readonly string[];
};

/**
 * Writes the sample's datasets as LeRobot v3.0 folders, `folder/NAME` each. What is wholly there is left; what
 * an interrupted run left half is removed; what another version of the sample wrote is replaced.
 *
 * @returns the datasets' folders, in order.
 * @throws {Error} where a folder of a dataset's name holds something else, or cannot be written.
 */
export async function writeSample(folder: string, options: SampleOptions = {}): Promise<string[]> {
	const {onProgress, onDataset, signal} = options;
	const asked = sampleDatasets.filter(({name}) => options.datasets?.includes(name) ?? true);
	const total = asked.reduce((sum, dataset) => sum + dataset.episodes, 0);
	const folders: string[] = [];
	let done = 0;
	for (const dataset of asked) {
		signal?.throwIfAborted();
		const target = path.join(folder, dataset.name);
		await removePartials(target);
		if (!(await isWritten(target, dataset))) {
			await removeOlder(target);
			await writeDataset(target, describe(dataset), episodesToWrite(dataset), {
				...(signal && {signal}),
				onEpisode: written => onProgress?.(done + written, total, dataset.name),
				beforePublish: (root, connection) => loseFrames(root, lostFrames(dataset), connection),
			});
		}
		done += dataset.episodes;
		onProgress?.(done, total, dataset.name);
		onDataset?.(dataset.name, target);
		folders.push(target);
	}
	return folders;
}

function describe(dataset: SampleDataset): DatasetToWrite {
	const {robot} = dataset.program;
	return {
		robotType: robot.type,
		fps: robot.fps,
		features: {...robotFeatures(robot), ...(dataset.telemetry && telemetryFeatures(robot))},
		...(dataset.markers && {markers: dataset.markers}),
		lineage: dataset.derivation !== undefined,
		tags: true,
		card: sampleCard(dataset),
		...(dataset.dataFilesSizeInMb && {dataFilesSizeInMb: dataset.dataFilesSizeInMb}),
	};
}

/** The card names the seed and the content: a dataset that has it, and its info, is this one. */
async function isWritten(target: string, dataset: SampleDataset): Promise<boolean> {
	const card = await readFile(path.join(target, 'README.md'), 'utf8').catch(() => undefined);
	return card === sampleCard(dataset) && (await exists(path.join(target, infoPath)));
}

async function removeOlder(target: string): Promise<void> {
	if (!(await exists(target))) return;
	const card = await readFile(path.join(target, 'README.md'), 'utf8').catch(() => '');
	if (!card.includes(sampleMark)) {
		throw new Error(`${target} is in the sample's way and is not of it; move it elsewhere.`);
	}
	await rm(target, {recursive: true});
}

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}
