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
