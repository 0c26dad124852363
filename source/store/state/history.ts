import type {StoreApi} from 'zustand/vanilla';
import type {Filter} from '../../query/filter.ts';
import {listStart} from './list-location.ts';
import {atLocation, isSameFilter, isSameLocation, isSameSort, isSameTerms, locationOf} from './location.ts';
import type {Location, Transition, UserState, ViewId} from './user-state.ts';

/** As far back as anybody goes; the oldest places are forgotten. */
const mostLocations = 100;

/**
 * Notes what a change of the state left behind. Another view, another filter or another thing opened is a step;
 * moving through rows is none, nor is stepping from one opened row to the next.
 */
export function recorded<State extends UserState>(before: State, after: State): State {
	if (after === before || after.places !== before.places) return after;
	const isLineOpen = after.editing === 'filter';
	const {places: history} = after;
	const left = locationOf(before);
	const here = locationOf(after);
	const isTyped = isLineOpen && !isSameFilter(left.filter, here.filter);
	const isStep = isStepBetween(left, here) && !(isTyped && history.isTyping);
	const isTyping = isLineOpen && (history.isTyping || isTyped);
	const hasSettled = history.isTyping && !isTyping;
	if (!isStep && !hasSettled && isTyping === history.isTyping && left.opened === here.opened) return after;
	const back = isStep ? [...history.back, left].slice(-mostLocations) : history.back;
	const forward = isStep ? [] : history.forward;
	return {...after, places: {back: isTyping ? back : without(back, here), forward, isTyping}};
}

function isStepBetween(left: Location, here: Location): boolean {
	if (left.view !== here.view || !isSameFilter(left.filter, here.filter)) return true;
	if (!isSameTerms(left, here) || !isSameSort(left.sort, here.sort)) return true;
	return left.opened === undefined && here.opened !== undefined;
}

/** Going back to where one is already would seem to do nothing. */
function without(back: readonly Location[], here: Location): readonly Location[] {
	const last = back.at(-1);
	return last !== undefined && isSameLocation(last, here) ? without(back.slice(0, -1), here) : back;
}

type Direction = 'back' | 'forward';

/** The place that is one step away. */
export function placeTowards({places}: UserState, direction: Direction): Location | undefined {
	return places[direction].at(-1);
}

/** Goes to the location one step away; if that is gone from the history, navigates normally. */
export function stepped(direction: Direction, place: Location): Transition<UserState> {
	return before => {
		// With the same filter the rows may have moved since, and the position with them.
		const isHere = isSameFilter(before.filter, place.filter) && isSameSort(before.sort, place.sort);
		const position = isHere ? before.position : place.position;
		const after = atLocation({...place, position})(before);
		const {places: history} = before;
		if (placeTowards(before, direction) !== place) return after;
		const opposite = direction === 'back' ? 'forward' : 'back';
		const left = [...history[opposite], locationOf(before)].slice(-mostLocations);
		const rest = history[direction].slice(0, -1);
		return {...after, places: {...history, [direction]: rest, [opposite]: left, isTyping: false}};
	};
}

/** Asks for the result of a filter and, once its datasets are known, changes the state to be at it. */
type GoTo = (filter: Filter, change: Transition<UserState>) => void;

/** The one history of places: to go somewhere, back and forward. Steps are noted by whatever changes the state. */
export class Places {
	readonly #state: StoreApi<UserState>;
	readonly #goTo: GoTo;

	constructor(state: StoreApi<UserState>, goTo: GoTo) {
		this.#state = state;
		this.#goTo = goTo;
	}

	/** Where the reader is. */
	here(): Location {
		return locationOf(this.#state.getState());
	}

	/** Goes somewhere, which is a step; what is not said of the place stays as it is here. */
	go(place: Partial<Location>): void {
		const here = this.here();
		const {filter = here.filter, view = here.view, sort = here.sort, opened} = place;
		const isHere = isSameFilter(filter, here.filter);
		const position = place.position ?? (isHere ? here.position : listStart);
		this.#goTo(filter, atLocation({view, filter, sort, position, opened}));
	}

	/** Goes one step back. @returns where to; nothing where there is no way. */
	back(): Location | undefined {
		return this.#step('back');
	}

	/** Goes one step forward again. @returns where to; nothing where there is no way. */
	forward(): Location | undefined {
		return this.#step('forward');
	}

	/** The view that this one was come to from; undefined where the last step led from one place to another of it. */
	comesFrom(): ViewId | undefined {
		const before = placeTowards(this.#state.getState(), 'back');
		return before === undefined || before.view === this.here().view ? undefined : before.view;
	}

	can(direction: Direction): boolean {
		return placeTowards(this.#state.getState(), direction) !== undefined;
	}

	#step(direction: Direction): Location | undefined {
		const place = placeTowards(this.#state.getState(), direction);
		if (place !== undefined) this.#goTo(place.filter, stepped(direction, place));
		return place;
	}
}
