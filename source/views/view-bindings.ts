import type {Binding} from '../input/binding.ts';
import type {Focus} from '../input/focus.ts';
import {refetchNow} from '../panes/frame/header-line.tsx';
import type {Explorer} from '../store/explorer.ts';
import {overlaid} from '../store/state/transitions.ts';
import {viewed} from '../store/state/view-transitions.ts';
import {views} from './views.ts';

/** The keys that lead to another view. */
export function viewBindings(explorer: Explorer, focus: Focus): readonly Binding[] {
	return views.map(({key, view, pane}, place) => ({
		keys: [key],
		action: `view.${view}`,
		description: view,
		category: 'Views',
		footer: 60 + place,
		isKept: true,
		together: 'views',
		when: () => explorer.state.getState().view !== view,
		run() {
			explorer.update(viewed(view));
			focus.focus(pane);
		},
	}));
}

/** The keys of every list view. */
export function listViewBindings(explorer: Explorer, focus: Focus): readonly Binding[] {
	const category = 'Anywhere';
	return [
		{
			keys: ['tab', 'shift+tab'],
			action: 'list-view.other-pane',
			description: 'other pane',
			category,
			run: () => focus.next(),
		},
		{
			keys: ['r'],
			action: 'list-view.refresh',
			description: 'refresh',
			category,
			footer: 70,
			run: () => refetchNow(explorer),
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
