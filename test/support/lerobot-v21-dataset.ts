import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {infoOf} from './lerobot-dataset.ts';
import type {FixtureOptions} from './lerobot-fixture.ts';
import {fpsOf, frameColumnsOf, frameRow, framesOf, tasksOf} from './lerobot-rows.ts';
import {withDuckDB, writeParquet} from './parquet.ts';

const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

export const dataFileV21 = (episode: number, chunksSize = 1000): string =>
	`data/chunk-${padded(Math.floor(episode / chunksSize), 3)}/episode_${padded(episode, 6)}.parquet`;

export const videoFileV21 = (episode: number, camera: string): string =>
	`videos/chunk-000/${camera}/episode_${padded(episode, 6)}.mp4`;

const lines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');

/** Writes a whole v2.1 dataset: one data file an episode, and its metadata as JSON lines. */
export async function writeLerobotV21Dataset(
	folder: string,
	options: FixtureOptions & {chunksSize?: number} = {},
): Promise<void> {
	const episodes = options.episodes ?? [{}, {}];
	const chunksSize = options.chunksSize ?? 1000;
	const tasks = [...new Set(episodes.flatMap(tasksOf))];
	await mkdir(path.join(folder, 'meta'), {recursive: true});
	let index = 0;
	await withDuckDB(async connection => {
		for (const [at, episode] of episodes.entries()) {
			const rows = Array.from({length: framesOf(episode)}, (_, frame) =>
				frameRow(options, episodes, at, frame, index + frame, tasks),
			);
			const file = path.join(folder, dataFileV21(at, chunksSize));
			await writeParquet(connection, file, frameColumnsOf(options, episodes), rows);
			index += rows.length;
			if (options.videoFiles === false) continue;
			for (const camera of options.cameras ?? []) {
				const video = path.join(folder, videoFileV21(at, camera));
				await mkdir(path.dirname(video), {recursive: true});
				await writeFile(video, '');
			}
		}
	});
	const listed = episodes.map((episode, episode_index) => ({
		episode_index,
		tasks: tasksOf(episode),
		length: episode.length ?? framesOf(episode),
	}));
	await writeFile(path.join(folder, 'meta/episodes.jsonl'), lines(listed));
	await writeFile(
		path.join(folder, 'meta/tasks.jsonl'),
		lines(tasks.map((task, task_index) => ({task_index, task}))),
	);
	await writeFile(
		path.join(folder, 'meta/episodes_stats.jsonl'),
		lines(
			episodes.map((episode, episode_index) => ({
				episode_index,
				stats: {timestamp: {min: [0], max: [framesOf(episode) / fpsOf(options)], count: [framesOf(episode)]}},
			})),
		),
	);
	const info = {
		...infoOf(options, episodes, index, tasks),
		codebase_version: 'v2.1',
		chunks_size: chunksSize,
		total_chunks: Math.ceil(episodes.length / chunksSize),
		total_videos: episodes.length * (options.cameras?.length ?? 0),
		data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
		video_path: options.cameras?.length
			? 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4'
			: null,
	};
	await writeFile(path.join(folder, 'meta/info.json'), JSON.stringify(info));
}
