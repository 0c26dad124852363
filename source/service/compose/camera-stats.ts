import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {locate} from '../../lerobot/layout.ts';
import type {Parent} from './parent-episodes.ts';

const statsFile = z.record(z.string(), z.record(z.string(), z.unknown()));
type Stats = z.output<typeof statsFile>;

/** @returns undefined for what is no JSON: statistics are a help, and none are better than wrong ones */
async function readStats(file: string): Promise<Stats | undefined> {
	try {
		return statsFile.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
	} catch {
		return undefined;
	}
}

/**
 * Adds to `meta/stats.json` what the parents say of their cameras' pictures, which the writer cannot see: the extremes of
 * the extremes, all else weighted by the frames taken over of each, variances by the parallel formula. A camera of which
 * a parent says nothing gets none.
 */
export async function cameraStats(folder: string, parents: readonly Parent[]): Promise<void> {
	const cameras = parents[0]?.plan.cameras ?? [];
	if (cameras.length === 0) return;
	const known: {stats: Stats; frames: number}[] = [];
	for (const {dataset, index, work} of parents) {
		const located = await locate(dataset.root, 'meta/stats.json');
		const stats = located.found ? await readStats(located.path) : undefined;
		const frames = work.episodes.reduce(
			(sum, {episode_index}) => sum + (index.listings.get(episode_index)?.length ?? 0),
			0,
		);
		known.push({stats: stats ?? {}, frames});
	}
	const file = path.join(folder, 'meta', 'stats.json');
	const own = (await readStats(file)) ?? {};
	const added = cameras.flatMap(camera => {
		const merged = mergedStats(known.map(({stats, frames}) => ({stats: stats[camera], frames})));
		return merged ? [[camera, merged] as const] : [];
	});
	await writeFile(file, `${JSON.stringify({...own, ...Object.fromEntries(added)}, null, 4)}\n`);
}

type Part = {readonly stats: Record<string, unknown> | undefined; readonly frames: number};

/** @returns undefined where a part says nothing, or they say it in different forms */
export function mergedStats(parts: readonly Part[]): Record<string, unknown> | undefined {
	const [first] = parts;
	if (!first?.stats || parts.some(({stats}) => !stats)) return undefined;
	const total = parts.reduce((sum, {frames}) => sum + frames, 0);
	const of = (name: string) => parts.map(({stats}) => stats?.[name]);
	const mean = (values: readonly number[]) =>
		values.reduce((sum, value, at) => sum + value * (parts[at]?.frames ?? 0), 0) / total;
	const merged: Record<string, unknown> = {};
	try {
		for (const name of Object.keys(first.stats)) {
			if (name === 'count') merged[name] = [total];
			else if (name === 'min') merged[name] = elementwise(of(name), values => Math.min(...values));
			else if (name === 'max') merged[name] = elementwise(of(name), values => Math.max(...values));
			else if (name === 'std') merged[name] = mergedStd(of('mean'), of('std'), mean);
			else merged[name] = elementwise(of(name), mean);
		}
		return merged;
	} catch {
		return undefined;
	}
}

function mergedStd(
	means: unknown[],
	deviations: unknown[],
	mean: (values: readonly number[]) => number,
): unknown {
	const middle = elementwise(means, mean);
	const squares = means.map((each, at) =>
		elementwise([each, deviations[at], middle], ([m = 0, s = 0, all = 0]) => s * s + (m - all) ** 2),
	);
	return elementwise([elementwise(squares, mean)], ([variance = 0]) => Math.sqrt(variance));
}

/** Goes through nested arrays of one shape together. */
function elementwise(values: readonly unknown[], combine: (values: readonly number[]) => number): unknown {
	const [first] = values;
	if (Array.isArray(first)) {
		if (values.some(value => !Array.isArray(value) || value.length !== first.length))
			throw new TypeError('shapes');
		return first.map((_, at) =>
			elementwise(
				values.map(value => (value as unknown[])[at]),
				combine,
			),
		);
	}
	if (values.some(value => typeof value !== 'number')) throw new TypeError('no numbers');
	return combine(values as number[]);
}
