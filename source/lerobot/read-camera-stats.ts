import {readFile} from 'node:fs/promises';
import {JSDuckDBValueConverter} from '@duckdb/node-api';
import * as z from 'zod';
import {episodeStatsPathV21, locate, statsPath} from './layout.ts';
import {readChunks} from './read-chunks.ts';
import {flattened} from './read-data-columns.ts';
import {parquetDamage, type ReadDatabase} from './read-database.ts';
import type {DatasetFolder} from './read-dataset.ts';
import {episodeFiles} from './read-episodes.ts';
import {readJsonLines} from './read-v21-json-lines.ts';
import {type FeatureStats, type StatName, statNames} from './write-stats.ts';

/** The statistics of a dataset's camera pictures, by camera and episode. */
export type CameraStatsFound = ReadonlyMap<string, ReadonlyMap<number, FeatureStats>>;

const ignore = () => undefined;

/** Reads the statistics that each episode has of its cameras. What is not of the usual shape counts as not there. */
export async function readEpisodeCameraStats(
	database: ReadDatabase,
	{root, info, layout: {cameras}}: DatasetFolder,
): Promise<CameraStatsFound> {
	const found = new Map(cameras.map(camera => [camera, new Map<number, FeatureStats>()]));
	if (cameras.length === 0) return found;
	const take = (camera: string, episode: number, value: (stat: StatName) => unknown) => {
		const stats = statsOf(value);
		if (stats) found.get(camera)?.set(episode, stats);
	};
	if (info.format === 'v2.1') {
		await readJsonLines(root, episodeStatsPathV21, '', ignore, line => {
			const {data} = statsLine.safeParse(line);
			for (const camera of cameras) {
				const stats = data?.stats[camera];
				if (data && stats) take(camera, data.episode_index, stat => stats[stat]);
			}
			return undefined;
		});
		return found;
	}
	for (const file of await episodeFiles(root, ignore)) {
		const located = await locate(root, file);
		if (!located.found || (await parquetDamage(located.path)) !== null) continue;
		await readFrom(database, located.path, cameras, take).catch(ignore);
	}
	return found;
}

async function readFrom(
	database: ReadDatabase,
	file: string,
	cameras: readonly string[],
	take: (camera: string, episode: number, value: (stat: StatName) => unknown) => void,
): Promise<void> {
	const existing = await database.columnsOf(file);
	const wanted = cameras.flatMap(camera => statNames.map(stat => `stats/${camera}/${stat}`));
	const columns = wanted.flatMap(name => {
		const type = existing.get(name);
		return type === undefined ? [] : [{name, ...flattened(name, type)}];
	});
	if (columns.length === 0) return;
	const expressions = columns.map(
		({expression, isList}) => `TRY_CAST(${isList ? expression : `[${expression}]`} AS DOUBLE[])`,
	);
	const places = new Map(columns.map(({name}, place) => [name, place + 1]));
	const all = ['CAST(episode_index AS DOUBLE)', ...expressions];
	for await (const chunk of readChunks(database, all, file)) {
		for (const row of chunk.convertRows(JSDuckDBValueConverter)) {
			for (const camera of cameras) {
				take(camera, Number(row[0]), stat => row[places.get(`stats/${camera}/${stat}`) ?? -1]);
			}
		}
	}
}

const statsLine = z.looseObject({
	episode_index: z.number(),
	stats: z.record(z.string(), z.record(z.string(), z.unknown()).catch({})),
});

const statsFile = z.record(z.string(), z.record(z.string(), z.unknown()).catch({}));

/** Reads the statistics in `meta/stats.json` of the camera pictures of a dataset as a whole. */
export async function readWholeCameraStats({
	root,
	layout: {cameras},
}: Pick<DatasetFolder, 'root' | 'layout'>): Promise<ReadonlyMap<string, FeatureStats>> {
	const located = await locate(root, statsPath);
	let said: z.output<typeof statsFile> = {};
	try {
		if (located.found) said = statsFile.parse(JSON.parse(await readFile(located.path, 'utf8')));
	} catch {
		// Statistics are a help, and none are better than wrong ones.
	}
	return new Map(
		cameras.flatMap(camera => {
			const stats = statsOf(stat => said[camera]?.[stat]);
			return stats ? [[camera, stats] as const] : [];
		}),
	);
}

/** Values of pictures are shares of 255; somewhat more is a rounding. */
const brightest = 1.001;

/** @returns undefined for what is no statistics of pictures: quantiles may be absent, as in older datasets */
function statsOf(value: (stat: StatName) => unknown): FeatureStats | undefined {
	const of = (stat: StatName): (number | null)[] => {
		const numbers = [value(stat)].flat(4);
		return numbers.every(number => typeof number === 'number' && Number.isFinite(number))
			? (numbers as number[])
			: [];
	};
	const stats = Object.fromEntries(statNames.map(stat => [stat, of(stat)])) as Record<
		StatName,
		(number | null)[]
	>;
	const channels = stats.mean.length;
	const [count = 0] = stats.count;
	if ((channels !== 3 && channels !== 1) || stats.count.length !== 1 || !(Number(count) > 0))
		return undefined;
	if ([stats.min, stats.max, stats.std].some(each => each.length !== channels)) return undefined;
	if (
		channels === 3 &&
		[...stats.min, ...stats.max].some(each => Number(each) < 0 || Number(each) > brightest)
	)
		return undefined;
	for (const stat of statNames)
		if (stats[stat].length !== channels && stat !== 'count') stats[stat] = new Array(channels).fill(null);
	return stats;
}
