import {RequestError, ServiceError} from '../client/errors.ts';
import type {QueryProblem} from '../query/problem.ts';
import {problemAtLoc} from '../query/term-of-loc.ts';
import {refusedParts} from '../store/refusal.ts';
import {printable} from '../terminal/printable.ts';
import {textWidth} from '../terminal/width.ts';

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
		const problems = refusedParts(error)
			.map(issue => problemAtLoc(line, issue))
			.filter(problem => problem !== undefined);
		const [first, ...rest] = problems;
		if (first === undefined) throw error;
		if (error instanceof RequestError)
			throw new RequestError(`${error.message}\n${pointed(line, [first, ...rest])}`, error);
		if (!(error instanceof ServiceError)) throw error;
		throw new ServiceError(`${error.message}\n${pointed(line, [first, ...rest])}`, error);
	}
}
