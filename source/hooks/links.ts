import {useMemo} from 'react';
import {useFocus} from '../input/react.tsx';
import type {Filter} from '../query/filter.ts';
import {goTo, goToEpisodes, goToList, paneOfLink} from '../store/links/go-to.ts';
import type {Link} from '../store/links/link.ts';
import type {ListId} from '../store/list-place.ts';
import {useExplorer} from './explorer.tsx';

/** Goes to where something leads, with the keyboard. */
export type Ways = {
	readonly to: (link: Link) => void;
	readonly toList: (list: ListId, terms: Readonly<Record<string, string>>) => void;
	readonly toEpisodes: (filter: Partial<Filter>) => void;
};

export function useWays(): Ways {
	const explorer = useExplorer();
	const focus = useFocus();
	return useMemo(
		() => ({
			to(link) {
				goTo(explorer, link);
				focus.focus(paneOfLink(link));
			},
			toList(list, terms) {
				goToList(explorer, list, terms);
				focus.focus(list);
			},
			toEpisodes(filter) {
				goToEpisodes(explorer, filter);
				focus.focus('episodes');
			},
		}),
		[explorer, focus],
	);
}
