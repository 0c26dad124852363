/** How the siblings lie: their middle, how far they scatter to either side, and between what most of them are. */
export type Spread = {
	readonly median: number;
	/** Standard deviations, one for each side, as robust estimates. */
	readonly above: number;
	readonly below: number;
	/** The 5th and the 95th percentile. */
	readonly low: number;
	readonly high: number;
	readonly count: number;
};

/** Makes the median absolute deviation estimate a normal distribution's standard deviation. */
const madScale = 1.4826;

/** So many standard deviations a normal distribution's 90th percentile lies above its median. */
const tail = 1.2816;

/** Up to so many values each is set against the others alone; among more, one makes no difference. */
const fewValues = 64;

/**
 * The spreads that each of some values is to be set against: that of the others.
 *
 * The scale is the median absolute deviation (Iglewicz & Hoaglin, "How to Detect and Handle Outliers", 1993; Leys et
 * al. 2013), or what the 10th and the 90th percentile say of either side where that is more: durations are skewed, and
 * people do a task in two ways, which the middle half of them does not show.
 *
 * @param values NaN where an episode has none
 * @returns for each value; undefined where it or too many of the others are unknown
 */
export function spreadsOfOthers(values: Float64Array, least: number): (Spread | undefined)[] {
	const sorted = values.filter(value => !Number.isNaN(value)).sort();
	if (sorted.length <= least) return Array.from(values, () => undefined);
	if (sorted.length > fewValues) {
		const all = spreadOf(sorted);
		return Array.from(values, value => (Number.isNaN(value) ? undefined : all));
	}
	return Array.from(values, value => {
		if (Number.isNaN(value)) return undefined;
		const place = sorted.indexOf(value);
		return spreadOf(sorted.filter((_, at) => at !== place));
	});
}

/** @param sorted at least one value, ascending */
function spreadOf(sorted: Float64Array): Spread {
	const median = quantile(sorted, 0.5);
	const mad = madScale * quantile(sorted.map(value => Math.abs(value - median)).sort(), 0.5);
	return {
		median,
		above: Math.max(mad, (quantile(sorted, 0.9) - median) / tail),
		below: Math.max(mad, (median - quantile(sorted, 0.1)) / tail),
		low: quantile(sorted, 0.05),
		high: quantile(sorted, 0.95),
		count: sorted.length,
	};
}

/** By linear interpolation between order statistics. */
export function quantile(sorted: Float64Array, share: number): number {
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

/** How many of `sorted` lie within `reach` of a value. */
export function neighbours(sorted: Float64Array, value: number, reach: number): number {
	return firstAbove(sorted, value + reach) - firstAbove(sorted, value - reach);
}

function firstAbove(sorted: Float64Array, value: number): number {
	let from = 0;
	let until = sorted.length;
	while (from < until) {
		const middle = (from + until) >> 1;
		if ((sorted[middle] as number) > value) until = middle;
		else from = middle + 1;
	}
	return from;
}
