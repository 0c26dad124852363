import {useStore} from 'zustand';
import type {Distribution} from '../store/filter-line/distribution-watch.ts';
import type {Counted} from '../store/filter-line/live-count.ts';
import {useExplorer} from './explorer.tsx';

/** What is known of what the line that is typed would let through. */
export function useCounted(): Counted {
	return useStore(useExplorer().filterLine.count.known);
}

/** How the figure at the caret lies. */
export function useDistribution(): Distribution | undefined {
	return useStore(useExplorer().filterLine.distribution.known);
}

/** Changes whenever there is more to offer. */
export function useOffers(): number {
	return useStore(useExplorer().filterLine.offers);
}
