/** How deep arrays and objects may nest in an answer; `JSON.parse` itself throws at some thousands. */
export const maxJsonDepth = 256;

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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function nestsDeeperThan(text: string, max: number): boolean {
	let depth = 0;
	let inString = false;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (inString) {
			if (code === BACKSLASH) i++;
			else if (code === QUOTE) inString = false;
		} else if (code === QUOTE) inString = true;
		else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
			depth++;
			if (depth > max) return true;
		} else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
	}
	return false;
}

/**
 * Reads JSON without losing digits: an integer literal that a double cannot hold becomes a bigint, every other number
 * a number. The slow way (a reviver) is gone only when a long literal is there at all.
 *
 * @throws {JsonError} when the text is no JSON or nests deeper than {@link maxJsonDepth}.
 */
export function parseJson(text: string): unknown {
	if (nestsDeeperThan(text, maxJsonDepth)) throw new JsonError(`nests deeper than ${maxJsonDepth} levels`);
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

/** Writes JSON that {@link parseJson} reads back unchanged: a bigint as its digits. */
export function writeJson(value: unknown): string {
	const rawJson = (JSON as unknown as {rawJSON(text: string): unknown}).rawJSON;
	return JSON.stringify(value, (_key, item: unknown) =>
		typeof item === 'bigint' ? rawJson(item.toString()) : item,
	);
}
