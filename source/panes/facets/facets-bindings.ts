import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import type {Filter} from '../../query/filter.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {FacetItem} from '../../store/explorer-state.ts';
import {canBePicked, pickOnly, togglePicked, withPicked} from '../../store/facet-filter.ts';
import type {FacetLine} from '../../store/facet-lines.ts';
import {cursorPlace} from '../../store/facet-lines.ts';
import {
	edited,
	facetCursorMoved,
	facetFolded,
	facetJumped,
	facetListed,
	facetSearched,
} from '../../store/transitions.ts';
import {movementBindings} from '../movement.ts';

const category = 'Facets';

type Shown = {
	readonly explorer: Explorer;
	readonly focus: Focus;
	/** The lines as they are now, not as they were when last drawn. */
	readonly lines: () => readonly FacetLine[];
	readonly height: number;
};

/** What can be done in the facets pane. */
export function facetsBindings({explorer, focus, lines, height}: Shown): readonly Binding[] {
	const state = () => explorer.state.getState();
	const onItem = (act: (item: FacetItem) => void) => () => {
		const now = lines();
		const item = now[cursorPlace(now, state().facetCursor)]?.item;
		if (item !== undefined) act(item);
	};
	/** A title folds and unfolds, the last line of a long list shows the rest; only values are picked. */
	const act = (item: FacetItem, pick: (value: string) => Filter): void => {
		const {facet, kind} = item;
		if (item.kind === 'value') {
			if (canBePicked(facet, item.value)) explorer.filterBy(pick(item.value));
			else explorer.notify('warning', `The service takes no filter by the ${facet} “${item.value}”.`);
		} else if (kind === 'title') {
			explorer.update(facetFolded(facet, !state().foldedFacets.has(facet)));
		} else if (kind === 'more') {
			explorer.update(facetListed(facet, !state().wholeFacets.has(facet)));
		} else explorer.notify('info', 'The interface has no filter for episodes without a value here.');
	};
	const hasSearch = () => state().facetSearch[state().facetCursor.facet] !== undefined;
	return [
		{
			keys: ['space'],
			action: 'facets.pick',
			description: 'pick',
			category,
			footer: 10,
			run: onItem(item => act(item, value => togglePicked(state().filter, item.facet, value))),
		},
		{
			keys: ['enter'],
			action: 'facets.only',
			description: 'only this',
			category,
			footer: 11,
			run: onItem(item => act(item, value => pickOnly(state().filter, item.facet, value))),
		},
		{
			keys: ['f'],
			action: 'facets.find',
			description: 'find',
			category,
			footer: 12,
			run: onItem(({facet}) => explorer.update(edited({facet}))),
		},
		{
			keys: ['x'],
			action: 'facets.clear',
			description: 'clear',
			category,
			footer: 13,
			run: onItem(({facet}) => explorer.filterBy(withPicked(state().filter, facet, []))),
		},
		{
			keys: ['esc'],
			action: 'facets.end-find',
			description: 'list all values again',
			category,
			when: hasSearch,
			run: onItem(({facet}) => explorer.update(facetSearched(facet, undefined))),
		},
		{
			keys: ['esc'],
			action: 'facets.leave',
			description: 'back to the table',
			category,
			when: () => !hasSearch(),
			run: () => focus.focus('episodes'),
		},
		{
			keys: ['h', 'left'],
			action: 'facets.fold',
			description: 'fold this facet',
			category,
			run: onItem(({facet}) => explorer.update(facetFolded(facet, true))),
		},
		{
			keys: ['l', 'right'],
			action: 'facets.unfold',
			description: 'unfold this facet',
			category,
			run: onItem(({facet}) => explorer.update(facetFolded(facet, false))),
		},
		{
			keys: [']', '}'],
			action: 'facets.next-facet',
			description: 'next facet',
			category,
			batch: true,
			run: () => explorer.update(facetJumped(1, lines(), height)),
		},
		{
			keys: ['[', '{'],
			action: 'facets.previous-facet',
			description: 'previous facet',
			category,
			batch: true,
			run: () => explorer.update(facetJumped(-1, lines(), height)),
		},
		...movementBindings({
			name: 'facets',
			category,
			noun: 'value',
			move: step => explorer.update(facetCursorMoved(step, lines(), height)),
		}),
	];
}
