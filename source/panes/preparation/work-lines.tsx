import type {ReactNode} from 'react';
import {useWork} from '../../hooks/explorer.tsx';
import {PreparationLines} from './preparation-lines.tsx';

/** No more lines are taken from the panes. */
const mostLines = 2;

/** How many lines the work that runs takes. */
export function useWorkRows(): number {
	return Math.min(mostLines, useWork().length);
}

/** What this program is at, a line each, in every view; the key that calls it off is in the footer. */
export function WorkLines({width}: {readonly width: number}): ReactNode {
	return <PreparationLines preparations={useWork().slice(-mostLines)} width={width} />;
}
