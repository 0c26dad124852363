import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {ListId} from '../../store/list-place.ts';
import {listAsked} from '../../store/view-transitions.ts';

/** A parameter of a listing that a key goes through the values of. */
export type TermKey = {
	readonly key: string;
	readonly term: string;
	readonly description: string;
	/** Undefined is what the service does without it. */
	readonly values: readonly (string | undefined)[];
};

/** The keys that ask the service for other rows, and the one that takes all of that back. */
export function termBindings(
	explorer: Explorer,
	{list, category, terms}: {list: ListId; category: string; terms: readonly TermKey[]},
): readonly Binding[] {
	const place = () => explorer.state.getState().lists[list];
	return [
		...terms.map(({key, term, description, values}): Binding => {
			return {
				keys: [key],
				action: `${list}.${term}`,
				description,
				category,
				footer: 32,
				run() {
					const next = (values.indexOf(place().terms[term]) + 1) % values.length;
					explorer.update(listAsked(list, {[term]: values[next]}));
				},
			};
		}),
		{
			keys: ['X'],
			action: `${list}.all`,
			description: 'list all',
			category,
			footer: 31,
			when: () => place().search !== '' || Object.keys(place().terms).length > 0,
			run: () => explorer.update(listAsked(list, {}, {isOnly: true})),
		},
	];
}
