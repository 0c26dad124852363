import {type ReactNode, useCallback, useMemo} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import type {LineField} from '../../input/line-field.ts';
import {useBindings} from '../../input/react.tsx';
import type {FacetId} from '../../store/explorer-state.ts';
import {edited, facetCursorSet, facetListed, facetSearched} from '../../store/transitions.ts';

type FacetSearchProps = {
	readonly facet: FacetId;
	readonly title: string;
	readonly width: number;
	/** The border of the pane, where it has one. */
	readonly edge: Segment | undefined;
};

/** The field at the foot of the facets pane that narrows one facet's list while it is typed into. */
export function FacetSearch({facet, title, width, edge}: FacetSearchProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const narrow = useCallback(
		({text}: LineField) => {
			explorer.update(facetSearched(facet, text === '' ? undefined : text));
			explorer.update(facetCursorSet({facet, kind: 'title'}));
		},
		[explorer, facet],
	);
	const {field, type} = useLineField(explorer.state.getState().facetSearch[facet] ?? '', narrow);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['enter', 'down', 'tab'],
				action: 'facet-search.done',
				description: 'to the values found',
				category: 'Facets',
				footer: 1,
				run: () => explorer.update(edited(undefined)),
			},
			{
				keys: ['esc'],
				action: 'facet-search.leave',
				description: 'list all values again',
				category: 'Facets',
				footer: 2,
				run: () => {
					explorer.update(facetSearched(facet, undefined));
					explorer.update(facetListed(facet, false));
					explorer.update(edited(undefined));
				},
			},
		],
		[explorer, facet],
	);
	useBindings({id: 'facet-search', level: 'dialog', modal: true, bindings, text: type});
	const label = `${title}: `;
	return (
		<Line
			segments={[{text: label, role: 'focus'}, ...fieldSegments(field, width - label.length, screen)]}
			width={width}
			edge={edge}
		/>
	);
}
