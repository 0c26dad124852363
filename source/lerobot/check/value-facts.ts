import {reasonOf} from '../dataset-error.ts';
import type {ReadDatabase} from '../read-database.ts';
import {quotedIdentifier} from '../sql.ts';
import type {DatasetFacts} from './dataset-facts.ts';
import {type DataFile, type FrameFacts, framesFrom, numericColumn} from './frame-facts.ts';

/** The values of one dimension, summed up. */
export type DimensionFacts = {
	readonly count: number;
	readonly min: number;
	readonly max: number;
	readonly mean: number;
	readonly std: number;
};

/** The values of a feature, by episode and over all. */
export type ValueFacts = {
	readonly width: number;
	readonly episodes: ReadonlyMap<number, readonly DimensionFacts[]>;
	readonly whole: readonly DimensionFacts[];
};

export const quantileShares = {q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99} as const;
export type QuantileName = keyof typeof quantileShares;
export const quantileNames = Object.keys(quantileShares) as QuantileName[];

/** Dimensions that one query takes. */
const dimensionsAtOnce = 64;
/** Dimensions a feature may have to be compared. */
const maxDimensions = 4096;

/** The files that have a feature as numbers, and how many it has a frame; undefined where no file has it so. */
function havingNumbers(
	{info}: DatasetFacts,
	{files}: FrameFacts,
	name: string,
): {files: DataFile[]; width: number; isList: boolean} | undefined {
	const having = files.filter(({columns}) => numericColumn.test(columns.get(name) ?? ''));
	const type = having[0]?.columns.get(name);
	const shape = info.features[name]?.shape ?? [];
	if (type === undefined || having.length < files.length || shape.length > 1) return undefined;
	const isList = type.endsWith(']');
	const width = isList ? (shape[0] ?? 0) : 1;
	if (width < 1 || width > maxDimensions) return undefined;
	return {files: having, width, isList};
}

/** Reads a feature once, for each episode; undefined where it has no column of numbers, or cannot be read. */
export async function readValues(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	name: string,
): Promise<ValueFacts | undefined> {
	const having = havingNumbers(facts, frames, name);
	if (!having) return undefined;
	const episodes = new Map<number, DimensionFacts[]>();
	for (let from = 0; from < having.width; from += dimensionsAtOnce) {
		const until = Math.min(having.width, from + dimensionsAtOnce);
		const values = Array.from({length: until - from}, (_, at) => `v${at}`);
		const taken = values.map((value, at) => `${element(name, having.isList, from + at)} AS ${value}`);
		const figures = values.flatMap(value => [
			`count(${value})`,
			`min(${value})`,
			`max(${value})`,
			`avg(${value})`,
			`stddev_pop(${value})`,
		]);
		try {
			const read = await database.query(
				`SELECT e, ${figures.join(', ')} FROM (SELECT TRY_CAST(episode_index AS BIGINT) AS e, ${taken.join(', ')}
					FROM ${framesFrom(having.files)}) GROUP BY e`,
			);
			for (const [episode, ...found] of read.getRows()) {
				const dims = episodes.get(Number(episode)) ?? [];
				episodes.set(Number(episode), dims);
				for (let at = 0; at < found.length; at += 5) {
					const [count, min, max, mean, std] = found.slice(at, at + 5).map(Number);
					dims.push({count: count ?? 0, min: min ?? 0, max: max ?? 0, mean: mean ?? 0, std: std ?? 0});
				}
			}
		} catch (error) {
			// An unreadable file was reported with its frames.
			reasonOf(error);
			return undefined;
		}
	}
	const whole = Array.from({length: having.width}, (_, dim) =>
		joined([...episodes.values()].flatMap(dims => dims[dim] ?? [])),
	);
	return {width: having.width, episodes, whole};
}

/** A number of a feature; null where it is none that counts. */
function element(name: string, isList: boolean, dim: number): string {
	const value = `${quotedIdentifier(name)}${isList ? `[${dim + 1}]` : ''}::DOUBLE`;
	return `CASE WHEN isfinite(${value}) THEN ${value} END`;
}

/** Several parts as one: means by their counts, variances by the parallel formula. */
function joined(parts: readonly DimensionFacts[]): DimensionFacts {
	let count = 0;
	let mean = 0;
	let squares = 0;
	let min = Number.POSITIVE_INFINITY;
	let max = Number.NEGATIVE_INFINITY;
	for (const part of parts) {
		if (part.count === 0) continue;
		const distance = part.mean - mean;
		const sum = count + part.count;
		squares += part.std ** 2 * part.count + (distance ** 2 * count * part.count) / sum;
		mean += (distance * part.count) / sum;
		count = sum;
		min = Math.min(min, part.min);
		max = Math.max(max, part.max);
	}
	return {count, min, max, mean, std: count === 0 ? 0 : Math.sqrt(squares / count)};
}

/** Between which values a quantile may lie, however it is interpolated; by its name, one pair a dimension. */
export type QuantileBounds = Readonly<Record<QuantileName, readonly (readonly [number, number])[]>>;

/** Frames up to which quantiles are computed from all of them. */
const maxSorted = 2_000_000;

export async function readQuantiles(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	name: string,
): Promise<QuantileBounds | undefined> {
	const having = havingNumbers(facts, frames, name);
	const rows = frames.totalRows;
	if (!having || rows === 0) return undefined;
	// Ways of interpolating differ by a place or two among the sorted values; sketches by more.
	const slack = rows > maxSorted ? 0.01 : 1.5 / rows + 1e-4;
	const quantile = rows > maxSorted ? 'approx_quantile' : 'quantile_disc';
	const shares = quantileNames.flatMap(key => [
		Math.max(0, quantileShares[key] - slack),
		Math.min(1, quantileShares[key] + slack),
	]);
	const found: number[][] = [];
	for (let from = 0; from < having.width; from += dimensionsAtOnce) {
		const until = Math.min(having.width, from + dimensionsAtOnce);
		const figures = Array.from(
			{length: until - from},
			(_, at) => `${quantile}(${element(name, having.isList, from + at)}, [${shares.join(', ')}])`,
		);
		const read = await database.query(`SELECT ${figures.join(', ')} FROM ${framesFrom(having.files)}`);
		for (const list of read.getRowsJS()[0] ?? []) {
			found.push(Array.isArray(list) ? list.map(Number) : shares.map(() => Number.NaN));
		}
	}
	return Object.fromEntries(
		quantileNames.map((key, at) => [
			key,
			found.map(list => [list[at * 2] ?? Number.NaN, list[at * 2 + 1] ?? Number.NaN] as const),
		]),
	) as Record<QuantileName, (readonly [number, number])[]>;
}

/** A quantile of one dimension in each episode, with its frames. */
export async function readEpisodeQuantiles(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	{name, key, dim}: {name: string; key: QuantileName; dim: number},
): Promise<{value: number; count: number}[]> {
	const having = havingNumbers(facts, frames, name);
	if (!having) return [];
	const read = await database.query(
		`SELECT quantile_cont(v, ${quantileShares[key]}), count(v) FROM (
			SELECT episode_index AS e, ${element(name, having.isList, dim)} AS v FROM ${framesFrom(having.files)})
		GROUP BY e HAVING count(v) > 0`,
	);
	return read.getRows().map(([value, count]) => ({value: Number(value), count: Number(count)}));
}
