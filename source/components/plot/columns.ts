/** The least and the greatest value of each part of a course; null where there is none. */
export type Course = {
	readonly min: readonly (number | null)[];
	readonly max: readonly (number | null)[];
};

/** The values of a plot at one cell of its width; undefined without data. */
export type Extent = {readonly low: number; readonly high: number} | undefined;

/** A part of a course, in shares of its length. */
type Span = {readonly from: number; readonly until: number};

const wholeSpan: Span = {from: 0, until: 1};

/**
 * Sums a part of a course up in `count` places. Each bucket that lies in the part is in one of them at least, so that no
 * extreme is lost; where there are fewer buckets than places, neighbours show the same one. What lies beyond the course is
 * not known.
 */
export function columnsOf(
	{min, max}: Course,
	count: number,
	{from, until}: Span = wholeSpan,
): readonly Extent[] {
	const buckets = Math.min(min.length, max.length);
	const first = from * buckets;
	const step = ((until - from) * buckets) / count;
	return Array.from({length: count}, (_, place) => {
		const reached = Math.floor(first + place * step + slack);
		const begin = Math.max(0, reached);
		const end = Math.min(buckets, Math.max(reached + 1, Math.ceil(first + (place + 1) * step - slack)));
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let bucket = begin; bucket < end; bucket++) {
			const least = min[bucket];
			const greatest = max[bucket];
			if (isKnown(least)) low = Math.min(low, least);
			if (isKnown(greatest)) high = Math.max(high, greatest);
		}
		return low <= high ? {low, high} : undefined;
	});
}

/** Sums of fractions miss whole numbers by less than this. */
const slack = 1e-9;

function isKnown(value: number | null | undefined): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

/** A course that is one value each part. */
export function courseOf(values: readonly (number | null)[]): Course {
	return {min: values, max: values};
}

/** The range of all values drawn; undefined without values. */
export function rangeOf(columns: readonly (readonly Extent[])[]): Extent {
	let low = Number.POSITIVE_INFINITY;
	let high = Number.NEGATIVE_INFINITY;
	for (const extent of columns.flat()) {
		if (extent === undefined) continue;
		low = Math.min(low, extent.low);
		high = Math.max(high, extent.high);
	}
	return low <= high ? {low, high} : undefined;
}
