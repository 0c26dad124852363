import {Box} from 'ink';
import type {ReactNode} from 'react';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {Candidate} from '../../query/candidate.ts';
import {grouped} from '../../terminal/quantity.ts';
import {columnOf} from '../episodes/columns.ts';

type CandidateListProps = {
	readonly candidates: readonly Candidate[];
	readonly chosen: number | undefined;
	/** The cell that what they would replace begins in. */
	readonly column: number;
	readonly width: number;
	/** Rows that there are for it. */
	readonly height: number;
};

/** More than these at once are no help. */
const mostRows = 8;

const widestLabel = 46;
const widestWhat = 30;

/** What a candidate is, in words; of a figure what it measures. */
function whatOf({kind, label, what}: Candidate): string {
	return kind === 'field' ? columnOf(label).description : what;
}

/** What fits at the caret, below the line and never over it. */
export function CandidateList({candidates, chosen, column, width, height}: CandidateListProps): ReactNode {
	const {cell, signs} = useScreen();
	const count = Math.min(candidates.length, mostRows, height);
	if (count < 1) return null;
	const from = Math.max(0, Math.min((chosen ?? 0) - Math.floor(count / 2), candidates.length - count));
	const shown = candidates.slice(from, from + count);
	const longest = (texts: readonly string[], most: number) =>
		Math.min(
			most,
			texts.reduce((cells, text) => Math.max(cells, cellsOf(text)), 0),
		);
	const counts = shown.map(each => (each.count === undefined ? '' : grouped(each.count)));
	const countCells = longest(counts, 12);
	const labelCells = longest(
		shown.map(({label}) => label),
		Math.min(widestLabel, width - countCells - 4),
	);
	const room = width - labelCells - countCells - (countCells > 0 ? 5 : 4);
	const whatCells = Math.max(0, Math.min(longest(shown.map(whatOf), widestWhat), room));
	const taken = labelCells + whatCells + countCells + (whatCells > 0 ? 2 : 0) + (countCells > 0 ? 2 : 0) + 3;
	const isMore = candidates.length > count;
	const rows = shown.map((candidate, row): Row => {
		const isChosen = from + row === chosen;
		const segments: Segment[] = [
			isChosen ? signs.pointer : {text: signs.line.vertical, role: 'focus'},
			cell(candidate.label, labelCells, {role: isChosen ? 'strong' : 'accent', cut: 'middle'}),
		];
		if (whatCells > 0) segments.push('  ', cell(whatOf(candidate), whatCells, {role: 'dim'}));
		if (countCells > 0) segments.push('  ', cell(counts[row] ?? '', countCells, {align: 'right'}));
		const edge = isMore && row === count - 1 && from + count < candidates.length ? signs.down : ' ';
		segments.push(isMore && row === 0 && from > 0 ? signs.up : edge);
		return {segments, look: isChosen ? 'selected' : 'plain'};
	});
	const left = Math.max(0, Math.min(column - 1, width - taken));
	return (
		<Box marginLeft={left} width={Math.min(taken, width)} flexDirection="column">
			<Rows rows={rows} width={Math.min(taken, width)} />
		</Box>
	);
}
