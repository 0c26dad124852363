import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useUploads} from '../../hooks/explorer.tsx';
import {rowOfPlace} from '../../store/list-place.ts';
import {uploadBindings} from './upload-bindings.ts';

/** The entries that show, the selected one, and what can be done with it. */
export function useShownUploads() {
	const explorer = useExplorer();
	const copy = useCopy();
	const feed = useUploads();
	const place = useExplorerState(({lists}) => lists.uploads);
	const wanted = place.search.toLowerCase();
	const entries = useMemo(
		() =>
			wanted === ''
				? feed.entries
				: feed.entries.filter(({name, phase, message, operationId, folder}) =>
						[name, phase, message, operationId, folder].some(text => text?.toLowerCase().includes(wanted)),
					),
		[feed.entries, wanted],
	);
	const keys = useMemo(() => entries.map(({key}) => key), [entries]);
	const selected = entries[rowOfPlace(place, keys)];
	const bindings = useMemo(
		() => uploadBindings(explorer, {entries, selected, copy}),
		[explorer, entries, selected, copy],
	);
	return {feed, entries, keys, selected, bindings, isSearched: wanted !== ''};
}
