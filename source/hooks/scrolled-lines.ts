import type {DOMElement} from 'ink';
import {type RefObject, useCallback, useState} from 'react';
import {useMouseArea} from '../input/react.tsx';
import {type ListExtent, type ListPosition, listStart, movedBy, settled} from '../store/list-position.ts';

/** Lines of a dialog that are read and not chosen among. */
export type ScrolledLines = {
	/** The first line that shows, and how many do. */
	readonly from: number;
	readonly rows: number;
	/** All lines show at once. */
	readonly isWhole: boolean;
	readonly scroll: (step: (position: ListPosition, extent: ListExtent) => ListPosition) => void;
	/** Where the wheel scrolls them. */
	readonly area: RefObject<DOMElement | null>;
};

/** @param layer the id of the dialog's modal layer. @param room rows that there are for lines. */
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
