import {maxJsonDepth, nestsTooDeep} from '../contract/json-depth.ts';

/** How many values an answer may hold: what reads them one by one would be at it for seconds beyond. */
const maxJsonValues = 2_000_000;

/** A text that is not JSON, nests too deep, or holds too much. */
export class JsonError extends Error {
	override readonly name = 'JsonError';
}

type SourceReviver = (this: unknown, key: string, value: unknown, context: {source?: string}) => unknown;
/** `JSON.parse` as ES2025 has it: the reviver is told the literal's source text. */
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** An integer literal of 16 digits or more standing where a value may stand: beyond 2^53 it loses digits as a double. */
const longInteger = /(?:^|[:,[\s])-?\d{16,}(?![\d.eE])/;
const integerLiteral = /^-?\d+$/;

/** True if a text holds more values than are read, by the commas between them. */
function holdsTooMuch(text: string): boolean {
	// A value and its comma are two characters at least.
	if (text.length <= maxJsonValues * 2) return false;
	let commas = 0;
	for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) {
		if (++commas > maxJsonValues) return true;
	}
	return false;
}

/**
 * Reads JSON without losing digits: an integer literal that a double cannot hold becomes a bigint, every other number
 * a number. The slow way (a reviver) is gone only when a long literal is there at all.
 *
 * @throws {JsonError} when the text is no JSON, nests deeper than {@link maxJsonDepth}, or holds too many values.
 */
export function parseJson(text: string): unknown {
	if (nestsTooDeep(text)) throw new JsonError(`nests deeper than ${maxJsonDepth} levels`);
	if (holdsTooMuch(text)) throw new JsonError(`holds more than ${maxJsonValues} values`);
	try {
		if (!longInteger.test(text)) return JSON.parse(text);
		return parseWithSource(text, (_key, value, {source}) =>
			typeof value === 'number' &&
			!Number.isSafeInteger(value) &&
			source !== undefined &&
			integerLiteral.test(source)
				? BigInt(source)
				: value,
		);
	} catch (error) {
		throw new JsonError(error instanceof Error ? error.message : 'no JSON', {cause: error});
	}
}
