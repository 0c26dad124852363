import {appendFileSync, createReadStream} from 'node:fs';
import {createInterface} from 'node:readline';
import type {JobSeries} from '../../../contract/local-jobs.ts';

/** The numbers that a trainer printed at one step. */
export type SeriesPoint = {
	readonly step: number;
	readonly values: Readonly<Record<string, number | null>>;
};

/** Points that are kept of a training, about: one of very many steps is kept at every so many lines of its log. */
const mostKept = 20_000;

/** How many lines of the log come to one point that is kept. */
export const linesAPoint = (steps: number | null, logEvery: number): number =>
	Math.max(1, Math.ceil((steps ?? 0) / logEvery / mostKept));

/** Keeps points behind those that are there already, a line each; the first is on a new one, whatever a kill cut off. */
export function appendPoints(file: string, points: readonly SeriesPoint[]): void {
	const lines = points.map(({step, values}) => `${JSON.stringify([step, values])}\n`);
	if (lines.length > 0) appendFileSync(file, `\n${lines.join('')}`, {mode: 0o600});
}

function pointOf(line: string): SeriesPoint | undefined {
	try {
		const [step, values] = JSON.parse(line) as [number, SeriesPoint['values']];
		return typeof step === 'number' && typeof values === 'object' && values !== null
			? {step, values}
			: undefined;
	} catch {
		// A service that was killed left a part of a line.
		return undefined;
	}
}

/**
 * Reads what was kept. A training that went on from a checkpoint tells of its steps again: what it told of them before is
 * of a run that was given up.
 */
async function readPoints(file: string): Promise<SeriesPoint[]> {
	const points: SeriesPoint[] = [];
	const stream = createReadStream(file, 'utf8');
	try {
		for await (const line of createInterface({input: stream, crlfDelay: Number.POSITIVE_INFINITY})) {
			const point = pointOf(line);
			if (!point) continue;
			while ((points.at(-1)?.step ?? -1) > point.step) points.pop();
			const last = points.at(-1);
			if (last?.step === point.step) points.pop();
			points.push(last?.step === point.step ? {...point, values: {...last.values, ...point.values}} : point);
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	} finally {
		stream.destroy();
	}
	return points;
}

/** As many as `limit`, evenly over all of them, the first and the last among them. */
function thinned<Item>(items: readonly Item[], limit: number): readonly Item[] {
	if (items.length <= limit) return items;
	if (limit === 1) return items.slice(-1);
	return Array.from(
		{length: limit},
		(_, at) => items[Math.round((at * (items.length - 1)) / (limit - 1))] as Item,
	);
}

/** The series of a training, each as long as `steps`. */
export async function readSeries(
	file: string,
	limit: number,
): Promise<Pick<JobSeries, 'total' | 'steps' | 'series'>> {
	const all = await readPoints(file);
	const points = thinned(all, limit);
	const names = [...new Set(all.flatMap(({values}) => Object.keys(values)))];
	return {
		total: all.length,
		steps: points.map(({step}) => step),
		series: Object.fromEntries(
			names.map(name => [name, points.map(({values}) => values[name] ?? null)] as const),
		),
	};
}
