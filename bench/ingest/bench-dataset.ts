import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {defaultDataPath, fillTemplate, infoPath} from '../../source/lerobot/layout.ts';
import {quotedString} from '../../source/lerobot/write-sql.ts';

export type BenchDataset = {
	readonly folder: string;
	readonly dims: number;
	readonly episodes: number;
	readonly frames: number;
};

const fps = 30;
const framesEach = 400;
export const filesOf = {episodes: 1000, files: 6};

/**
 * Writes a v3.0 dataset of a typical shape: 6,000 episodes of 13 s at 30 Hz in six data files, sweeps of the arm
 * with a little noise that follows from the frame's number, so that every run measures the same bytes.
 */
export async function writeBenchDataset(folder: string, dims: number): Promise<BenchDataset> {
	const episodes = filesOf.episodes * filesOf.files;
	const instance = await DuckDBInstance.create(':memory:');
	const connection = await instance.connect();
	await mkdir(path.join(folder, 'meta/episodes/chunk-000'), {recursive: true});
	await mkdir(path.join(folder, 'data/chunk-000'), {recursive: true});
	for (let file = 0; file < filesOf.files; file++) {
		const name = fillTemplate(defaultDataPath, {chunk_index: 0, file_index: file});
		await copy(connection, frames(dims, file), path.join(folder, name));
	}
	const listed = `SELECT e AS episode_index, ['sweep the table'] AS tasks, ${framesEach}::BIGINT AS length,
		0::BIGINT AS "data/chunk_index", e // ${filesOf.episodes} AS "data/file_index",
		e * ${framesEach} AS dataset_from_index, (e + 1) * ${framesEach} AS dataset_to_index
		FROM range(${episodes}) episode(e)`;
	await copy(connection, listed, path.join(folder, 'meta/episodes/chunk-000/file-000.parquet'));
	const task = `SELECT 0::BIGINT AS task_index, 'sweep the table' AS task`;
	await copy(connection, task, path.join(folder, 'meta/tasks.parquet'));
	await writeFile(path.join(folder, infoPath), JSON.stringify(info(dims, episodes)));
	connection.closeSync();
	instance.closeSync();
	return {folder, dims, episodes, frames: episodes * framesEach};
}

async function copy(connection: DuckDBConnection, query: string, file: string): Promise<void> {
	await connection.run(`COPY (${query}) TO ${quotedString(file)} (FORMAT parquet, COMPRESSION snappy)`);
}

function frames(dims: number, file: number): string {
	const from = file * filesOf.episodes;
	const value = (dim: number, lag: number) =>
		`(${20 + dim} * sin((f - ${lag}) * ${0.01 * (1 + (dim % 4))} + e) + 0.2 * (hash(e, f, ${dim}) % 1000) / 1000)::FLOAT`;
	const vector = (lag: number) => `[${Array.from({length: dims}, (_, dim) => value(dim, lag)).join(', ')}]`;
	return `SELECT ${vector(0)} AS action, ${vector(3)} AS "observation.state",
		(f / ${fps})::FLOAT AS timestamp, f AS frame_index, e AS episode_index,
		e * ${framesEach} + f AS "index", 0::BIGINT AS task_index
		FROM range(${from}, ${from + filesOf.episodes}) episode(e), range(${framesEach}) frame(f) ORDER BY e, f`;
}

function info(dims: number, episodes: number): object {
	const names = Array.from({length: dims}, (_, dim) => `joint_${dim}.pos`);
	const vector = {dtype: 'float32', shape: [dims], names};
	const scalar = (dtype: string) => ({dtype, shape: [1], names: null});
	return {
		codebase_version: 'v3.0',
		robot_type: 'bench',
		fps,
		total_episodes: episodes,
		total_frames: episodes * framesEach,
		total_tasks: 1,
		data_path: defaultDataPath,
		video_path: null,
		features: {
			action: vector,
			'observation.state': vector,
			timestamp: scalar('float32'),
			frame_index: scalar('int64'),
			episode_index: scalar('int64'),
			index: scalar('int64'),
			task_index: scalar('int64'),
		},
	};
}
