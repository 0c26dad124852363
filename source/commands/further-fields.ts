/** A value of the service as one word of a line; undefined for nothing, and for what would fill lines. */
function wordOf(value: unknown): string | undefined {
	if (typeof value === 'string') return value === '' ? undefined : value;
	if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
		return String(value);
	return undefined;
}

/** The fields of an object that the document does not show, as they came: `[['hours', '24']]`. */
export function furtherFields(
	object: Readonly<Record<string, unknown>>,
	known: readonly string[],
): readonly (readonly [string, string])[] {
	return Object.entries(object).flatMap(([name, value]) => {
		const word = known.includes(name) ? undefined : wordOf(value);
		return word === undefined ? [] : [[name, word] as const];
	});
}

/** The same on one line: `hours=24 region=eu`. */
export function furtherLine(object: Readonly<Record<string, unknown>>, known: readonly string[]): string {
	return furtherFields(object, known)
		.map(([name, value]) => `${name}=${value}`)
		.join(' ');
}
