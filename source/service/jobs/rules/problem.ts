/** A problem of a fine-tune request: the field, and the values that would fit. */
export type OrderProblem = {readonly field: string; readonly message: string};

/** A list of names for a sentence; long ones are cut. */
export function named(names: readonly string[], most = 12): string {
	if (names.length === 0) return 'none';
	const rest = names.length - most;
	return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
