import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DuckDBInstance} from '@duckdb/node-api';
import {onTestFinished} from 'vitest';
import type {DatasetToWrite, EpisodeToWrite} from '../../source/lerobot/write-description.ts';

/** A folder of the test's own, removed at its end. */
export async function freshFolder(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'lakescope-write-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	return folder;
}

/** Makes a dataset once, and gives each test a copy of its own from memory. */
export function copiesOf(name: string, make: (folder: string) => Promise<void>): () => Promise<string> {
	let files: Promise<Map<string, Buffer>> | undefined;
	const read = async () => {
		const folder = path.join(await freshFolder(), name);
		await make(folder);
		const found = new Map<string, Buffer>();
		for (const entry of await readdir(folder, {withFileTypes: true, recursive: true})) {
			const file = path.join(entry.parentPath, entry.name);
			if (entry.isFile()) found.set(path.relative(folder, file), await readFile(file));
		}
		return found;
	};
	return async () => {
		files ??= read();
		const folder = path.join(await freshFolder(), name);
		for (const [file, content] of await files) {
			await mkdir(path.join(folder, path.dirname(file)), {recursive: true});
			await writeFile(path.join(folder, file), content);
		}
		return folder;
	};
}

export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Reads parquet by SQL alone, knowing nothing of the writer; 64-bit integers as numbers. */
export async function openQuery(): Promise<{query: Query; close: () => void}> {
	const instance = await DuckDBInstance.create(':memory:');
	const connection = await instance.connect();
	return {
		query: async sql => {
			const reader = await connection.runAndReadAll(sql);
			return reader.getRowObjectsJS().map(row => plain(row) as Record<string, unknown>);
		},
		close: () => {
			connection.closeSync();
			instance.closeSync();
		},
	};
}

function plain(value: unknown): unknown {
	if (typeof value === 'bigint') return Number(value);
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** A small robot: two joints, one camera. */
export const armDataset: DatasetToWrite = {
	robotType: 'test_arm',
	fps: 10,
	features: {
		action: {dtype: 'float32', shape: [2], names: ['shoulder.pos', 'gripper.pos']},
		'observation.state': {dtype: 'float32', shape: [2], names: ['shoulder.pos', 'gripper.pos']},
		'observation.images.front': {
			dtype: 'video',
			shape: [48, 64, 3],
			names: ['height', 'width', 'channels'],
			info: {'video.codec': 'av1'},
		},
	},
};

/** An episode of that robot. Its values say which episode, frame and dimension they belong to. */
export function armEpisode(
	episode: number,
	length: number,
	changes: Partial<EpisodeToWrite> = {},
): EpisodeToWrite {
	const vector = (base: number) =>
		Float32Array.from({length: length * 2}, (_, place) => base + episode * 100 + place / 4);
	return {
		length,
		tasks: [`task ${episode % 2}`],
		values: {action: vector(0), 'observation.state': vector(0.5)},
		videos: {
			'observation.images.front': {
				chunkIndex: 0,
				fileIndex: 0,
				fromTimestamp: episode,
				toTimestamp: episode + 0.75,
			},
		},
		...changes,
	};
}
