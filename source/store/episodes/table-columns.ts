import type {Transition} from '../state/user-state.ts';

/** The columns of the episode table that show. */
export type TableColumnsState = {
	/** Ids of the chosen columns, in order; undefined until the user chooses. */
	readonly columns: readonly string[] | undefined;
	/** Columns scrolled past, behind the first. */
	readonly columnShift: number;
};

/** Scrolls the columns; there are `count` of them, and the first always stays. */
export function columnsShifted(by: number, count: number): Transition<TableColumnsState> {
	return state => {
		const columnShift = Math.max(0, Math.min(state.columnShift + by, count - 2));
		return columnShift === state.columnShift ? state : {...state, columnShift};
	};
}

export function columnsChosen(columns: readonly string[]): Transition<TableColumnsState> {
	return state => ({...state, columns, columnShift: 0});
}
