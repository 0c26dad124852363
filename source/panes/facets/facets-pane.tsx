import {Box} from 'ink';
import {type ReactNode, useCallback, useEffect, useMemo} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {rule} from '../../components/rule.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {type FacetId, facetOf} from '../../contract/facets.ts';
import {useExplorer, useExplorerState, useResult} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import type {LineField} from '../../input/line-field.ts';
import {useBindings, useFocus, useMouseArea} from '../../input/react.tsx';
import {facetLines} from '../../store/facets/facet-lines.ts';
import {
	cursorPlace,
	facetCursorMoved,
	facetCursorSet,
	facetListed,
	facetSearched,
	facetsKept,
} from '../../store/facets/facets-state.ts';
import {scrolledBy, settled, shownRows} from '../../store/state/list-location.ts';
import {edited} from '../../store/state/transitions.ts';
import {facetLine, shortSignatures} from './facet-line.ts';
import {facetsBindings, pickItem} from './facets-bindings.ts';

type FacetsPaneProps = {
	readonly width: number;
	readonly height: number;
	readonly focused: boolean;
	/** Rows at which a pane to the right draws a line that meets the edge; none where the facets stand alone. */
	readonly meets: readonly number[] | undefined;
};

/** The values of each facet, the number of episodes with each, and the values that the filter includes. */
export function FacetsPane({width, height, focused, meets}: FacetsPaneProps): ReactNode {
	const explorer = useExplorer();
	const focus = useFocus();
	const screen = useScreen();
	const facets = useResult(result => result.facets);
	const filter = useExplorerState(state => state.filter);
	const sort = useExplorerState(state => state.sort);
	const foldedFacets = useExplorerState(state => state.foldedFacets);
	const wholeFacets = useExplorerState(state => state.wholeFacets);
	const facetSearch = useExplorerState(state => state.facetSearch);
	const kept = useExplorerState(state => state.facetsKept);
	const cursor = useExplorerState(state => state.facetCursor);
	const wantedOffset = useExplorerState(state => state.facetsOffset);
	const editing = useExplorerState(state => state.editing);

	const searched = typeof editing === 'object' && 'facet' in editing ? editing.facet : undefined;
	const rows = searched === undefined ? height : height - 1;
	const lines = useMemo(
		() =>
			facets === undefined
				? []
				: facetLines(facets, {filter, sort, foldedFacets, wholeFacets, facetSearch, facetsKept: kept}, rows),
		[facets, filter, sort, foldedFacets, wholeFacets, facetSearch, kept, rows],
	);
	const signatures = useMemo(() => {
		const listed = lines.flatMap(line =>
			line.kind === 'value' && line.item.facet === 'marker' ? [line.value] : [],
		);
		return shortSignatures(listed, screen.signs.ellipsis);
	}, [lines, screen]);
	const extent = {count: lines.length, height: rows};
	const place = cursorPlace(lines, cursor);
	const position = settled({selected: place, offset: wantedOffset}, extent);
	const {from} = shownRows(position, extent);

	const bindings = useMemo(() => {
		const now = () => {
			const known = explorer.window.result.getState().facets;
			return known === undefined ? [] : facetLines(known, explorer.state.getState(), rows);
		};
		return facetsBindings({explorer, focus, lines: now, height: rows});
	}, [explorer, focus, rows]);
	useBindings({id: 'facets', level: 'pane', active: focused && searched === undefined, bindings});

	useEffect(() => {
		if (!focused) explorer.update(facetsKept(undefined));
	}, [explorer, focused]);

	const area = useMouseArea({
		id: 'facets',
		level: 'pane',
		press(row) {
			focus.focus('facets');
			const item = lines[from + row]?.item;
			if (item === undefined || row >= rows) return;
			explorer.update(facetCursorSet(item));
			pickItem(explorer, item, lines);
		},
		wheel: by => explorer.update(facetCursorMoved((at, all) => scrolledBy(at, by, all), lines, rows)),
	});

	const inner = meets === undefined ? width : width - 1;
	const stroke = screen.signs.line;
	const edge = (row: number, isRule: boolean): Segment | undefined => {
		if (meets === undefined) return undefined;
		const isMet = meets.includes(row);
		const through = isRule ? stroke.cross : stroke.teeLeft;
		const end = isRule ? stroke.teeRight : stroke.vertical;
		return {text: row === 0 ? stroke.teeTop : isMet ? through : end, role: 'border'};
	};

	const drawn = Array.from({length: rows}, (_, row): Row => {
		const index = from + row;
		const line = lines[index];
		const isRule = line?.kind === 'title' || (lines.length === 0 && row === 0);
		const isAtCursor = line !== undefined && index === place;
		const empty = isRule ? rule(screen, inner, {title: 'Facets', focused}) : [];
		return {
			segments:
				line === undefined ? empty : facetLine(line, {width: inner, isAtCursor, focused, screen, signatures}),
			look: isAtCursor && focused ? 'selected' : undefined,
			edge: edge(row, isRule),
		};
	});
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Rows rows={drawn} width={inner} />
			{searched === undefined ? null : (
				<FacetSearch
					facet={searched}
					title={facetOf(searched).title}
					width={inner}
					edge={edge(rows, false)}
				/>
			)}
		</Box>
	);
}

type FacetSearchProps = {
	readonly facet: FacetId;
	readonly title: string;
	readonly width: number;
	/** The border of the pane, where it has one. */
	readonly edge: Segment | undefined;
};

/** The field at the foot of the facets pane that narrows one facet's list while it is typed into. */
function FacetSearch({facet, title, width, edge}: FacetSearchProps): ReactNode {
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
				description: 'clear the search',
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
