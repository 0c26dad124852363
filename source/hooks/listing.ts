import {useLayoutEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import type {DatasetDamages} from '../store/artifacts/dataset-damage.ts';
import type {DatasetOrigin} from '../store/artifacts/dataset-origin.ts';
import type {ListingFeed, Sought} from '../store/artifacts/listing-feed.ts';
import type {OpenedDataset} from '../store/artifacts/opened-dataset.ts';
import type {CursorListKnown} from '../store/queries/cursor-list.ts';
import {positionOf, rowOfLocation, shownRows} from '../store/state/list-location.ts';
import type {Launch} from '../store/state/remembered-state.ts';
import {useExplorer, useExplorerState} from './explorer.tsx';

/** A listing as its view shows it. */
type ShownListing<Item> = {
	readonly known: CursorListKnown<Item>;
	/** The key of each row that shows. */
	readonly keys: readonly string[];
	/** The item of a row that shows; undefined while it is loading. */
	readonly item: (row: number) => Item | undefined;
	readonly selected: Item | undefined;
	/** The listing's row behind a row that shows. */
	readonly rowOf: (row: number) => number;
	/** The opened item is not among the rows: it is being searched, or was not found. */
	readonly sought: Sought | undefined;
};

/** The rows of a listing that show: those that match the search, where the service does not search itself. */
export function useListing<Item>(feed: ListingFeed<Item>): ShownListing<Item> {
	const known = useStore(feed.known);
	const sought = useStore(feed.sought);
	const place = useExplorerState(({lists}) => lists[feed.listing.list]);
	const wanted = feed.listing.searches ? '' : place.search.toLowerCase();
	const found = useMemo(() => {
		if (wanted === '') return undefined;
		return known.names.flatMap(({key, label}, row) =>
			key === wanted || label.toLowerCase().includes(wanted) ? [row] : [],
		);
	}, [known.names, wanted]);
	return useMemo(() => {
		const rowOf = (row: number) => found?.[row] ?? row;
		const keys = found?.map(row => known.keys[row] ?? '') ?? known.keys;
		const item = (row: number) => (row < keys.length ? known.item(rowOf(row)) : undefined);
		const {cursor} = place;
		const isElsewhere = place.opened && cursor !== undefined && !keys.includes(cursor);
		const selected = isElsewhere ? feed.itemOf(cursor) : item(rowOfLocation(place, keys));
		return {known, keys, item, selected, rowOf, sought: isElsewhere ? sought : undefined};
	}, [feed, known, found, place, sought]);
}

/** Where the list has no room beside its detail, so many rows around the opened one are read all the same. */
export const rowsAround = 60;

/** Requests the rows of a listing that show in a pane of this height. */
export function useShownRows<Item>(
	feed: ListingFeed<Item>,
	{keys, rowOf}: Pick<ShownListing<Item>, 'keys' | 'rowOf'>,
	height: number,
): void {
	const place = useExplorerState(({lists}) => lists[feed.listing.list]);
	const {from, to} = shownRows(positionOf(place, keys, height), {count: keys.length, height});
	const rows = Array.from({length: Math.max(1, to - from)}, (_, row) => rowOf(from + row)).join(' ');
	const isSearched = place.search !== '';
	useLayoutEffect(() => {
		// A search reads names further down the list.
		feed.look(rows.split(' ').map(Number), isSearched);
	}, [feed, rows, isSearched]);
}

/** The files and the card of the opened dataset. */
export function useOpenedDataset(): OpenedDataset | undefined {
	return useStore(useExplorer().catalog.files.known);
}

/** The datasets that the opened dataset was composed from; undefined if there are none, or they are not known. */
export function useOpenedOrigin(): DatasetOrigin | undefined {
	return useStore(useExplorer().catalog.origin.known);
}

/** The damages of the opened dataset; undefined where it is not checked. */
export function useOpenedDamages(): DatasetDamages | undefined {
	return useStore(useExplorer().catalog.damages.known);
}

/** The remembered launch of a job that was started from here. */
export function useLaunch(jobId: string | undefined): Launch | undefined {
	return useStore(useExplorer().remembered.state, ({launches}) =>
		launches.find(launch => launch.jobId === jobId),
	);
}
