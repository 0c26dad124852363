import {readFile, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import {defaultDataPath, episodesFolder, fillTemplate, infoPath} from '../lerobot/layout.ts';
import {quotedString} from '../lerobot/sql.ts';
import {removePartials, writeDataset} from '../lerobot/write-dataset.ts';
import type {DatasetToWrite} from '../lerobot/write-description.ts';
import {parquetOptions} from '../lerobot/write-parquet-files.ts';
import {plantedFaults, type SampleDataset, sampleDatasets, sampleSeed} from './datasets.ts';
import {type Fault, faults} from './faults.ts';
import {robotFeatures} from './robots.ts';
import {episodesToWrite, lostFrames} from './sample-episodes.ts';
import {telemetryFeatures} from './telemetry.ts';

type SampleOptions = {
	/** Called with the episodes that are there, out of all that were asked for. */
	readonly onProgress?: (done: number, total: number, datasetName: string) => void;
	/** Called once a dataset is wholly there, with its folder. */
	readonly onDataset?: (datasetName: string, folder: string) => void;
	readonly signal?: AbortSignal;
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
		throw new Error(`${target} is in the sample's way and is not part of it; move it elsewhere.`);
	}
	await rm(target, {recursive: true});
}

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}

/** Stands in the card of every dataset of the sample, of whatever version, and in no other's. */
const sampleMark = 'Sample data, simulated by lakescope';

/** The dataset card (README.md) of a dataset of the sample. */
function sampleCard(dataset: SampleDataset): string {
	const {name, description, program, episodes} = dataset;
	const {robot, task} = program;
	return `---
tags:
- LeRobot
- simulated
- sample
---

# ${name}

**${sampleMark} (seed “${sampleSeed}”).** No robot recorded it: do not train on it and do not publish it as real.

${description}

- Task: ${task}
- Robot: ${robot.type}, ${robot.dims} dimensions, ${robot.fps} frames a second, simulated
- Episodes: ${episodes}
- Cameras: ${Object.keys(robot.cameras).join(', ')}. They are declared, but their video files are absent.
${dataset.derivation ? `- Parent: ${dataset.derivation.parent}, by ${dataset.derivation.by}\n` : ''}
## Faults planted on purpose

${faultTable(dataset)}
`;
}

function faultTable(dataset: SampleDataset): string {
	const byFault = new Map<Fault, number[]>();
	for (const [episode, fault] of plantedFaults(dataset)) {
		byFault.set(fault, [...(byFault.get(fault) ?? []), episode]);
	}
	if (byFault.size === 0) return 'None.';
	const rows = [...byFault].map(
		([fault, episodes]) => `| ${fault} | ${faults[fault]} | ${episodes.sort((a, b) => a - b).join(', ')} |`,
	);
	return ['| Fault | What it looks like | Episodes |', '|---|---|---|', ...rows].join('\n');
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
