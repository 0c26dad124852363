import {useMemo} from 'react';
import {useExplorerState, useResult} from '../../hooks/explorer.tsx';
import type {Row} from '../../store/explore-page.ts';
import {rowsOfRange} from '../../store/selection/range.ts';
import {isNothing, markOf} from '../../store/selection/selection.ts';
import type {RowPick} from '../episodes/episode-row.ts';

/** Whether a row is selected; undefined while nothing is, so that the marks take no room. */
export function useRowPicks(): ((row: Row, index: number) => RowPick) | undefined {
	const selection = useExplorerState(state => state.selection);
	const range = useExplorerState(state => state.range);
	const position = useExplorerState(state => state.position);
	const question = useResult(result => result.question);
	const rowCount = useResult(result => result.rowCount);
	const isMarked = useMemo(() => markOf(selection, question), [selection, question]);
	if (isNothing(selection) && range === undefined) return undefined;
	const rows = rowsOfRange({range, position}, rowCount);
	return (row, index) => {
		if (rows !== undefined && index >= rows.from && index <= rows.to) return 'ranged';
		return typeof row === 'object' && isMarked(row) ? 'picked' : 'free';
	};
}
