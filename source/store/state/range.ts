import type {ExplorerState} from './explorer-state.ts';
import {settled} from './list-location.ts';

/** The rows of the open range, both included; undefined where none is open. */
export function rowsOfRange(
	{range, position}: Pick<ExplorerState, 'range' | 'position'>,
	rowCount: number,
): {readonly from: number; readonly to: number} | undefined {
	if (range === undefined || rowCount === 0) return undefined;
	const {selected} = settled(position, {count: rowCount, height: 1});
	const anchor = Math.min(range.anchor, rowCount - 1);
	return {from: Math.min(anchor, selected), to: Math.max(anchor, selected)};
}
