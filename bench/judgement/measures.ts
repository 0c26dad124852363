/** The chance that a positive is above a negative, ties counted half. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
	let wins = 0;
	for (const positive of positives)
		for (const negative of negatives) wins += positive > negative ? 1 : positive === negative ? 0.5 : 0;
	return wins / (positives.length * negatives.length);
}

/** The share of positives above all but a share of the negatives. */
export function recallAt(share: number, positives: readonly number[], negatives: readonly number[]): number {
	const sorted = [...negatives].sort((a, b) => b - a);
	const threshold = sorted[Math.floor(share * sorted.length)] ?? Number.NEGATIVE_INFINITY;
	return positives.filter(value => value > threshold).length / positives.length;
}

export const mean = (values: readonly number[]) =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Spearman's rank correlation, ties by their mean rank. */
export function spearman(one: readonly number[], two: readonly number[]): number {
	const [a, b] = [ranks(one), ranks(two)];
	const [meanA, meanB] = [mean(a), mean(b)];
	let both = 0;
	let squaresA = 0;
	let squaresB = 0;
	for (const [place, rank] of a.entries()) {
		const other = (b[place] as number) - meanB;
		both += (rank - meanA) * other;
		squaresA += (rank - meanA) ** 2;
		squaresB += other ** 2;
	}
	return both / Math.sqrt(squaresA * squaresB);
}

export function ranks(values: readonly number[]): number[] {
	const order = values.map((value, place) => ({value, place})).sort((a, b) => a.value - b.value);
	const result = new Array<number>(values.length);
	for (let from = 0; from < order.length; ) {
		let until = from;
		while (until < order.length && order[until]?.value === order[from]?.value) until++;
		for (let at = from; at < until; at++) result[order[at]?.place as number] = (from + until - 1) / 2;
		from = until;
	}
	return result;
}
