import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api';
import {defaultDataPath, fillTemplate, infoPath} from '../../source/lerobot/layout.ts';
import {quotedString} from '../../source/lerobot/sql.ts';

/** How large a dataset is to be. */
export type BenchShape = {
	/** Of the action and of the state each. */
	readonly dims: number;
	readonly files: number;
	readonly episodesPerFile: number;
	readonly framesPerEpisode: number;
};

const fps = 30;

/**
 * Writes a v3.0 dataset, a second or two for a million frames: sweeps of the arm with a little noise that follows from
 * the frame's number, so that every run measures the same bytes.
 */
export async function writeBenchDataset(folder: string, shape: BenchShape): Promise<void> {
	const {files, episodesPerFile, framesPerEpisode} = shape;
	const instance = await DuckDBInstance.create(':memory:');
	const connection = await instance.connect();
	await mkdir(path.join(folder, 'meta/episodes/chunk-000'), {recursive: true});
	await mkdir(path.join(folder, 'data/chunk-000'), {recursive: true});
	for (let file = 0; file < files; file++) {
		await copy(connection, frames(shape, file), path.join(folder, benchDataFile(file)));
	}
	const listed = `SELECT e AS episode_index, ['sweep the table'] AS tasks, ${framesPerEpisode}::BIGINT AS length,
		0::BIGINT AS "data/chunk_index", e // ${episodesPerFile} AS "data/file_index",
		e * ${framesPerEpisode} AS dataset_from_index, (e + 1) * ${framesPerEpisode} AS dataset_to_index
		FROM range(${episodesPerFile * files}) episode(e)`;
	await copy(connection, listed, path.join(folder, 'meta/episodes/chunk-000/file-000.parquet'));
	const task = `SELECT 0::BIGINT AS task_index, 'sweep the table' AS task`;
	await copy(connection, task, path.join(folder, 'meta/tasks.parquet'));
	await writeFile(path.join(folder, infoPath), JSON.stringify(info(shape)));
	connection.closeSync();
	instance.closeSync();
}

/** Relative to the dataset's folder. */
export function benchDataFile(file: number): string {
	return fillTemplate(defaultDataPath, {chunk_index: 0, file_index: file});
}

async function copy(connection: DuckDBConnection, query: string, file: string): Promise<void> {
	await connection.run(`COPY (${query}) TO ${quotedString(file)} (FORMAT parquet, COMPRESSION snappy)`);
}

function frames({dims, episodesPerFile, framesPerEpisode}: BenchShape, file: number): string {
	const from = file * episodesPerFile;
	const value = (dim: number, lag: number) =>
		`(${20 + dim} * sin((f - ${lag}) * ${0.01 * (1 + (dim % 4))} + e) + 0.2 * (hash(e, f, ${dim}) % 1000) / 1000)::FLOAT`;
	const vector = (lag: number) => `[${Array.from({length: dims}, (_, dim) => value(dim, lag)).join(', ')}]`;
	return `SELECT ${vector(0)} AS action, ${vector(3)} AS "observation.state",
		(f / ${fps})::FLOAT AS timestamp, f AS frame_index, e AS episode_index,
		e * ${framesPerEpisode} + f AS "index", 0::BIGINT AS task_index
		FROM range(${from}, ${from + episodesPerFile}) episode(e), range(${framesPerEpisode}) frame(f) ORDER BY e, f`;
}

function info({dims, files, episodesPerFile, framesPerEpisode}: BenchShape): object {
	const names = Array.from({length: dims}, (_, dim) => `joint_${dim}.pos`);
	const vector = {dtype: 'float32', shape: [dims], names};
	const scalar = (dtype: string) => ({dtype, shape: [1], names: null});
	const episodes = episodesPerFile * files;
	return {
		codebase_version: 'v3.0',
		robot_type: 'bench',
		fps,
		total_episodes: episodes,
		total_frames: episodes * framesPerEpisode,
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
