/** A line of the table of budgets. */
export type Row = {
	/** The thing measured, and the thing beside which it is measured. */
	readonly what: string;
	/** How many times the other's cost. */
	readonly ratio: number;
	readonly bound: number;
	/** The two figures behind the ratio, with their units. */
	readonly figures: string;
};

/** Prints a row; one beyond its bound makes the process end with 1. */
export function printRow({what, ratio, bound, figures}: Row): void {
	const kept = ratio <= bound;
	const verdict = kept ? '' : ' — BEYOND THE BOUND';
	console.log(`${what} | ${ratio.toFixed(2)} × | ≤ ${bound} × | ${figures}${verdict}`);
	if (!kept) process.exitCode = 1;
}
