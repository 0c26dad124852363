import {readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {expect} from 'vitest';
import {readParquet} from '../../support/parquet.ts';

type Row = Record<string, unknown>;
type Info = {
	codebase_version: string;
	fps: number;
	features: Record<string, {dtype: string; shape: number[]}>;
	total_episodes: number;
	total_frames: number;
	total_tasks: number;
	chunks_size: number;
	splits: Record<string, string>;
	data_path: string;
	video_path: string | null;
};

const parquetBelow = (folder: string): string[] =>
	readdirSync(folder, {recursive: true})
		.map(name => path.join(folder, String(name)))
		.filter(file => file.endsWith('.parquet'))
		.sort();

async function allRows(folder: string): Promise<Row[]> {
	return (await Promise.all(parquetBelow(folder).map(readParquet))).flat();
}

const items = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function filled(template: string, values: Record<string, unknown>): string {
	return template.replace(/\{(\w+)(?::0?(\d+)d)?\}/g, (_, name: string, width?: string) =>
		String(values[name]).padStart(Number(width ?? 0), '0'),
	);
}

/** Holds a dataset on disk to every rule of LeRobot v3.0, by nothing but its files. */
export async function expectRules(root: string): Promise<{info: Info; frames: Row[]; episodes: Row[]}> {
	const json = <T>(name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as T;
	const info = json<Info>('meta/info.json');
	expect(info.codebase_version).toBe('v3.0');
	expect(info.fps).toBeGreaterThan(0);
	expect(info.chunks_size).toBeGreaterThan(0);
	const frames = await allRows(path.join(root, 'data'));
	const episodes = await allRows(path.join(root, 'meta/episodes'));
	const tasks = await readParquet(path.join(root, 'meta/tasks.parquet'));
	expect(info).toMatchObject({
		total_episodes: episodes.length,
		total_frames: frames.length,
		total_tasks: tasks.length,
		splits: {train: `0:${episodes.length}`},
	});
	const textOf = new Map(
		tasks.map(row => [Number(row.task_index), String(row.task ?? row.__index_level_0__)]),
	);
	const cameras = Object.keys(info.features).filter(key => info.features[key]?.dtype === 'video');
	if (cameras.length === 0) expect(info.video_path).toBeNull();

	const filesRead = new Map<string, Row[]>();
	let next = 0;
	for (const [index, episode] of episodes.entries()) {
		expect(Number(episode.episode_index)).toBe(index);
		const [from, to] = [Number(episode.dataset_from_index), Number(episode.dataset_to_index)];
		expect([from, to - from]).toEqual([next, Number(episode.length)]);
		next = to;
		const own = frames.slice(from, to);
		for (const [frame, row] of own.entries()) {
			expect(Number(row.frame_index)).toBe(frame);
			expect(Number(row.episode_index)).toBe(index);
			expect(Number(row.index)).toBe(from + frame);
			expect(row.timestamp).toBe(Math.fround(frame / info.fps));
		}
		const named = items(episode.tasks).map(String);
		expect(new Set(own.map(row => textOf.get(Number(row.task_index))))).toEqual(new Set(named));
		const place = {chunk_index: episode['data/chunk_index'], file_index: episode['data/file_index']};
		const file = path.join(root, filled(info.data_path, place));
		const held = filesRead.get(file) ?? (await readParquet(file));
		filesRead.set(file, held);
		expect(held.filter(row => Number(row.episode_index) === index)).toHaveLength(own.length);
		const metaPlace = `meta/episodes/chunk-${String(episode['meta/episodes/chunk_index']).padStart(3, '0')}/file-${String(episode['meta/episodes/file_index']).padStart(3, '0')}.parquet`;
		expect(statSync(path.join(root, metaPlace)).isFile()).toBe(true);
		for (const camera of cameras) {
			const value = (name: string) => Number(episode[`videos/${camera}/${name}`]);
			expect(value('to_timestamp') - value('from_timestamp')).toBeCloseTo(own.length / info.fps, 6);
			expect(value('from_timestamp')).toBeGreaterThanOrEqual(0);
		}
		for (const [key, {dtype, shape}] of Object.entries(info.features)) {
			if (['video', 'image', 'string'].includes(dtype)) continue;
			const values = own.map(row => (Array.isArray(row[key]) ? row[key] : [row[key]]).map(Number));
			expect(values[0]).toHaveLength(shape[0] ?? 1);
			for (let dim = 0; dim < (shape[0] ?? 1); dim++) {
				const column = values.map(row => row[dim] ?? Number.NaN);
				expect(Number(items(episode[`stats/${key}/min`])[dim])).toBe(Math.min(...column));
				expect(Number(items(episode[`stats/${key}/max`])[dim])).toBe(Math.max(...column));
				const mean = column.reduce((sum, each) => sum + each, 0) / column.length;
				expect(Number(items(episode[`stats/${key}/mean`])[dim])).toBeCloseTo(mean, 5);
			}
			expect(items(episode[`stats/${key}/count`]).map(Number)).toEqual([own.length]);
		}
	}
	expect(next).toBe(frames.length);
	const stats = json<Record<string, {min: number[]; max: number[]}>>('meta/stats.json');
	for (const [key, {dtype}] of Object.entries(info.features)) {
		if (['video', 'image', 'string'].includes(dtype)) continue;
		const values = frames.map(row => Number(Array.isArray(row[key]) ? row[key][0] : row[key]));
		expect([stats[key]?.min[0], stats[key]?.max[0]]).toEqual([Math.min(...values), Math.max(...values)]);
	}
	return {info, frames, episodes};
}
