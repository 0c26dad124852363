import type {ExplorerState, Range} from '../explorer-state.ts';
import type {Selection} from './selection.ts';

/** How the selection becomes another: pure functions, one a thing that can happen. */
type Transition = (state: ExplorerState) => ExplorerState;

export function selected(selection: Selection): Transition {
	return state => (state.selection === selection ? state : {...state, selection, range: undefined});
}

/** Begins a range, moves where it began, or leaves it. */
export function ranged(range: Range | undefined): Transition {
	return state => (state.range === range ? state : {...state, range});
}
