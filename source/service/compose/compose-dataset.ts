import {mkdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {IngestProgress} from '../../contract/local.ts';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import {DatasetError} from '../../lerobot/dataset-error.ts';
import {openReadConnection} from '../../lerobot/read-connection.ts';
import {openDataset, readIndex} from '../../lerobot/read-dataset.ts';
import {writeDataset} from '../../lerobot/write-dataset.ts';
import type {DatasetToWrite, EpisodeToWrite} from '../../lerobot/write-description.ts';
import {VideoFilesOfParent} from '../augmentation/shared-videos.ts';
import {cutPlan, markerForms, ownFeatures} from '../augmentation/trim-plan.ts';
import {memoryLimit} from '../ingest/memory-limit.ts';
import {cameraStats} from './camera-stats.ts';
import type {ComposeWork} from './compose-messages.ts';
import {compareParents} from './differences.ts';
import {type Parent, parentEpisodes} from './parent-episodes.ts';

/**
 * Writes one dataset of episodes of several. It appears whole or not at all. Videos are the parents' own files, linked,
 * cloned or copied: a span of LeRobot v3.0 may begin anywhere in its file, so that no stream has to be cut.
 *
 * @throws {DatasetError} where an episode cannot be taken over as it is, or the datasets are not alike
 */
export async function composeDataset(
	work: ComposeWork,
	onProgress: (progress: IngestProgress) => void,
): Promise<ComposeSummary> {
	const folder = path.dirname(work.target);
	await mkdir(folder, {recursive: true, mode: 0o700});
	const spillFolder = path.join(folder, 'spill');
	const parents: Parent[] = [];
	try {
		const numbers = new Map<string, number>();
		const leftOut = new Set(work.left_out);
		for (const parent of work.parents) parents.push(await openParent(parent, numbers, folder, leftOut));
		const total = work.parents.reduce((sum, {episodes}) => sum + episodes.length, 0);
		let videos = 0;
		let absent = 0;
		const written = await writeDataset(work.target, description(work.name, parents), allEpisodes(parents), {
			onEpisode: done =>
				onProgress({done, total, unit: 'episodes', step: 'composing', detail: `${done} of ${total}`}),
			beforePublish: async partial => {
				onProgress({done: total, total, unit: 'episodes', step: 'videos'});
				for (const {files} of parents) {
					const shared = await files.share(partial, {copying: true});
					videos += shared.shared;
					absent += shared.absent;
				}
				await cameraStats(partial, parents);
			},
		});
		return {episodes: written.totalEpisodes, frames: written.totalFrames, videos, videos_absent: absent};
	} finally {
		for (const {connection, lookups} of parents) {
			connection.closeSync();
			lookups.closeSync();
		}
		await rm(spillFolder, {recursive: true, force: true});
	}
}

async function openParent(
	work: ComposeWork['parents'][number],
	numbers: Map<string, number>,
	folder: string,
	leftOut: ReadonlySet<string>,
): Promise<Parent> {
	const found = await openDataset(work.folder);
	const dataset = {...found, info: {...found.info, features: without(found.info.features, leftOut)}};
	const spillFolder = path.join(folder, 'spill');
	const [connection, lookups] = await Promise.all([
		openReadConnection({folders: [dataset.root, folder], memoryLimit, spillFolder}),
		openReadConnection({folders: [dataset.root, folder], memoryLimit, spillFolder}),
	]);
	const index = await readIndex(connection, dataset, () => undefined);
	const plan = cutPlan(dataset, index, work, 'composed of');
	return {
		work,
		dataset,
		index,
		plan,
		connection,
		lookups,
		files: new VideoFilesOfParent(dataset.root, numbers),
	};
}

function without<Value>(features: Readonly<Record<string, Value>>, leftOut: ReadonlySet<string>) {
	return Object.fromEntries(Object.entries(features).filter(([key]) => !leftOut.has(key)));
}

async function* allEpisodes(parents: readonly Parent[]): AsyncGenerator<EpisodeToWrite> {
	for (const parent of parents) yield* parentEpisodes(parent);
}

function description(name: string, parents: readonly Parent[]): DatasetToWrite {
	const [first] = parents;
	if (!first) throw new DatasetError('there is no episode to compose of');
	const described = parents.map(({work, dataset}) => ({
		dataset_name: work.dataset_name,
		robot_type: dataset.info.robot_type,
		fps: dataset.info.fps,
		features: dataset.info.features,
	}));
	const {refused, leftOut} = compareParents(described);
	const [difference = leftOut.map(key => `"${key}" is not the same in all of them`)[0]] = refused;
	if (difference !== undefined)
		throw new DatasetError(`The datasets changed and are not alike: ${difference}.`);
	const listings = parents.flatMap(({work, index}) =>
		work.episodes.flatMap(({episode_index}) => index.listings.get(episode_index) ?? []),
	);
	const {info} = first.dataset;
	return {
		robotType: info.robot_type ?? null,
		fps: info.fps,
		features: Object.fromEntries(ownFeatures(info)),
		markers: markerForms(
			listings,
			parents.some(({dataset}) => dataset.layout.hasSubtaskIndex),
		),
		lineage: true,
		tags: listings.some(({tags}) => tags.length > 0),
		card: card(name, parents),
	};
}

function card(name: string, parents: readonly Parent[]): string {
	const lines = parents.map(
		({work}) => `- \`${work.dataset_name}\`: ${work.episodes.map(at => at.episode_index).join(', ')}`,
	);
	return `---
tags:
- LeRobot
- composed
---

# ${name}

Composed by lakescope. Each episode is one of another dataset, unchanged, and names it in the columns
\`lakescope/parent_dataset\` and \`lakescope/parent_episode_index\`:

${lines.join('\n')}
`;
}
