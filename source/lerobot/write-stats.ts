import type {DuckDBConnection} from '@duckdb/node-api';
import {quotedIdentifier, quotedString} from './sql.ts';

const quantiles = {q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99} as const;
type Quantile = keyof typeof quantiles;
const quantileNames = Object.keys(quantiles) as Quantile[];

/** The names of the statistics LeRobot keeps of a feature, in its order. */
export const statNames = ['min', 'max', 'mean', 'std', 'count', ...quantileNames] as const;
export type StatName = (typeof statNames)[number];

/** For each statistic one number a dimension (`count`: one in all); null where no value was finite. */
export type FeatureStats = Readonly<Record<StatName, readonly (number | null)[]>>;

/**
 * The statistics of one feature over an episode: population standard deviation, quantiles interpolated
 * linearly between order statistics (the reference approximates them by a histogram of 5,000 bins). Values
 * that are not finite are left out.
 *
 * @param values `length × width` numbers.
 */
export function featureStats(
	values: ArrayLike<number | bigint>,
	length: number,
	width: number,
): FeatureStats {
	const stats: Record<StatName, (number | null)[]> = {
		min: [],
		max: [],
		mean: [],
		std: [],
		count: [length],
		q01: [],
		q10: [],
		q50: [],
		q90: [],
		q99: [],
	};
	const scratch = new Float64Array(length);
	for (let dim = 0; dim < width; dim++) {
		const {count, ascending} = takeFinite(values, dim, width, length * width, scratch);
		let sum = 0;
		for (let place = 0; place < count; place++) sum += scratch[place] as number;
		const sorted = scratch.subarray(0, count);
		const mean = sum / count;
		let squares = 0;
		for (let place = 0; place < count; place++) {
			const off = (scratch[place] as number) - mean;
			squares += off * off;
		}
		if (!ascending) sorted.sort();
		stats.min.push(sorted[0] ?? null);
		stats.max.push(sorted[count - 1] ?? null);
		stats.mean.push(count === 0 ? null : mean);
		stats.std.push(count === 0 ? null : Math.sqrt(squares / count));
		for (const name of quantileNames) stats[name].push(quantile(sorted, quantiles[name]));
	}
	return stats;
}

/** The finite ones among every so manieth value, in their order. */
function takeFinite(
	values: ArrayLike<number | bigint>,
	from: number,
	step: number,
	end: number,
	into: Float64Array,
): {count: number; ascending: boolean} {
	// Nearly all values are of this kind, which is read several times as fast where it is known.
	if (values instanceof Float32Array) return takeFiniteFloats(values, from, step, end, into);
	let count = 0;
	let ascending = true;
	for (let place = from; place < end; place += step) {
		const value = Number(values[place]);
		if (!Number.isFinite(value)) continue;
		if (count > 0 && value < (into[count - 1] as number)) ascending = false;
		into[count++] = value;
	}
	return {count, ascending};
}

function takeFiniteFloats(
	values: Float32Array,
	from: number,
	step: number,
	end: number,
	into: Float64Array,
): {count: number; ascending: boolean} {
	let count = 0;
	let ascending = true;
	let last = Number.NEGATIVE_INFINITY;
	for (let place = from; place < end; place += step) {
		const value = values[place] as number;
		if (!Number.isFinite(value)) continue;
		if (value < last) ascending = false;
		last = value;
		into[count++] = value;
	}
	return {count, ascending};
}

function quantile(sorted: Float64Array, share: number): number | null {
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) return null;
	return below + (above - below) * (place - Math.floor(place));
}

/** How many values of 0 to 255 each channel of some pictures has. */
export type PictureCounts = readonly Float64Array[];

/** The quantiles that are kept, of each dimension; null where no value was finite. */
export type Quantiles = Readonly<Record<Quantile, readonly (number | null)[]>>;

/**
 * Statistics of a whole dataset out of those of its episodes: the extremes of the extremes, means weighted by the counts,
 * variances by the parallel formula. Quantiles do not follow from those of parts. Where all values can be read again they
 * are set from them; those of pictures are counted where all were, else read off the mixture of the parts' distributions,
 * each taken as straight between its quantiles.
 */
export class DatasetStats {
	readonly #features = new Map<string, StatsSum>();

