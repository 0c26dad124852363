import {useCallback, useReducer, useRef} from 'react';
import {type ListExtent, type ListPosition, listStart, settled} from '../store/list-position.ts';

/** A place in a list that a dialog keeps for itself, and that keys move faster than it is drawn. */
export type ListPositionState = {
	/** As it was when last drawn. */
	readonly position: ListPosition;
	/** As it is now: keys of one burst come before the list is drawn again. */
	readonly now: () => ListPosition;
	readonly move: (step: (position: ListPosition, extent: ListExtent) => ListPosition) => void;
};

export function useListPosition(extent: ListExtent): ListPositionState {
	const {count, height} = extent;
	const current = useRef(listStart);
	const [, draw] = useReducer((times: number) => times + 1, 0);
	const now = useCallback(() => settled(current.current, {count, height}), [count, height]);
	const move = useCallback<ListPositionState['move']>(
		step => {
			current.current = step(now(), {count, height});
			draw();
		},
		[now, count, height],
	);
	return {position: now(), now, move};
}
