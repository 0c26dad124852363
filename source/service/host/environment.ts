/** The positive number that an environment variable holds; undefined where it is unset or holds anything else. */
export function positiveNumber(text: string | undefined): number | undefined {
	const value = Number(text);
	return text && Number.isFinite(value) && value > 0 ? value : undefined;
}
