import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {BIGINT, type DuckDBValue, VARCHAR} from '@duckdb/node-api';
import type {FixtureEpisode, FixtureOptions} from './lerobot-fixture.ts';
import {
	episodeColumnsOf,
	episodeRow,
	fpsOf,
	frameColumnsOf,
	frameRow,
	framesOf,
	namesOf,
	tasksOf,
} from './lerobot-rows.ts';
import {type Column, withDuckDB, writeParquet} from './parquet.ts';

export const dataFile = (file = 0): string => `data/chunk-000/file-${String(file).padStart(3, '0')}.parquet`;
export const episodesFile = 'meta/episodes/chunk-000/file-000.parquet';
export const tasksFile = 'meta/tasks.parquet';

/** Writes a whole v3.0 dataset, from scratch and without the program's own writer. */
export async function writeLerobotDataset(folder: string, options: FixtureOptions = {}): Promise<void> {
	const episodes = options.episodes ?? [{}, {}];
	const perFile = options.episodesPerFile ?? Math.max(1, episodes.length);
	const tasks = [...new Set(episodes.flatMap(tasksOf))];
	await withDuckDB(async connection => {
		const frameColumns = frameColumnsOf(options, episodes);
		let index = 0;
		const listed: DuckDBValue[][] = [];
		for (let from = 0; from < episodes.length; from += perFile) {
			const rows: DuckDBValue[][] = [];
			for (let at = from; at < Math.min(from + perFile, episodes.length); at++) {
				const episode = episodes[at] ?? {};
				listed.push(episodeRow(options, episodes, at, from / perFile, index));
				const frames = framesOf(episode);
				for (let frame = 0; frame < frames; frame++) {
					rows.push(frameRow(options, episodes, at, frame, index + frame, tasks));
				}
				index += frames;
			}
			const file = path.join(folder, dataFile(from / perFile));
			await writeParquet(connection, file, frameColumns, rows, options.rowGroupSize);
		}
		await writeParquet(
			connection,
			path.join(folder, episodesFile),
			episodeColumnsOf(options, episodes),
			listed,
		);
		const taskColumns: Column[] = [
			['task_index', BIGINT],
			[options.taskColumn ?? 'task', VARCHAR],
		];
		const named = tasks.map((task, number) => [BigInt(number), task]);
		await writeParquet(connection, path.join(folder, tasksFile), taskColumns, named);
		if (options.subtasks) {
			const columns: Column[] = [
				['subtask_index', BIGINT],
				['subtask', VARCHAR],
			];
			const rows = options.subtasks.map((name, number) => [BigInt(number), name]);
			await writeParquet(connection, path.join(folder, 'meta/subtasks.parquet'), columns, rows);
		}
		await writeFile(
			path.join(folder, 'meta/info.json'),
			JSON.stringify(infoOf(options, episodes, index, tasks)),
		);
	});
	if (options.videoFiles !== false) {
		for (const camera of options.cameras ?? []) await writeVideo(folder, camera);
	}
}

/** Puts an empty file where a camera's first video belongs. */
export async function writeVideo(folder: string, camera: string): Promise<void> {
	const file = path.join(folder, `videos/${camera}/chunk-000/file-000.mp4`);
	await mkdir(path.dirname(file), {recursive: true});
	await writeFile(file, '');
}

/** What `meta/info.json` says of a v3.0 dataset. */
export function infoOf(
	options: FixtureOptions,
	episodes: readonly FixtureEpisode[],
	totalFrames: number,
	tasks: readonly string[],
): object {
	const names = namesOf(options);
	const vector = {dtype: 'float32', shape: [names.length], names};
	const scalar = (dtype: string) => ({dtype, shape: [1], names: null});
	return {
		codebase_version: 'v3.0',
		robot_type: options.robotType === undefined ? 'so101_follower' : options.robotType,
		total_episodes: episodes.length,
		total_frames: totalFrames,
		total_tasks: tasks.length,
		chunks_size: 1000,
		data_files_size_in_mb: 100,
		video_files_size_in_mb: 500,
		fps: fpsOf(options),
		splits: {train: `0:${episodes.length}`},
		data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
		video_path: options.cameras?.length
			? 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4'
			: null,
		features: {
			[options.actionKey ?? 'action']: vector,
			[options.stateKey ?? 'observation.state']: vector,
			...Object.fromEntries(
				Object.entries(options.telemetry ?? {}).map(([key, dims]) => [
					key,
					{dtype: 'float32', shape: [dims], names: null},
				]),
			),
			...Object.fromEntries(
				(options.cameras ?? []).map(camera => [
					camera,
					{dtype: 'video', shape: [480, 640, 3], names: ['height', 'width', 'channels']},
				]),
			),
			timestamp: scalar('float32'),
			frame_index: scalar('int64'),
			episode_index: scalar('int64'),
			index: scalar('int64'),
			task_index: scalar('int64'),
			...(episodes.some(({subtask}) => subtask) ? {subtask_index: scalar('int64')} : {}),
		},
	};
}
