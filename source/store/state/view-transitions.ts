import {
	type ListExtent,
	type ListId,
	type ListLocation,
	type ListPosition,
	movedIn,
	rowOfLocation,
} from './list-location.ts';
import type {Confirmation, Transition as TransitionOf, UserState, ViewId} from './user-state.ts';

/** How the state of the views and their lists becomes another: pure functions, one a thing that can happen. */
type Transition = TransitionOf<UserState>;

type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

export function viewed(view: ViewId): Transition {
	return state => (state.view === view ? state : {...state, view});
}

function placed(list: ListId, change: (place: ListLocation) => ListLocation): Transition {
	return state => {
		const before = state.lists[list];
		const place = change(before);
		return place === before ? state : {...state, lists: {...state.lists, [list]: place}};
	};
}

/** Moves through a list of these rows, `height` of which show. */
export function listMoved(list: ListId, step: Step, keys: readonly string[], height: number): Transition {
	return placed(list, place => movedIn(place, step, keys, height));
}

/** Opens what is known of the row a reader is at, or closes it. */
export function listOpened(list: ListId, opened: boolean, keys: readonly string[]): Transition {
	return placed(list, place => {
		const row = rowOfLocation(place, keys);
		// Opened, it stays at what was opened, whatever comes above it.
		const cursor = opened ? keys[row] : place.cursor;
		const isSame = place.opened && opened && place.cursor === cursor;
		const detail = isSame ? {} : {scroll: 0, target: undefined};
		return {...place, cursor, at: row, opened: opened && Boolean(cursor), isLinked: false, ...detail};
	});
}

/** Goes to one of the lines that lead somewhere, and scrolls to where it shows. */
export function listTargeted(list: ListId, target: string | undefined, scroll: number): Transition {
	return placed(list, place =>
		place.target === target && place.scroll === scroll ? place : {...place, target, scroll},
	);
}

/** Lists the rows that hold a text. */
export function listSearched(list: ListId, search: string): Transition {
	return placed(list, place => ({...place, search, cursor: undefined, at: 0, offset: 0}));
}

/**
 * Asks the service for other rows; a term without a value is no longer asked for.
 *
 * @param options.isOnly nothing else is asked for any more, nor searched for. @default false
 */
export function listAsked(
	list: ListId,
	terms: Readonly<Record<string, string | undefined>>,
	{isOnly = false}: {isOnly?: boolean} = {},
): Transition {
	return placed(list, place => {
		const before = isOnly ? {} : place.terms;
		const asked = Object.entries({...before, ...terms}).filter(([, value]) => value !== undefined);
		return {
			...place,
			terms: Object.fromEntries(asked) as ListLocation['terms'],
			search: isOnly ? '' : place.search,
			cursor: undefined,
			at: 0,
			offset: 0,
			opened: false,
		};
	});
}

/** Opens something by what it is, whether the list holds it already or not. */
export function listOpenedAt(list: ListId, cursor: string): Transition {
	return placed(list, place =>
		place.opened && place.cursor === cursor
			? place
			: {...place, cursor, at: 0, opened: true, isLinked: true, scroll: 0, target: undefined},
	);
}

/** Asks before something is done; nothing is asked any more where there is no question. */
export function asked(question: Confirmation | undefined): Transition {
	return state => ({...state, question, overlay: question === undefined ? undefined : 'question'});
}
