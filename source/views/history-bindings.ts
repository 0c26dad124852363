import type {Binding} from '../input/binding.ts';
import type {Focus} from '../input/focus.ts';
import type {Explorer} from '../store/explorer.ts';
import {paneOfLocation} from '../store/state/location.ts';
import {overlaid} from '../store/state/transitions.ts';
import type {Location} from '../store/state/user-state.ts';

/** Ways to where one was: back and forward, by the keys of browsers and the letters of Vimium, and the saved views. */
export function historyBindings(explorer: Explorer, focus: Focus): readonly Binding[] {
	const {places} = explorer;
	const arrive = (place: Location | undefined) => {
		if (place !== undefined) focus.focus(paneOfLocation(place));
	};
	return [
		{
			keys: ['esc'],
			action: 'history.leave',
			description: 'previous view',
			category: 'Views',
			when: () => places.comesFrom() !== undefined,
			run: () => arrive(places.back()),
		},
		{
			keys: ['H', 'alt+left'],
			action: 'history.back',
			description: 'back',
			category: 'Views',
			when: () => places.can('back'),
			run: () => arrive(places.back()),
		},
		{
			keys: ['L', 'alt+right'],
			action: 'history.forward',
			description: 'forward',
			category: 'Views',
			when: () => places.can('forward'),
			run: () => arrive(places.forward()),
		},
		{
			keys: ['V'],
			action: 'views.saved',
			description: 'saved views',
			category: 'Views',
			run: () => explorer.update(overlaid('views')),
		},
	];
}
