import type {FacetId} from '../../contract/facets.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Filter} from '../../query/filter.ts';
import type {Editing, ExplorerState, FacetItem, FacetLine, KeptFacets, Overlay} from './explorer-state.ts';
import {cursorPlace} from './facet-lines.ts';
import {type ListExtent, type ListPosition, listStart, settled} from './list-location.ts';
import type {Notice} from './notices.ts';
import type {PredicateRow} from './predicate-row.ts';

/** How the explorer's state becomes another: pure functions, one a thing that can happen. */
type Transition = (state: ExplorerState) => ExplorerState;

type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

/** Another filter is another list: it begins at its beginning, and what was said of the one before is over. */
export function filtered(filter: Filter): Transition {
	return state =>
		state.filter === filter
			? state
			: {
					...state,
					filter,
					position: listStart,
					detailOffset: 0,
					notices: [],
					facetsKept: undefined,
				};
}

/** Another order is another list as well, of the same episodes. */
export function ordered(sort: EpisodeSort | undefined): Transition {
	return state => ({...state, sort, position: listStart, detailOffset: 0, facetsKept: undefined});
}

/** Moves through the result; another episode's detail begins at its beginning. */
export function moved(step: (position: ListPosition) => ListPosition): Transition {
	return state => {
		const position = step(state.position);
		if (position.selected === state.position.selected && position.offset === state.position.offset) {
			return state;
		}
		const isSame = position.selected === state.position.selected;
		return {...state, position, detailOffset: isSame ? state.detailOffset : 0};
	};
}

/** Scrolls the detail, which has no selected line: the first line shown is all there is. */
export function detailScrolled(step: Step, {count, height}: ListExtent): Transition {
	// The last line that can stand at the top.
	const extent = {count: Math.max(1, count - height + 1), height: 1};
	return state => {
		// A page is what shows, not the one line of the extent.
		const paged = step(
			{selected: state.detailOffset, offset: state.detailOffset},
			{count: Number.MAX_SAFE_INTEGER, height},
		);
		const {selected} = settled({selected: paged.selected, offset: 0}, extent);
		return selected === state.detailOffset ? state : {...state, detailOffset: selected};
	};
}

/** Moves the cursor among the lines of the facets pane. */
export function facetCursorMoved(step: Step, lines: readonly FacetLine[], height: number): Transition {
	return state => {
		const extent = {count: lines.length, height};
		const from = {selected: cursorPlace(lines, state.facetCursor), offset: state.facetsOffset};
		const {selected, offset} = step(from, extent);
		const line = lines[selected];
		return line === undefined ? state : {...facetCursorSet(line.item)(state), facetsOffset: offset};
	};
}

/** Moves the cursor to the title of the next facet, or of the one before. */
export function facetJumped(by: 1 | -1, lines: readonly FacetLine[], height: number): Transition {
	return state => {
		const titles = lines.flatMap(({kind}, place) => (kind === 'title' ? [place] : []));
		const at = cursorPlace(lines, state.facetCursor);
		const to = by === 1 ? titles.find(place => place > at) : titles.findLast(place => place < at);
		return to === undefined
			? state
			: facetCursorMoved(
					(position, extent) => settled({...position, selected: to}, extent),
					lines,
					height,
				)(state);
	};
}

export function facetCursorSet(facetCursor: FacetItem): Transition {
	return state => ({
		...state,
		facetCursor,
		facetsKept: state.facetsKept?.facet === facetCursor.facet ? state.facetsKept : undefined,
	});
}

/** Keeps the lines of the facets where they are, or lets them be laid out anew. */
export function facetsKept(kept: KeptFacets | undefined): Transition {
	return state => (state.facetsKept === kept ? state : {...state, facetsKept: kept});
}

export function facetFolded(facet: FacetId, isFolded: boolean): Transition {
	return state => ({
		...state,
		facetsKept: undefined,
		foldedFacets: withMember(state.foldedFacets, facet, isFolded),
		facetCursor: isFolded ? {facet, kind: 'title'} : state.facetCursor,
	});
}

/** Lists every value of a facet, or only as many as fit beside the others. */
export function facetListed(facet: FacetId, isWhole: boolean): Transition {
	return state => ({
		...state,
		facetsKept: undefined,
		wholeFacets: withMember(state.wholeFacets, facet, isWhole),
	});
}

/** Narrows the list of a facet to values that hold a text; without one it is whole again. */
export function facetSearched(facet: FacetId, search: string | undefined): Transition {
	return state => {
		const {[facet]: _, ...others} = state.facetSearch;
		return {
			...state,
			facetsKept: undefined,
			facetSearch: search === undefined ? others : {...others, [facet]: search},
		};
	};
}

/** Scrolls the columns; there are `count` of them, and the first always stays. */
export function columnsShifted(by: number, count: number): Transition {
	return state => {
		const columnShift = Math.max(0, Math.min(state.columnShift + by, count - 2));
		return columnShift === state.columnShift ? state : {...state, columnShift};
	};
}

export function columnsChosen(columns: readonly string[]): Transition {
	return state => ({...state, columns, columnShift: 0});
}

/** Keeps the rows of the predicate form that the filter does not hold. */
export function rowsKept(keptRows: readonly PredicateRow[]): Transition {
	return state => ({...state, keptRows});
}

export function overlaid(overlay: Overlay | undefined): Transition {
	return state => (state.overlay === overlay ? state : {...state, overlay});
}

export function edited(editing: Editing | undefined): Transition {
	return state => (state.editing === editing ? state : {...state, editing});
}

export function zoomed(isZoomed: boolean): Transition {
	return state => ({...state, zoomed: isZoomed});
}

/** Changes which sentences show. */
export function noticesChanged(change: (notices: readonly Notice[]) => readonly Notice[]): Transition {
	return state => {
		const notices = change(state.notices);
		return notices === state.notices ? state : {...state, notices};
	};
}

function withMember<Member>(set: ReadonlySet<Member>, member: Member, isIn: boolean): ReadonlySet<Member> {
	const next = new Set(set);
	if (isIn) next.add(member);
	else next.delete(member);
	return next;
}
