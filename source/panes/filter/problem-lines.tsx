import type {ReactNode} from 'react';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {printable} from '../../terminal/printable.ts';
import {textWidth, wrap} from '../../terminal/width.ts';
import type {ShownProblem} from './shown-problem.ts';

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
