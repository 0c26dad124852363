import type {ReactNode} from 'react';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {ParseResult} from '../../query/parse.ts';
import {problemAtField, unknownDatasetProblems} from '../../query/problem-places.ts';
import type {Counted} from '../../store/filter/live-count.ts';
import {printable} from '../../terminal/printable.ts';
import {textWidth, wrap} from '../../terminal/width.ts';

type ProblemLinesProps = {
	readonly problem: ShownProblem;
	/** The cell that what it is about begins in. */
	readonly column: number;
	readonly width: number;
	readonly height: number;
};

/** The sentence about a problem under the place that it is about, over as many lines as it takes. */
export function ProblemLines({problem, column, width, height}: ProblemLinesProps): ReactNode {
	const {drawing, signs} = useScreen();
	const at = Math.min(column, width - 1);
	const pointer = problem.offset === undefined ? '' : ' '.repeat(at) + signs.up;
	const message = printable(problem.message, drawing);
	const isBeside = problem.offset !== undefined && at + 2 + textWidth(message) <= width;
	const sentence = wrap(message, Math.max(1, width - 2)).map(line => ` ${line}`);
	const lines = isBeside ? [`${pointer} ${message}`] : [...(pointer === '' ? [] : [pointer]), ...sentence];
	const rows = lines
		.slice(0, Math.max(1, height))
		.map((line): Row => ({segments: [{text: line, role: 'bad'}], look: 'plain'}));
	return <Rows rows={rows} width={width} />;
}

/** A sentence about the line; `offset` is what it points at, where it is about a part of it. */
type ShownProblem = {readonly message: string; readonly offset: number | undefined};

type Line = {readonly text: string; readonly caret: number};

/**
 * The problem to show: first one of reading the line, then one of the lake or the service. For a
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
	const placed = counted.problems
		.map(each => problemAtField(text, each))
		.find(problem => problem !== undefined);
	return placed ?? {message: counted.reason, offset: undefined};
}
