import type {DOMElement} from 'ink';
import type {RefObject} from 'react';
import type {Level} from '../input/layer.ts';
import {useMouseArea} from '../input/react.tsx';
import {type ListExtent, type ListPosition, movedTo, scrolledBy} from '../store/list-position.ts';

export type ListMouse = {
	readonly id: string;
	readonly level: Level;
	/** The modal layer that the list is a part of. */
	readonly within?: string;
	/** Lines of the area above the first row of the list. */
	readonly head: number;
	/** The row of the list that stands first on the screen, and how many there are. */
	readonly from: number;
	readonly count: number;
	/** The row that another press opens; undefined where the list has not the keyboard yet. */
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
