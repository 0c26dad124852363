/*
 * Values as literals of a statement. They go with it in its body, because parameters in the address of a request have
 * less room than a filter may take.
 */

const escapes: Readonly<Record<string, string>> = {'\\': '\\\\', "'": "\\'", '\0': '\\0'};

/** A string; nothing in it can end the literal. */
export function text(value: string): string {
	return `'${value.toWellFormed().replace(/[\\'\0]/g, found => escapes[found] ?? '')}'`;
}

export function real(value: number): string {
	if (!Number.isFinite(value)) throw new RangeError(`${value} is no number that a statement can hold.`);
	return `toFloat64(${Object.is(value, -0) ? 0 : value})`;
}

export function integer(value: number | bigint): string {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new RangeError(`${value} is no whole number.`);
	}
	return value.toString();
}

/** A list of strings, as an array. */
export function texts(values: readonly string[]): string {
	return `CAST([${values.map(text).join(', ')}], 'Array(String)')`;
}

/** Strings that a value is looked for among; of none nothing is. */
export function amongTexts(value: string, values: readonly string[]): string {
	return values.length === 0 ? '0' : `${value} IN (${values.map(text).join(', ')})`;
}

/** Whole numbers that a value is looked for among. */
export function amongIntegers(value: string, values: readonly (number | bigint)[]): string {
	return values.length === 0 ? '0' : `${value} IN (${values.map(integer).join(', ')})`;
}
