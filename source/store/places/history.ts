import type {ExplorerState, Place} from '../explorer-state.ts';
import {atPlace, isSameFilter, isSamePlace, isSameSort, isSameTerms, placeOf} from './place.ts';

/** As far back as anybody goes; the oldest places are forgotten. */
const mostPlaces = 100;

/**
 * Notes what a change of the state left behind. Another view, another filter or another thing opened is a step;
 * moving through rows is none, nor is stepping from one opened row to the next.
 */
export function recorded(before: ExplorerState, after: ExplorerState): ExplorerState {
	if (after === before || after.places !== before.places) return after;
	const isLineOpen = after.editing === 'filter';
	const {places: history} = after;
	const left = placeOf(before);
	const here = placeOf(after);
	const isTyped = isLineOpen && !isSameFilter(left.filter, here.filter);
	const isStep = isStepBetween(left, here) && !(isTyped && history.isTyping);
	const isTyping = isLineOpen && (history.isTyping || isTyped);
	const hasSettled = history.isTyping && !isTyping;
	if (!isStep && !hasSettled && isTyping === history.isTyping && left.opened === here.opened) return after;
	const back = isStep ? [...history.back, left].slice(-mostPlaces) : history.back;
	const forward = isStep ? [] : history.forward;
	return {...after, places: {back: isTyping ? back : without(back, here), forward, isTyping}};
}

function isStepBetween(left: Place, here: Place): boolean {
	if (left.view !== here.view || !isSameFilter(left.filter, here.filter)) return true;
	if (!isSameTerms(left, here) || !isSameSort(left.sort, here.sort)) return true;
	return left.opened === undefined && here.opened !== undefined;
}

/** Going back to where one is already would seem to do nothing. */
function without(back: readonly Place[], here: Place): readonly Place[] {
	const last = back.at(-1);
	return last !== undefined && isSamePlace(last, here) ? without(back.slice(0, -1), here) : back;
}

export type Direction = 'back' | 'forward';

/** The place that is one step away. */
export function placeTowards({places}: ExplorerState, direction: Direction): Place | undefined {
	return places[direction].at(-1);
}

/** Goes to the place that was one step away; where it is not any more, it is gone to as to any other. */
export function stepped(direction: Direction, place: Place): (state: ExplorerState) => ExplorerState {
	return before => {
		// With the same filter the rows may have moved since, and the position with them.
		const isHere = isSameFilter(before.filter, place.filter) && isSameSort(before.sort, place.sort);
		const position = isHere ? before.position : place.position;
		const after = atPlace({...place, position})(before);
		const {places: history} = before;
		if (placeTowards(before, direction) !== place) return after;
		const opposite = direction === 'back' ? 'forward' : 'back';
		const left = [...history[opposite], placeOf(before)].slice(-mostPlaces);
		const rest = history[direction].slice(0, -1);
		return {...after, places: {...history, [direction]: rest, [opposite]: left, isTyping: false}};
	};
}
