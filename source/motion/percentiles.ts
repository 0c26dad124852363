/**
 * Percentiles by linear interpolation between order statistics, as NumPy's default.
 *
 * Sorting a whole profile for four numbers would be a fifth of an episode's cost: each percentile is selected,
 * in what the one before it has left above.
 *
 * @param shares each in 0–1, ascending.
 * @returns one number a share; NaN where there are no values.
 */
export function percentiles(values: Float64Array, shares: readonly number[]): number[] {
	const parted = values.slice();
	let from = 0;
	return shares.map(share => {
		const place = share * (parted.length - 1);
		const below = Math.floor(place);
		if (parted.length === 0) return Number.NaN;
		select(parted, below, from);
		from = below;
		const low = parted[below] as number;
		const part = place - below;
		return part === 0 ? low : low + (least(parted, below + 1) - low) * part;
	});
}

/** Moves the k-th smallest value to its place, with nothing greater before and nothing smaller behind it. */
function select(values: Float64Array, k: number, from: number): void {
	let left = from;
	let right = values.length - 1;
	while (left < right) {
		const pivot = values[(left + right) >> 1] as number;
		let i = left;
		let j = right;
		while (i <= j) {
			while ((values[i] as number) < pivot) i++;
			while ((values[j] as number) > pivot) j--;
			if (i > j) break;
			const swapped = values[i] as number;
			values[i++] = values[j] as number;
			values[j--] = swapped;
		}
		if (k <= j) right = j;
		else if (k >= i) left = i;
		else return;
	}
}

function least(values: Float64Array, from: number): number {
	let least = Number.POSITIVE_INFINITY;
	for (let at = from; at < values.length; at++) {
		if ((values[at] as number) < least) least = values[at] as number;
	}
	return least;
}
