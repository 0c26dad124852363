import type {Binding} from '../input/binding.ts';
import type {Focus} from '../input/focus.ts';
import {refetchNow} from '../panes/frame/header-line.tsx';
import {onNewest} from '../panes/reviews/on-newest.ts';
import {noFilter} from '../query/filter.ts';
import {print} from '../query/print.ts';
import type {Explorer} from '../store/explorer.ts';
import {goTo, paneOfLink} from '../store/go-to.ts';
import {parentLink} from '../store/queries/link.ts';
import {edited, overlaid, zoomed} from '../store/state/transitions.ts';

const category = 'Explore';

/** The keys of the Explore view. */
export function exploreBindings(explorer: Explorer, focus: Focus): readonly Binding[] {
	const state = () => explorer.state.getState();
	const onRows: readonly Binding[] = [
		{
			keys: ['l'],
			action: 'explore.launch',
			description: 'launch a fine-tune',
			category,
			footer: 34,
			run: () => explorer.finetune.openSelected(),
		},
		{
			keys: ['i'],
			action: 'explore.pictures',
			description: 'pictures',
			category,
			footer: 45,
			when: () => explorer.window.result.getState().rowCount > 0,
			run: () => explorer.update(overlaid('pictures')),
		},
		{
			keys: ['D'],
			action: 'explore.dataset',
			description: 'its dataset',
			category,
			when: () => explorer.selectedEpisode() !== undefined,
			run() {
				const episode = explorer.selectedEpisode();
				if (episode === undefined) return;
				const link = {kind: 'dataset', id: episode.dataset_id} as const;
				goTo(explorer, link);
				focus.focus(paneOfLink(link));
			},
		},
		{
			keys: ['P'],
			action: 'explore.parent',
			description: 'its parent episode',
			category,
			when: () => parentLink(explorer.selectedEpisode()) !== undefined,
			run() {
				const link = parentLink(explorer.selectedEpisode());
				if (link !== undefined) goTo(explorer, link);
			},
		},
	];
	return [
		...onNewest(explorer, onRows),
		{
			keys: ['/'],
			action: 'explore.filter',
			description: 'filter',
			category,
			footer: 11,
			run: () => explorer.update(edited('filter')),
		},
		{
			keys: ['p'],
			action: 'explore.predicates',
			description: 'comparisons',
			category,
			footer: 32,
			run: () => explorer.update(overlaid('predicates')),
		},
		{
			keys: ['tab'],
			action: 'explore.next-pane',
			description: 'next pane',
			hint: 'panes',
			category,
			footer: 40,
			isKept: true,
			run: () => focus.next(),
		},
		{
			keys: ['shift+tab'],
			action: 'explore.previous-pane',
			description: 'previous pane',
			category,
			run: () => focus.previous(),
		},
		{
			keys: ['X'],
			action: 'explore.clear-filter',
			description: 'clear the filter',
			category,
			footer: 31,
			when: () => print({...state().filter, descending: false}) !== '',
			run: () => explorer.filterBy({...noFilter, descending: state().filter.descending}),
		},
		{
			keys: ['o'],
			action: 'explore.order',
			description: 'order',
			category,
			footer: 50,
			run: () => explorer.sort.turn(),
		},
		{
			keys: ['O'],
			action: 'explore.order-by',
			description: 'sort by',
			category,
			run: () => explorer.update(overlaid('order')),
		},
		{
			keys: ['t'],
			action: 'explore.triage',
			description: 'triage',
			category,
			footer: 33,
			run: () => explorer.sort.toggleTriage(),
		},
		{
			keys: ['r'],
			action: 'explore.refresh',
			description: 'refresh',
			category,
			footer: 70,
			run: () => refetchNow(explorer),
		},
		{
			keys: ['z'],
			action: 'explore.zoom',
			description: 'zoom',
			category,
			run: () => explorer.update(zoomed(!state().zoomed)),
		},
		{
			keys: ['?'],
			action: 'app.help',
			description: 'help',
			category,
			footer: 90,
			isKept: true,
			run: () => explorer.update(overlaid('help')),
		},
	];
}
