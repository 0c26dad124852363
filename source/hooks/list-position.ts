import type {DOMElement} from 'ink';
import {type RefObject, useCallback, useReducer, useRef, useState} from 'react';
import type {Level} from '../input/layer-stack.ts';
import {useMouseArea} from '../input/react.tsx';
import {
	type ListExtent,
	type ListPosition,
	listStart,
	movedBy,
	movedTo,
	scrolledBy,
	settled,
} from '../store/state/list-location.ts';

/** A position in a list that a dialog keeps itself; keys move it faster than it is drawn. */
type ListPositionState = {
	/** As it was when last drawn. */
	readonly position: ListPosition;
	/** As it is now: keys of one burst arrive before the next frame. */
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

type ListMouse = {
	readonly id: string;
	readonly level: Level;
	/** The modal layer that the list is a part of. */
	readonly within?: string;
	/** Lines of the area above the first row of the list. */
	readonly head: number;
	/** The row of the list that stands first on the screen, and how many there are. */
	readonly from: number;
	readonly count: number;
	/** The row that another press opens; undefined if a press opens nothing. */
	readonly chosen: number | undefined;
	readonly move: (step: (position: ListPosition, extent: ListExtent) => ListPosition) => void;
	/** Gives the list the keyboard. */
	readonly focus?: () => void;
	readonly open?: () => void;
	/** A press beside the rows of the list. */
	readonly beside?: (row: number, column: number) => void;
};

/** The mouse in a list: the wheel scrolls, a press selects, a press on what is selected opens it. */
export function useListMouse(list: ListMouse): RefObject<DOMElement | null> {
	const {id, level, within, head, from, count, chosen, move, focus, open, beside} = list;
	return useMouseArea({
		id,
		level,
		...(within === undefined ? {} : {within}),
		wheel: rows => move((position, extent) => scrolledBy(position, rows, extent)),
		press(row, column) {
			const index = from + row - head;
			focus?.();
			if (row < head || index >= count) return beside?.(row, column);
			if (index === chosen) open?.();
			else move((position, extent) => movedTo(position, index, extent));
		},
	});
}

/** Lines of a dialog to read and scroll. */
type ScrolledLines = {
	/** The first line that shows, and how many do. */
	readonly from: number;
	readonly rows: number;
	/** All lines show at once. */
	readonly isWhole: boolean;
	readonly scroll: (step: (position: ListPosition, extent: ListExtent) => ListPosition) => void;
	/** Where the wheel scrolls them. */
	readonly area: RefObject<DOMElement | null>;
};

/** @param layer the id of the dialog's modal layer. @param room rows available for lines. */
export function useScrolledLines(layer: string, count: number, room: number): ScrolledLines {
	const [top, setTop] = useState(0);
	const rows = Math.max(1, Math.min(count, room));
	const last = Math.max(0, count - rows);
	const scroll = useCallback<ScrolledLines['scroll']>(
		step =>
			setTop(from => {
				const {selected} = step({selected: from, offset: from}, {count, height: rows});
				return settled({...listStart, selected}, {count: last + 1, height: 1}).selected;
			}),
		[count, rows, last],
	);
	const area = useMouseArea({
		id: layer,
		level: 'dialog',
		within: layer,
		wheel: by => scroll((position, extent) => movedBy(position, by, extent)),
	});
	return {from: Math.min(top, last), rows, isWhole: last === 0, scroll, area};
}
