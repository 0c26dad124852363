import type {ParseResult} from '../../query/parse.ts';
import {problemAtLoc} from '../../query/term-of-loc.ts';
import {unknownDatasetProblems} from '../../query/unknown-dataset.ts';
import type {Counted} from '../../store/filter-line/live-count.ts';

/** A sentence about the line; `offset` is what it points at, where it is about a part of it. */
export type ShownProblem = {readonly message: string; readonly offset: number | undefined};

type Line = {readonly text: string; readonly caret: number};

/**
 * What is to be said of the line: what cannot be read of it, then what the lake or the service has against it. Of a
 * word that is being typed nothing is said while there is something to offer for it.
 */
export function shownProblem(
	{text, caret}: Line,
	read: ParseResult,
	{counted, datasets, isOffered}: {counted: Counted; datasets: readonly string[]; isOffered: boolean},
): ShownProblem | undefined {
	if (!read.ok) {
		return read.problems.find(({offset, length}) => !isOffered || caret < offset || caret > offset + length);
	}
	if (counted.state === 'unknown-datasets') {
		const unknown = unknownDatasetProblems(text, counted.names, datasets);
		return unknown.find(({offset, length}) => !isOffered || caret < offset || caret > offset + length);
	}
	if (counted.state !== 'refused') return undefined;
	const placed = counted.parts.map(part => problemAtLoc(text, part)).find(problem => problem !== undefined);
	return placed ?? {message: counted.reason, offset: undefined};
}
