import type {ExplorerState, Range} from '../explorer-state.ts';
import {isNothing, nothingSelected, type Selection} from './selection.ts';

/** How the selection becomes another: pure functions, one a thing that can happen. */
type Transition = (state: ExplorerState) => ExplorerState;

export function selected(selection: Selection): Transition {
	return state => (state.selection === selection ? state : {...state, selection, range: undefined});
}

/** Nothing is selected any more; what was can be brought back. */
export function selectionDropped(): Transition {
	return state =>
		isNothing(state.selection)
			? state
			: {...state, selection: nothingSelected, droppedSelection: state.selection, range: undefined};
}

/** What was dropped last is selected again. */
export function selectionRestored(): Transition {
	return state =>
		state.droppedSelection === undefined
			? state
			: {...state, selection: state.droppedSelection, droppedSelection: undefined};
}

/** Begins a range, moves where it began, or leaves it. */
export function ranged(range: Range | undefined): Transition {
	return state => (state.range === range ? state : {...state, range});
}
