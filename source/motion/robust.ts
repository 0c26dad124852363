/** How some figures lie: their median, and how far they scatter to either side. */
export type Scatter = {readonly median: number; readonly below: number; readonly above: number};

/** Makes the median absolute deviation estimate a normal distribution's standard deviation. */
const madScale = 1.4826;

/** So many standard deviations a normal distribution's 80th percentile lies above its median. */
const tail = 0.8416;

/** Sorts the finite ones of some values. */
export function sortedFinite(values: ArrayLike<number>): Float64Array {
	let count = 0;
	const kept = new Float64Array(values.length);
	for (let at = 0; at < values.length; at++) {
		const value = values[at] as number;
		if (Number.isFinite(value)) kept[count++] = value;
	}
	return kept.subarray(0, count).sort();
}

/** By linear interpolation between order statistics; NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median, and for either side the median absolute deviation as a standard deviation, or what the 20th or the 80th
 * percentile says of that side where that is more: figures are skewed. Half of the values may be anything without moving
 * the median beyond the others; up to 20 % on one side leave the scale what it is.
 */
export function scatterOf(values: ArrayLike<number>): Scatter {
	const sorted = sortedFinite(values);
	const median = quantile(sorted, 0.5);
	const mad = madScale * medianDeviation(sorted, median);
	return {
		median,
		below: Math.max(mad, (median - quantile(sorted, 0.2)) / tail),
		above: Math.max(mad, (quantile(sorted, 0.8) - median) / tail),
	};
}

/** The median of |value − median|, of sorted values, by merging the two sides: no second sort. */
export function medianDeviation(sorted: Float64Array, median: number): number {
	const {length} = sorted;
	if (length === 0) return Number.NaN;
	let up = firstAtLeast(sorted, median);
	let down = up - 1;
	const wanted = (length - 1) / 2;
	let low = 0;
	let high = 0;
	for (let taken = 0; taken <= Math.ceil(wanted); taken++) {
		const above = up < length ? (sorted[up] as number) - median : Number.POSITIVE_INFINITY;
		const below = down >= 0 ? median - (sorted[down] as number) : Number.POSITIVE_INFINITY;
		const next = Math.min(above, below);
		if (above <= below) up++;
		else down--;
		if (taken === Math.floor(wanted)) low = next;
		high = next;
	}
	return (low + high) / 2;
}

/** The place of the first value that is not below another. */
export function firstAtLeast(sorted: ArrayLike<number>, value: number): number {
	let from = 0;
	let until = sorted.length;
	while (from < until) {
		const middle = (from + until) >> 1;
		if ((sorted[middle] as number) < value) from = middle + 1;
		else until = middle;
	}
	return from;
}

/** How far a tail may be beyond what the middle tells: so much is forgiven to figures that scatter unevenly. */
const longestTail = 2.5;

/** The next value belongs to the others where it is at most so many times as far from the median as the one before. */
const step = 1.3;

/**
 * As `scatterOf`, with the tails that the figures have: from the 80th percentile outwards each value that follows the one
 * before without a gap belongs to the others, and the scale is such that none of these lies farther out than its rank
 * does among normal ones. Beyond a gap lie those that are odd, and however many they are, up to a fifth, they do not
 * widen it.
 */
export function tailedScatterOf(values: ArrayLike<number>): Scatter {
	const sorted = sortedFinite(values);
	const median = quantile(sorted, 0.5);
	const mad = madScale * medianDeviation(sorted, median);
	const side = (sign: 1 | -1): number => {
		const at = (place: number) =>
			sign * ((sorted[sign > 0 ? place : sorted.length - 1 - place] as number) - median);
		const first = Math.floor(0.8 * (sorted.length - 1));
		const plain = Math.max(mad, (sign * (quantile(sorted, sign > 0 ? 0.8 : 0.2) - median)) / tail);
		let scale = plain;
		for (let place = first + 1; place < sorted.length; place++) {
			const value = at(place);
			if (value > step * Math.max(at(place - 1), plain)) break;
			scale = Math.max(scale, value / normalQuantile((place + 0.6) / (sorted.length + 0.2)));
		}
		return Math.min(scale, longestTail * plain);
	};
	return {median, below: side(-1), above: side(1)};
}

/** A gap of so many standard deviations parts those that are alike from those that are not. */
const parting = 6;

/** Those that are alike must be so many; of fewer there are several kinds. */
const majority = 0.55;

/**
 * As `tailedScatterOf`, of the majority that is alike: from the shortest half outwards, up to a gap on either side. For
 * figures that the task has no ways of, it holds while 40 % share a fault.
 *
 * @param floor the least standard deviation
 */
export function coreScatterOf(values: ArrayLike<number>, floor: number): Scatter {
	const sorted = sortedFinite(values);
	const half = (sorted.length >> 1) + 1;
	let from = 0;
	for (let at = 1; at + half <= sorted.length; at++) {
		const width = (sorted[at + half - 1] as number) - (sorted[at] as number);
		if (width < (sorted[from + half - 1] as number) - (sorted[from] as number)) from = at;
	}
	let until = Math.min(sorted.length, from + half);
	const middle = ((sorted[from] as number) + (sorted[until - 1] as number)) / 2;
	const deviation = Math.max(floor, ((sorted[until - 1] as number) - (sorted[from] as number)) / 1.349);
	const near = (gap: number, away: number) => gap <= Math.max(parting * deviation, (step - 1) * away);
	while (
		until < sorted.length &&
		near((sorted[until] as number) - (sorted[until - 1] as number), (sorted[until - 1] as number) - middle)
	)
		until++;
	while (
		from > 0 &&
		near((sorted[from] as number) - (sorted[from - 1] as number), middle - (sorted[from] as number))
	)
		from--;
	return tailedScatterOf(until - from < majority * sorted.length ? sorted : sorted.subarray(from, until));
}

/** A normal distribution's quantile above the median, to some thousandths (Hastings 1955). */
function normalQuantile(share: number): number {
	const t = Math.sqrt(-2 * Math.log(1 - share));
	return (
		t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
	);
}
