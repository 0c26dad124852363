import {mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Damage} from '../../../source/lerobot/check/damage.ts';
import {findDamage} from '../../../source/lerobot/check/find-damage.ts';
import {ReadDatabase} from '../../../source/lerobot/read-database.ts';
import {writeDataset} from '../../../source/lerobot/write-dataset.ts';
import type {DatasetToWrite, EpisodeToWrite} from '../../../source/lerobot/write-description.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {writeMp4} from '../../support/mp4.ts';
import {withDuckDB} from '../../support/parquet.ts';
import {copiesOf} from '../write-support.ts';

export const fps = 10;
export const camera = 'observation.images.front';
/** Frames of the episodes; two lie in one video file of the camera, the others in one each. */
export const lengths = [12, 15, 20, 24, 30] as const;
export const dataFile = 'data/chunk-000/file-000.parquet';
export const episodesFile = 'meta/episodes/chunk-000/file-000.parquet';
export const tasksFile = 'meta/tasks.parquet';
export const videoFile = (file: number) => `videos/${camera}/chunk-000/file-00${file}.mp4`;

const arm: DatasetToWrite = {
	robotType: 'test_arm',
	fps,
	features: {
		action: {dtype: 'float32', shape: [2], names: ['shoulder.pos', 'gripper.pos']},
		'observation.state': {dtype: 'float32', shape: [2], names: ['shoulder.pos', 'gripper.pos']},
		[camera]: {
			dtype: 'video',
			shape: [48, 64, 3],
			names: ['height', 'width', 'channels'],
			info: {'video.codec': 'av1'},
		},
	},
};

/** Where the episodes lie in the videos: file and first frame. */
const spans = [
	{file: 0, from: 0},
	{file: 0, from: lengths[0]},
	{file: 1, from: 0},
	{file: 2, from: 0},
	{file: 3, from: 0},
] as const;
const filmed = [lengths[0] + lengths[1], lengths[2], lengths[3], lengths[4]];

function episode(number: number, length: number): EpisodeToWrite {
	const vector = (seed: number) =>
		Float32Array.from(
			{length: length * 2},
			(_, place) => Math.sin(place * 0.37 + seed + number) * (number + 1),
		);
	const {file, from} = spans[number] ?? spans[0];
	return {
		length,
		tasks: [number % 2 === 0 ? 'Pick up the red cube.' : 'Open the drawer.'],
		values: {action: vector(0), 'observation.state': vector(0.5)},
		videos: {
			[camera]: {
				chunkIndex: 0,
				fileIndex: file,
				fromTimestamp: from / fps,
				toTimestamp: (from + length) / fps,
			},
		},
	};
}

/** Statistics of a camera as LeRobot writes them. */
const cameraStats = {
	min: [[[0]], [[0]], [[0]]],
	max: [[[1]], [[1]], [[1]]],
	mean: [[[0.48]], [[0.46]], [[0.41]]],
	std: [[[0.23]], [[0.22]], [[0.23]]],
	count: [lengths.reduce((sum, length) => sum + length, 0)],
};

/** Writes five episodes of a small arm by the program's own writer, whole in every way that is looked at. */
export const wholeDataset = copiesOf('arm', async folder => {
	await writeDataset(
		folder,
		arm,
		lengths.map((length, number) => episode(number, length)),
	);
	await editJson(folder, 'meta/stats.json', stats => Object.assign(stats, {[camera]: cameraStats}));
	const own = Object.entries({...cameraStats, count: undefined}).map(([name, value]) => {
		const stated =
			value === undefined ? '[length]' : `[${value.flat(2).map(number => `[[${number}::DOUBLE]]`)}]`;
		return `${stated} AS "stats/${camera}/${name}"`;
	});
	await rewriteParquet(folder, episodesFile, `SELECT *, ${own.join(', ')} FROM old`);
	for (const [file, frames] of filmed.entries())
		await writeMp4(path.join(folder, videoFile(file)), {frames, fps});
});

// biome-ignore lint/suspicious/noExplicitAny: JSON that tests damage anywhere.
type Json = any;

export async function editJson(folder: string, file: string, edit: (json: Json) => void): Promise<void> {
	const target = path.join(folder, file);
	const json = JSON.parse(await readFile(target, 'utf8'));
	edit(json);
	await writeFile(target, JSON.stringify(json));
}

/** The same recordings as a v2.1 dataset. */
export const wholeDatasetV21 = copiesOf('arm', async folder => {
	const newer = await wholeDataset();
	const lines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');
	const name = (number: number) => `episode_00000${number}`;
	for (const part of ['meta', 'data/chunk-000']) await mkdir(path.join(folder, part), {recursive: true});
	const rows: object[] = [];
	const stats: object[] = [];
	await withDuckDB(async connection => {
		const listed = `read_parquet('${path.join(newer, episodesFile)}')`;
		const read = (await connection.runAndReadAll(`SELECT * FROM ${listed}`)).getRowObjectsJson();
		for (const [number, row] of read.entries()) {
			const all = `read_parquet('${path.join(newer, dataFile)}')`;
			const target = path.join(folder, `data/chunk-000/${name(number)}.parquet`);
			await connection.run(
				`COPY (SELECT * FROM ${all} WHERE episode_index = ${number}) TO '${target}' (FORMAT parquet)`,
			);
			const length = Number(row.length);
			rows.push({episode_index: number, tasks: row.tasks, length});
			const own: Record<string, Record<string, unknown>> = {};
			for (const [column, value] of Object.entries(row)) {
				const [, feature = '', stat = ''] = /^stats\/(.+)\/(min|max|mean|std|count)$/.exec(column) ?? [];
				if (!feature || feature === camera) continue;
				own[feature] = {...own[feature], [stat]: (value as unknown[]).map(Number)};
			}
			own[camera] = {...cameraStats, count: [length]};
			stats.push({episode_index: number, stats: own});
			await writeMp4(path.join(folder, `videos/chunk-000/${camera}/${name(number)}.mp4`), {
				frames: length,
				fps,
			});
		}
	});
	await writeFile(path.join(folder, 'meta/episodes.jsonl'), lines(rows));
	await writeFile(path.join(folder, 'meta/episodes_stats.jsonl'), lines(stats));
	const tasks = ['Pick up the red cube.', 'Open the drawer.'].map((task, task_index) => ({task_index, task}));
	await writeFile(path.join(folder, 'meta/tasks.jsonl'), lines(tasks));
	const info = JSON.parse(await readFile(path.join(newer, 'meta/info.json'), 'utf8'));
	const older = {
		...info,
		codebase_version: 'v2.1',
		total_chunks: 1,
		total_videos: lengths.length,
		data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
		video_path: 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4',
	};
	await writeFile(path.join(folder, 'meta/info.json'), JSON.stringify(older));
});

/** What is found in a folder, but for what LeRobot itself writes so. */
export async function damagesOf(folder: string): Promise<Damage[]> {
	const database = await ReadDatabase.open({
		folders: [folder],
		memoryLimit: '256MB',
		spillFolder: path.join(folder, '.spill'),
	});
	try {
		return (await findDamage(database, folder)).filter(({severity}) => severity !== 'lerobot-rule');
	} finally {
		database.close();
	}
}

export const idsOf = async (folder: string) =>
	[...new Set((await damagesOf(folder)).map(({id}) => id))].sort();
