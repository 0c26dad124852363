import {type FacetId, facetOf} from '../../contract/facets.ts';
import type {Binding} from '../../input/binding.ts';
import type {Focus} from '../../input/focus.ts';
import type {Filter} from '../../query/filter.ts';
import type {Explorer} from '../../store/explorer.ts';
import {
	canBePicked,
	pickedValues,
	pickOnly,
	togglePicked,
	withPicked,
} from '../../store/facets/facet-lines.ts';
import type {FacetItem, FacetLine} from '../../store/facets/facets-state.ts';
import {
	cursorPlace,
	facetCursorMoved,
	facetCursorSet,
	facetFolded,
	facetJumped,
	facetListed,
	facetSearched,
	facetsKept,
} from '../../store/facets/facets-state.ts';
import {edited, filtered} from '../../store/state/transitions.ts';
import {movementBindings} from '../list/movement.ts';

const category = 'Facets';

type Shown = {
	readonly explorer: Explorer;
	readonly focus: Focus;
	/** The lines as they are now, not as they were when last drawn. */
	readonly lines: () => readonly FacetLine[];
	readonly height: number;
};

/** A title folds and unfolds, the last line of a long list shows the rest; only values are picked. */
function act(
	explorer: Explorer,
	item: FacetItem,
	lines: readonly FacetLine[],
	pick: (filter: Filter, facet: FacetId, value: string) => Filter,
): void {
	const {facet, kind} = item;
	const {filter, sort, foldedFacets, wholeFacets} = explorer.state.getState();
	if (item.kind === 'value') {
		if (canBePicked(facet, item.value)) {
			const picked = pick(filter, facet, item.value);
			// A second press is to take back what the first one picked: the lines stay under the pointer.
			const kept = facetsKept({facet, lines, filter: picked, sort});
			explorer.filterBy(picked, state => kept(filtered(picked)(state)));
		} else
			explorer.notify('warning', `The service cannot filter by the ${facetOf(facet).noun} “${item.value}”.`);
	} else if (kind === 'title') {
		explorer.update(facetFolded(facet, !foldedFacets.has(facet)));
	} else if (kind === 'more') {
		explorer.update(facetListed(facet, !wholeFacets.has(facet)));
	} else explorer.notify('info', 'The interface cannot filter for a missing value here.');
}

/** Picks a value or takes it back; folds, unfolds or lists the rest on the other lines. */
export function pickItem(explorer: Explorer, item: FacetItem, lines: readonly FacetLine[]): void {
	act(explorer, item, lines, togglePicked);
}

/** The keys of the facets pane. */
export function facetsBindings({explorer, focus, lines, height}: Shown): readonly Binding[] {
	const state = () => explorer.state.getState();
	const onItem = (act: (item: FacetItem) => void) => () => {
		const now = lines();
		const item = now[cursorPlace(now, state().facetCursor)]?.item;
		if (item !== undefined) act(item);
	};
	const hasSearch = () => state().facetSearch[state().facetCursor.facet] !== undefined;
	const lineNow = () => {
		const now = lines();
		return now[cursorPlace(now, state().facetCursor)];
	};
	const isAt = (...kinds: readonly FacetLine['kind'][]) => kinds.some(kind => kind === lineNow()?.kind);
	const isFolded = () => state().foldedFacets.has(state().facetCursor.facet);
	return [
		{
			keys: ['space'],
			action: 'facets.pick',
			description: 'pick',
			category,
			footer: 10,
			when: () => isAt('value', 'unknown'),
			run: onItem(item => pickItem(explorer, item, lines())),
		},
		{
			keys: ['enter'],
			action: 'facets.only',
			description: 'only this',
			category,
			footer: 11,
			when: () => isAt('value', 'unknown'),
			run: onItem(item => act(explorer, item, lines(), pickOnly)),
		},
		{
			keys: ['space'],
			action: 'facets.values',
			description: 'to its values',
			category,
			footer: 10,
			when: () => isAt('title'),
			run: onItem(({facet}) => {
				explorer.update(facetFolded(facet, false));
				const first = lines().find(({item, kind}) => item.facet === facet && kind === 'value');
				if (first !== undefined) explorer.update(facetCursorSet(first.item));
			}),
		},
		{
			keys: ['enter'],
			action: 'facets.fold-here',
			description: 'fold',
			category,
			footer: 11,
			when: () => isAt('title') && !isFolded(),
			run: onItem(item => act(explorer, item, lines(), pickOnly)),
		},
		{
			keys: ['enter'],
			action: 'facets.unfold-here',
			description: 'unfold',
			category,
			footer: 11,
			when: () => isAt('title') && isFolded(),
			run: onItem(item => act(explorer, item, lines(), pickOnly)),
		},
		{
			keys: ['space', 'enter'],
			action: 'facets.rest',
			description: 'more or fewer',
			category,
			footer: 10,
			when: () => isAt('more'),
			run: onItem(item => pickItem(explorer, item, lines())),
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
			when: () => pickedValues(state().filter, state().facetCursor.facet).length > 0,
			run: onItem(({facet}) => explorer.filterBy(withPicked(state().filter, facet, []))),
		},
		{
			keys: ['esc'],
			action: 'facets.end-find',
			description: 'clear the search',
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
			keys: ['left', '<'],
			action: 'facets.fold',
			description: 'collapse facet',
			category,
			run: onItem(({facet}) => explorer.update(facetFolded(facet, true))),
		},
		{
			keys: ['right', '>'],
			action: 'facets.unfold',
			description: 'expand facet',
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
