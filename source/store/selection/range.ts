import type {ExplorerState} from '../explorer-state.ts';
import {settled} from '../list-position.ts';

/** Rows from where a range was begun to the cursor, wherever that goes. */
export type Range = {
	/** The row that it was begun at, and the episode there; rows that come above move both. */
	readonly anchor: number;
	readonly episodeId: string | undefined;
};

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
