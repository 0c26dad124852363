import type {Binding} from '../input/binding.ts';
import type {Focus} from '../input/focus.ts';
import type {Explorer} from '../store/explorer.ts';
import {type Place, paneOfPlace} from '../store/places/place.ts';

/** The keys of browsers, and the letters of those who steer one by keys (Vimium): back and forward. */
export function historyBindings(explorer: Explorer, focus: Focus): readonly Binding[] {
	const {places} = explorer;
	const arrive = (place: Place | undefined) => {
		if (place !== undefined) focus.focus(paneOfPlace(place));
	};
	return [
		{
			keys: ['esc'],
			action: 'history.leave',
			description: 'back to the view before',
			category: 'Views',
			when: () => places.comesFrom() !== undefined,
			run: () => arrive(places.back()),
		},
		{
			keys: ['H', 'alt+left'],
			action: 'history.back',
			description: 'back to where one was',
			category: 'Views',
			when: () => places.can('back'),
			run: () => arrive(places.back()),
		},
		{
			keys: ['L', 'alt+right'],
			action: 'history.forward',
			description: 'forward again',
			category: 'Views',
			when: () => places.can('forward'),
			run: () => arrive(places.forward()),
		},
	];
}
