import type {Bucketed} from '../../contract/local-series.ts';

/** Digits of a value that is drawn: a terminal shows two or three of them. */
const digits = 4;

/** The least and the greatest value of each of `width` parts. */
export function bucketsOf(values: ArrayLike<number>, width: number, offset = 0, step = 1): Bucketed {
	const count = Math.floor((values.length - offset + step - 1) / step);
	const min: (number | null)[] = [];
	const max: (number | null)[] = [];
	for (let bucket = 0; bucket < width; bucket++) {
		const from = Math.floor((bucket * count) / width);
		// A profile has a value less than there are frames: where buckets are frames the last looks back.
		const until = Math.max(from + 1, Math.floor(((bucket + 1) * count) / width));
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let at = Math.min(from, count - 1); at >= 0 && at < until && at < count; at++) {
			const value = values[offset + at * step] as number;
			if (value < low) low = value;
			if (value > high) high = value;
		}
		min.push(shortened(low));
		max.push(shortened(high));
	}
	return {min, max};
}

/** The least and the greatest value of all. */
export function extremesOf(
	values: ArrayLike<number>,
	offset = 0,
	step = 1,
): {low: number | null; high: number | null} {
	const {min, max} = bucketsOf(values, 1, offset, step);
	return {low: min[0] ?? null, high: max[0] ?? null};
}

/** @returns null for what is no finite number */
export function shortened(value: number): number | null {
	return Number.isFinite(value) ? Number(value.toPrecision(digits)) : null;
}
