import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {newestAnswer} from '../../store/queries/explore-result.ts';

/**
 * Lets bindings act on the episodes of the filter that was said last, never on those of the one before, which show until
 * the service has answered: they wait for it a moment, and are refused with a word where it takes longer.
 */
export function onNewest(explorer: Explorer, bindings: readonly Binding[]): readonly Binding[] {
	const {result} = explorer.window;
	return bindings.map(binding => ({
		...binding,
		ready: () => newestAnswer(result),
		run(event) {
			if (!result.getState().isPrevious) return binding.run(event);
			explorer.notify(
				'warning',
				'The list still shows the previous filter: nothing was done. Press it again when the new episodes are listed.',
			);
			return undefined;
		},
	}));
}
