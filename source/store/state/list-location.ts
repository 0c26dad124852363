import {unread} from '../queries/list-chain.ts';

/** The lists that have a view of their own. */
export const listIds = ['uploads', 'jobs', 'datasets', 'models', 'projects', 'events'] as const;
export type ListId = (typeof listIds)[number];

/** Where a reader is in a list whose rows come and go: at a row by what it is, not by where it stands. */
export type ListLocation = {
	/** Undefined at the first row: who looks at the newest keeps looking at the newest. */
	readonly cursor: string | undefined;
	/** Where that row stood, for when it is gone. */
	readonly at: number;
	readonly offset: number;
	/** The row's detail is shown beside the list or over it. */
	readonly opened: boolean;
	/** It was opened from somewhere else: who leaves it goes back there. */
	readonly isLinked: boolean;
	/** First line of that which shows. */
	readonly scroll: number;
	/** The selected link among the lines; the first one on the screen if undefined. */
	readonly target: string | undefined;
	/** Rows that hold this text are listed; all where it is empty. */
	readonly search: string;
	/** Further terms of the request: the names and values of the listing's own parameters. */
	readonly terms: Readonly<Record<string, string>>;
};

export const listLocationStart: ListLocation = {
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
export function rowOfLocation({cursor, at, opened, isLinked}: ListLocation, keys: readonly string[]): number {
	if (cursor === undefined) return 0;
	const found = cursor === unread ? -1 : keys.indexOf(cursor);
	if (found < 0 && opened && isLinked) return -1;
	return found >= 0 ? found : Math.max(0, Math.min(at, keys.length - 1));
}

/** The place as a position among rows. */
export function positionOf(place: ListLocation, keys: readonly string[], height: number): ListPosition {
	return settled(
		{selected: rowOfLocation(place, keys), offset: place.cursor === undefined ? 0 : place.offset},
		{count: keys.length, height},
	);
}

/** Moves through the list by a step; another row's detail begins at its beginning. */
export function movedIn(
	place: ListLocation,
	step: (position: ListPosition, extent: ListExtent) => ListPosition,
	keys: readonly string[],
	height: number,
): ListLocation {
	const {selected, offset} = step(positionOf(place, keys, height), {count: keys.length, height});
	const cursor = selected === 0 ? undefined : keys[selected];
	const isSame = selected === rowOfLocation(place, keys);
	const detail = isSame ? {} : {scroll: 0, target: undefined};
	return {...place, cursor, at: selected, offset, ...detail};
}

/** Where a reader is in a list: the selected row, and the first row on the screen. */
export type ListPosition = {readonly selected: number; readonly offset: number};

/** The part of the list that shows: how many rows it has, and how many fit on the screen. */
export type ListExtent = {readonly count: number; readonly height: number};

export const listStart: ListPosition = {selected: 0, offset: 0};

/**
 * The position as it can be shown: within a list that may have become shorter, on a screen that may have become
 * smaller, the selected row always on it.
 */
export function settled({selected, offset}: ListPosition, {count, height}: ListExtent): ListPosition {
	const row = Math.max(0, Math.min(selected, count - 1));
	const rows = Math.max(1, height);
	const last = Math.max(0, count - rows);
	const least = Math.max(0, row - rows + 1);
	return {selected: row, offset: Math.min(Math.max(offset, least), Math.min(row, last))};
}

/** Moves the selection by rows, scrolling no more than needed. */
export function movedBy(position: ListPosition, rows: number, extent: ListExtent): ListPosition {
	const from = settled(position, extent);
	return settled({selected: from.selected + rows, offset: from.offset}, extent);
}

/** Moves selection and screen together by a share of the screen: 1 a page, 0.5 half of one, -1 a page back. */
export function pagedBy(position: ListPosition, screens: number, extent: ListExtent): ListPosition {
	const from = settled(position, extent);
	const whole = Math.max(
		1,
		Math.floor(Math.abs(screens) * extent.height) - (Math.abs(screens) === 1 ? 1 : 0),
	);
	const rows = Math.sign(screens) * whole;
	return settled({selected: from.selected + rows, offset: from.offset + rows}, extent);
}

/** Scrolls by rows and takes the selection along only where it would leave the screen. */
export function scrolledBy(position: ListPosition, rows: number, extent: ListExtent): ListPosition {
	const from = settled(position, extent);
	const height = Math.max(1, extent.height);
	const offset = Math.max(0, Math.min(from.offset + rows, extent.count - height));
	const selected = Math.max(offset, Math.min(from.selected, offset + height - 1));
	return settled({selected, offset}, extent);
}

/** Moves to a row, counted from 0. */
export function movedTo(position: ListPosition, row: number, extent: ListExtent): ListPosition {
	return settled({selected: row, offset: settled(position, extent).offset}, extent);
}

/** The rows on the screen, from the first to the one after the last. */
export function shownRows(
	position: ListPosition,
	extent: ListExtent,
): {readonly from: number; readonly to: number} {
	const {offset} = settled(position, extent);
	return {from: offset, to: Math.min(extent.count, offset + Math.max(0, extent.height))};
}
