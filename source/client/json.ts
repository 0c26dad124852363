import {maxJsonDepth, nestsTooDeep} from '../contract/json-depth.ts';

/** A text that is no JSON, or nests too deep. */
export class JsonError extends Error {
	override readonly name = 'JsonError';
}

type SourceReviver = (this: unknown, key: string, value: unknown, context: {source?: string}) => unknown;
/** `JSON.parse` as ES2025 has it: the reviver is told the literal's source text. */
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** An integer literal of 16 digits or more standing where a value may stand: beyond 2^53 it loses digits as a double. */
const longInteger = /(?:^|[:,[\s])-?\d{16,}(?![\d.eE])/;
const integerLiteral = /^-?\d+$/;

/**
 * Reads JSON without losing digits: an integer literal that a double cannot hold becomes a bigint, every other number
 * a number. The slow way (a reviver) is gone only when a long literal is there at all.
 *
 * @throws {JsonError} when the text is no JSON or nests deeper than {@link maxJsonDepth}.
 */
export function parseJson(text: string): unknown {
	if (nestsTooDeep(text)) throw new JsonError(`nests deeper than ${maxJsonDepth} levels`);
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
