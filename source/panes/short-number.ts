/** A number in few characters: three digits that say something, more of them before the point. */
export function shortNumber(value: number): string {
	if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(1);
	return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 3)));
}