	/** @param counts where the statistics are of pictures that were sampled */
	add(feature: string, stats: FeatureStats, counts?: PictureCounts): void {
		let sum = this.#features.get(feature);
		if (!sum) {
			sum = {count: 0, dims: stats.mean.map(emptyDimension), counts: counts?.map(each => each.slice())};
			this.#features.set(feature, sum);
		} else if (sum.counts !== undefined) {
			if (counts === undefined) sum.counts = undefined;
			else for (const [dim, into] of sum.counts.entries()) addCounts(into, counts[dim]);
		}
		const count = stats.count[0] ?? 0;
		sum.count += count;
		for (const [dim, into] of sum.dims.entries()) addDimension(into, stats, dim, count);
	}

	/** Sets the quantiles of a feature whose values could all be read. */
	setQuantiles(feature: string, found: Quantiles): void {
		const sum = this.#features.get(feature);
		if (sum) sum.quantiles = found;
	}

	get(feature: string): Partial<FeatureStats> | undefined {
		const sum = this.#features.get(feature);
		if (!sum) return undefined;
		const {count, dims} = sum;
		return {
			min: dims.map(dim => finite(dim.min)),
			max: dims.map(dim => finite(dim.max)),
			mean: dims.map(dim => (dim.weight === 0 ? null : dim.mean)),
			std: dims.map(dim => finite(Math.sqrt(dim.squares / dim.weight))),
			count: [count],
			...quantilesOf(sum),
		};
	}
}

/** @returns none where a part has none */
function quantilesOf({quantiles: set, counts, dims}: StatsSum): Partial<Quantiles> {
	if (set) return set;
	if (!counts && dims.some(({parts}) => parts.some(({stats}) => stats.some(value => value === null))))
		return {};
	return ofEachQuantile(share =>
		counts
			? counts.map(each => countedQuantile(each, share))
			: dims.map(({parts}) => mixedQuantile(parts, share)),
	);
}

function ofEachQuantile(of: (share: number) => (number | null)[]): Quantiles {
	return Object.fromEntries(quantileNames.map(name => [name, of(quantiles[name])])) as Record<
		Quantile,
		(number | null)[]
	>;
}

type Part = {
	readonly weight: number /** Minimum, quantiles, maximum. */;
	readonly stats: readonly (number | null)[];
};
type DimensionSum = {
	weight: number;
	min: number;
	max: number;
	mean: number;
	squares: number;
	readonly parts: Part[];
};
type StatsSum = {
	count: number;
	readonly dims: DimensionSum[];
	counts: Float64Array[] | undefined;
	quantiles?: Quantiles;
};

function emptyDimension(): DimensionSum {
	return {
		weight: 0,
		min: Number.POSITIVE_INFINITY,
		max: Number.NEGATIVE_INFINITY,
		mean: 0,
		squares: 0,
		parts: [],
	};
}

function addDimension(into: DimensionSum, stats: FeatureStats, dim: number, count: number): void {
	const mean = stats.mean[dim] ?? null;
	if (mean === null) return;
	const weight = into.weight + count;
	const distance = mean - into.mean;
	into.squares += (stats.std[dim] ?? 0) ** 2 * count + (distance ** 2 * into.weight * count) / weight;
	into.mean += (distance * count) / weight;
	into.min = Math.min(into.min, stats.min[dim] ?? mean);
	into.max = Math.max(into.max, stats.max[dim] ?? mean);
	const names = ['min', ...quantileNames, 'max'] as const;
	into.parts.push({weight: count, stats: names.map(name => stats[name][dim] ?? null)});
	into.weight = weight;
}

function addCounts(into: Float64Array, counts: Float64Array | undefined): void {
	for (let value = 0; value < into.length; value++) into[value] = (into[value] ?? 0) + (counts?.[value] ?? 0);
}

/** The shares that the statistics of a part stand at. */
const partShares = [0, ...Object.values(quantiles), 1];

/** Halvings of the range that a quantile of a mixture is looked for in: to a millionth of a millionth of it. */
const halvings = 40;

/** The least value that a share of all parts together is at or below. */
function mixedQuantile(parts: readonly Part[], share: number): number | null {
	if (parts.length === 0) return null;
	const all = parts as readonly {readonly weight: number; readonly stats: readonly number[]}[];
	const total = all.reduce((sum, {weight}) => sum + weight, 0);
	const below = (value: number) =>
		all.reduce((sum, {weight, stats}) => sum + weight * shareBelow(stats, value), 0) / total;
	let low = Math.min(...all.map(({stats}) => stats[0] ?? 0));
	let high = Math.max(...all.map(({stats}) => stats.at(-1) ?? 0));
	if (below(low) >= share) return low;
	for (let step = 0; step < halvings; step++) {
		const middle = (low + high) / 2;
		if (below(middle) >= share) high = middle;
		else low = middle;
	}
	return high;
}

