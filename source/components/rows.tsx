import type {ReactNode} from 'react';
import {Line} from './line.tsx';
import type {Segment} from './segment.ts';
import type {Role} from './theme.ts';

/** A row of the screen. */
export type Row = {
	readonly segments: readonly Segment[];
	/** Look of the whole row, over its whole width. */
	readonly look?: Role | undefined;
	/** One cell more behind it, of a look of its own. */
	readonly edge?: Segment | undefined;
};

/** Rows below one another, each `width` cells wide. */
export function Rows({rows, width}: {readonly rows: readonly Row[]; readonly width: number}): ReactNode {
	const lines: ReactNode[] = [];
	for (const row of rows) {
		// The key is the place on the screen, not what stands there: scrolling changes texts and mounts nothing.
		lines.push(<Line key={lines.length} {...row} width={width} />);
	}
	return lines;
}
