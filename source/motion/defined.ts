/** @returns the value where it is a number one can compare, null where it is undefined. */
export function defined(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}
