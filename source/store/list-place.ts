import {type ListExtent, type ListPosition, settled} from './list-position.ts';
import {unread} from './listing/list-chain.ts';

/** The lists that have a view of their own. */
export const listIds = ['uploads', 'jobs', 'datasets', 'models', 'projects', 'events'] as const;
export type ListId = (typeof listIds)[number];

/** Where a reader is in a list whose rows come and go: at a row by what it is, not by where it stands. */
export type ListPlace = {
	/** Undefined at the first row: who looks at the newest keeps looking at the newest. */
	readonly cursor: string | undefined;
	/** Where that row stood, for when it is gone. */
	readonly at: number;
	readonly offset: number;
	/** What is known of the row is shown beside the list or over it. */
	readonly opened: boolean;
	/** It was opened from somewhere else: who leaves it goes back there. */
	readonly isLinked: boolean;
	/** First line of that which shows. */
	readonly scroll: number;
	/** What the reader is at among the lines that lead somewhere; the first that shows where it is undefined. */
	readonly target: string | undefined;
	/** Rows that hold this text are listed; all where it is empty. */
	readonly search: string;
	/** What else is asked of the service: the names and values of the listing's own parameters. */
	readonly terms: Readonly<Record<string, string>>;
};

export const listPlaceStart: ListPlace = {
	cursor: undefined,
	at: 0,
	offset: 0,
	opened: false,
	isLinked: false,
	scroll: 0,
	target: undefined,
	search: '',
	terms: {},
};

/** The row that a place is at: 0 in an empty list, -1 where what was opened from elsewhere is not listed (yet). */
export function rowOfPlace({cursor, at, opened, isLinked}: ListPlace, keys: readonly string[]): number {
	if (cursor === undefined) return 0;
	const found = cursor === unread ? -1 : keys.indexOf(cursor);
	if (found < 0 && opened && isLinked) return -1;
	return found >= 0 ? found : Math.max(0, Math.min(at, keys.length - 1));
}

/** The place as a position among rows. */
export function positionOf(place: ListPlace, keys: readonly string[], height: number): ListPosition {
	return settled(
		{selected: rowOfPlace(place, keys), offset: place.cursor === undefined ? 0 : place.offset},
		{count: keys.length, height},
	);
}

/** Moves through the list by a step; another row's detail begins at its beginning. */
export function movedIn(
	place: ListPlace,
	step: (position: ListPosition, extent: ListExtent) => ListPosition,
	keys: readonly string[],
	height: number,
): ListPlace {
	const {selected, offset} = step(positionOf(place, keys, height), {count: keys.length, height});
	const cursor = selected === 0 ? undefined : keys[selected];
	const isSame = selected === rowOfPlace(place, keys);
	const detail = isSame ? {} : {scroll: 0, target: undefined};
	return {...place, cursor, at: selected, offset, ...detail};
}