/** The share of a part that is at or below a value. */
function shareBelow(stats: readonly number[], value: number): number {
	const place = stats.findLastIndex(each => each <= value);
	if (place < 0) return 0;
	const [from, to] = [stats[place] as number, stats[place + 1]];
	if (to === undefined) return 1;
	const [start, end] = [partShares[place] as number, partShares[place + 1] as number];
	return start + ((end - start) * (value - from)) / (to - from);
}

/** The values that a quantile lies between, by their places in order: how often each of 0 to 255 occurs is known. */
function countedQuantile(counts: Float64Array, share: number): number | null {
	const total = counts.reduce((sum, count) => sum + count, 0);
	if (total === 0) return null;
	const place = share * (total - 1);
	const at = (wanted: number) => {
		let seen = 0;
		return counts.findIndex(count => {
			seen += count;
			return seen > wanted;
		});
	};
	const below = at(Math.floor(place));
	return (below + (at(Math.ceil(place)) - below) * (place - Math.floor(place))) / 255;
}

/** Statistics of pictures of which the values are counted, as shares of 255; one sample each. */
export function countedStats(counts: PictureCounts, pictures: number): FeatureStats {
	const of = (value: (counts: Float64Array, total: number) => number) =>
		counts.map(each =>
			value(
				each,
				each.reduce((sum, count) => sum + count, 0),
			),
		);
	const moment = (each: Float64Array, total: number, power: (value: number) => number) =>
		each.reduce((sum, count, value) => sum + count * power(value / 255), 0) / total;
	const mean = of((each, total) => moment(each, total, value => value));
	return {
		min: of(each => each.findIndex(count => count > 0) / 255),
		max: of(each => each.findLastIndex(count => count > 0) / 255),
		mean,
		std: counts.map((each, dim) =>
			Math.sqrt(
				moment(
					each,
					each.reduce((sum, count) => sum + count, 0),
					value => (value - (mean[dim] ?? 0)) ** 2,
				),
			),
		),
		count: [pictures],
		...ofEachQuantile(share => counts.map(each => countedQuantile(each, share))),
	};
}

/** Statistics of pictures as they are written: one number a channel, as a picture of one pixel. */
export function asPicture(stats: Partial<FeatureStats>): object {
	return Object.fromEntries(
		Object.entries(stats).map(([stat, items]) => [
			stat,
			stat === 'count' ? items : items.map(item => [[item]]),
		]),
	);
}

function finite(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}

/** Numbers that DuckDB holds at once for their quantiles, which it can only tell when it has all of a column. */
const mostHeld = 8_000_000;

type NumericColumn = {readonly name: string; readonly width: number};

/** The quantiles of numeric columns over all rows of parquet files, interpolated linearly between order statistics. */
export async function columnQuantiles(
	connection: DuckDBConnection,
	files: readonly string[],
	columns: readonly NumericColumn[],
	rows: number,
): Promise<ReadonlyMap<string, Quantiles>> {
	const dimensions = columns.flatMap(({name, width}) =>
		Array.from({length: width}, (_, dim) => ({
			name,
			value: width === 1 ? quotedIdentifier(name) : `${quotedIdentifier(name)}[${dim + 1}]`,
		})),
	);
	const source = `read_parquet([${files.map(quotedString).join(', ')}])`;
	const shares = `[${Object.values(quantiles).join(', ')}]`;
	const atOnce = Math.max(1, Math.floor(mostHeld / Math.max(1, rows)));
	const found: (readonly unknown[] | null)[] = [];
	for (let from = 0; from < dimensions.length; from += atOnce) {
		const wanted = dimensions.slice(from, from + atOnce).map(({value}) => {
			const number = `CAST(${value} AS DOUBLE)`;
			return `quantile_cont(${number}, ${shares}) FILTER (isfinite(${number}))`;
		});
		const answer = await connection.runAndReadAll(`SELECT ${wanted.join(', ')} FROM ${source}`);
		found.push(...((answer.getRowsJS()[0] ?? []) as (readonly unknown[] | null)[]));
	}
	const byColumn = Map.groupBy(dimensions.keys(), place => dimensions[place]?.name ?? '');
	return new Map(
		[...byColumn].map(([name, places]) => [
			name,
			Object.fromEntries(
				quantileNames.map((quantile, at) => [quantile, places.map(place => numberOf(found[place]?.[at]))]),
			) as Record<Quantile, (number | null)[]>,
		]),
	);
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
