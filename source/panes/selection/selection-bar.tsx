import type {ReactNode} from 'react';
import {keyWords, useKeyOf} from '../../components/key-words.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorerState, useResult, useSelectionKnown} from '../../hooks/explorer.tsx';
import {rowsOfRange} from '../../store/selection/range.ts';
import {asksForSame, isNothing} from '../../store/selection/selection.ts';
import {counted} from '../../terminal/quantity.ts';
import {selectionWords} from './selection-words.ts';

const rangeWays = [
	['selection.pick', 'takes them'],
	['selection.range', 'leaves them'],
] as const;

/** Whether there is anything for the bar to say. */
export function useHasSelection(): boolean {
	return useExplorerState(({selection, range}) => range !== undefined || !isNothing(selection));
}

/** What is selected. */
export function SelectionBar({width}: {readonly width: number}): ReactNode {
	const {signs} = useScreen();
	const selection = useExplorerState(state => state.selection);
	const range = useExplorerState(state => state.range);
	const position = useExplorerState(state => state.position);
	const rowCount = useResult(result => result.rowCount);
	const question = useResult(result => result.question);
	const known = useSelectionKnown();
	const rows = rowsOfRange({range, position}, rowCount);
	const keyOf = useKeyOf();
	const marking: readonly Segment[] =
		rows === undefined
			? []
			: [
					{text: ` ${signs.partly} `, role: 'accent'},
					[counted(rows.to - rows.from + 1, 'row'), keyWords(keyOf, rangeWays).join(', ')]
						.filter(Boolean)
						.join(': '),
				];
	const isShown = selection.by === 'hand' || asksForSame(selection.question, question);
	const selected = isNothing(selection) ? [] : selectionWords(selection, known, {isShown, signs});
	return <Line segments={[...marking, ...selected]} width={width} />;
}
