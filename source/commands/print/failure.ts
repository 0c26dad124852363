import {
	ContractError,
	fieldProblems,
	NetworkError,
	OutcomeUnknownError,
	RefusedError,
	RequestError,
	ServiceError,
} from '../../client/errors.ts';
import {KeyFileError} from '../../files/key.ts';
import type {QueryProblem} from '../../query/problem.ts';
import {problemAtField} from '../../query/problem-places.ts';
import {printable} from '../../terminal/printable.ts';
import {textWidth} from '../../terminal/width.ts';

/** DESIGN §7: what a command's end says to scripts. */
export const exitCodes = {
	fine: 0,
	failed: 1,
	usage: 2,
	unreachable: 3,
	refused: 4,
	contract: 5,
	found: 6,
} as const;

/** The exit code that an error stands for. */
export function exitCodeOf(error: unknown): number {
	if (error instanceof UsageError || error instanceof RequestError) return exitCodes.usage;
	if (error instanceof NetworkError) return exitCodes.unreachable;
	if (error instanceof RefusedError || error instanceof KeyFileError) return exitCodes.refused;
	if (error instanceof ContractError) return exitCodes.contract;
	if (error instanceof OutcomeUnknownError) return exitCodeOf(error.cause);
	return exitCodes.failed;
}

/** An error as sentences for people, fit for a terminal, each line by itself. */
export function sentenceOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message
		.split('\n')
		.map(line => printable(line))
		.join('\n');
}

/**
 * The sentence for a refusal by the service: its own where it gives one, else
 * what it answered to which call.
 */
export function refusalOf(error: unknown): string {
	if (!(error instanceof ServiceError)) return sentenceOf(error);
	const said = error.detail ?? error.problems.map(({message}) => message).join(' ');
	return said && /[.!?]$/.test(said) ? said : sentenceOf(error);
}

/** The command line cannot be understood or carried out as it stands: exit code 2. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** Of a longer line the part around the place that is pointed at is shown: the marks must stand in the same row. */
const longestLine = 75;

/** A filter line with marks below what the first of its problems is about, and what all of them say. */
export function pointed(line: string, problems: readonly [QueryProblem, ...QueryProblem[]]): string {
	const [{offset, length}] = problems;
	const from = line.length > longestLine ? Math.max(0, offset - Math.floor(longestLine / 2)) : 0;
	const shown = line.slice(from, from + longestLine);
	const lead = from > 0 ? '…' : '';
	const before = textWidth(printable(lead + line.slice(from, offset)));
	const marked = textWidth(printable(shown.slice(offset - from, offset - from + length)));
	const tail = from + longestLine < line.length ? '…' : '';
	const sentences = problems.map(({message}) => message).join('\n');
	return `  ${lead}${shown}${tail}\n  ${' '.repeat(before)}${'^'.repeat(Math.max(1, marked))}\n${sentences}`;
}

/** Passes on what a filter was asked for; a refusal by the service is pointed at in the line that it was typed as. */
export async function* pointingAt<Item>(line: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
	try {
		yield* items;
	} catch (error) {
		const problems = fieldProblems(error)
			.map(each => problemAtField(line, each))
			.filter(problem => problem !== undefined);
		const [first, ...rest] = problems;
		if (first === undefined) throw error;
		if (error instanceof RequestError)
			throw new RequestError(`${error.message}\n${pointed(line, [first, ...rest])}`, error);
		if (!(error instanceof ServiceError)) throw error;
		throw new ServiceError(`${error.message}\n${pointed(line, [first, ...rest])}`, error);
	}
}
