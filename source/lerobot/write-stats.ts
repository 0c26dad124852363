import type {FrameValues} from './write-description.ts';

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
	values: Exclude<FrameValues, readonly string[]>,
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
		let count = 0;
		let sum = 0;
		let ascending = true;
		for (let place = dim; place < length * width; place += width) {
			const value = Number(values[place]);
			if (!Number.isFinite(value)) continue;
			if (count > 0 && value < (scratch[count - 1] ?? 0)) ascending = false;
			scratch[count++] = value;
			sum += value;
		}
		const sorted = scratch.subarray(0, count);
		const mean = sum / count;
		let squares = 0;
		for (const value of sorted) squares += (value - mean) ** 2;
		if (!ascending) sorted.sort();
		stats.min.push(sorted[0] ?? null);
		stats.max.push(sorted[count - 1] ?? null);
		stats.mean.push(count === 0 ? null : mean);
		stats.std.push(count === 0 ? null : Math.sqrt(squares / count));
		for (const name of quantileNames) stats[name].push(quantile(sorted, quantiles[name]));
	}
	return stats;
}

function quantile(sorted: Float64Array, share: number): number | null {
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) return null;
	return below + (above - below) * (place - Math.floor(place));
}

/**
 * Statistics of a whole dataset out of those of its episodes, by the reference's rules: the extremes of the
 * extremes, means weighted by frames, variances by the parallel formula, quantiles as weighted means.
 */
export class DatasetStats {
	readonly #features = new Map<string, StatsSum>();

	add(feature: string, stats: FeatureStats): void {
		let sum = this.#features.get(feature);
		if (!sum) {
			sum = {frames: 0, dims: stats.mean.map(emptyDimension)};
			this.#features.set(feature, sum);
		}
		const frames = stats.count[0] ?? 0;
		sum.frames += frames;
		for (const [dim, into] of sum.dims.entries()) addDimension(into, stats, dim, frames);
	}

	/** The content of `meta/stats.json`. */
	toJSON(): Record<string, FeatureStats> {
		return Object.fromEntries(
			[...this.#features].map(([feature, {frames, dims}]) => [
				feature,
				{
					min: dims.map(dim => finite(dim.min)),
					max: dims.map(dim => finite(dim.max)),
					mean: dims.map(dim => (dim.weight === 0 ? null : dim.mean)),
					std: dims.map(dim => finite(Math.sqrt(dim.squares / dim.weight))),
					count: [frames],
					...(Object.fromEntries(
						quantileNames.map(name => [name, dims.map(dim => finite(dim.quantiles[name] / dim.weight))]),
					) as Record<Quantile, (number | null)[]>),
				},
			]),
		);
	}
}

type DimensionSum = {
	weight: number;
	min: number;
	max: number;
	mean: number;
	squares: number;
	quantiles: Record<Quantile, number>;
};
type StatsSum = {frames: number; dims: DimensionSum[]};

function emptyDimension(): DimensionSum {
	return {
		weight: 0,
		min: Number.POSITIVE_INFINITY,
		max: Number.NEGATIVE_INFINITY,
		mean: 0,
		squares: 0,
		quantiles: {q01: 0, q10: 0, q50: 0, q90: 0, q99: 0},
	};
}

function addDimension(into: DimensionSum, stats: FeatureStats, dim: number, frames: number): void {
	const mean = stats.mean[dim] ?? null;
	if (mean === null) return;
	const weight = into.weight + frames;
	const distance = mean - into.mean;
	into.squares += (stats.std[dim] ?? 0) ** 2 * frames + (distance ** 2 * into.weight * frames) / weight;
	into.mean += (distance * frames) / weight;
	into.min = Math.min(into.min, stats.min[dim] ?? mean);
	into.max = Math.max(into.max, stats.max[dim] ?? mean);
	for (const name of quantileNames) into.quantiles[name] += (stats[name][dim] ?? mean) * frames;
	into.weight = weight;
}

function finite(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}
