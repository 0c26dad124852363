import {useCallback, useReducer, useRef, useState} from 'react';

/** A state that keys change faster than it is drawn: keys of one burst arrive before the next frame. */
type LatestState<State> = {
	/** As it was when last drawn. */
	readonly drawn: State;
	/** As it is now. */
	readonly now: () => State;
	/** Changes it; the same object is no change. Gives what it was and what it is. */
	readonly change: (step: (state: State) => State) => {readonly before: State; readonly after: State};
};

export function useLatestState<State extends object>(initial: () => State): LatestState<State> {
	const [first] = useState(initial);
	const current = useRef(first);
	const [, draw] = useReducer((count: number) => count + 1, 0);
	const now = useCallback(() => current.current, []);
	const change = useCallback<LatestState<State>['change']>(step => {
		const before = current.current;
		const after = step(before);
		if (after !== before) {
			current.current = after;
			draw();
		}
		return {before, after};
	}, []);
	return {drawn: current.current, now, change};
}
