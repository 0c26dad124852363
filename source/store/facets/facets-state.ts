import {type FacetId, facets} from '../../contract/facets.ts';
import type {Count} from '../../contract/scalars.ts';
import {type ListExtent, type ListPosition, settled} from '../state/list-location.ts';
import type {Transition as TransitionOf, UserState} from '../state/user-state.ts';

/** The facets of the lake, in the order that they stand on the screen. */
export const facetIds: readonly FacetId[] = facets
	.filter(({response}) => response !== undefined)
	.toSorted((a, b) => a.place - b.place)
	.map(({id}) => id);

/** Facets that begin folded, to leave room for those that are used more often. */
const foldedAtFirst: readonly FacetId[] = facets.filter(({isFolded}) => isFolded).map(({id}) => id);

/** A line of the facets pane, named by what it is, so that it is found again when counts change. */
export type FacetItem =
	| {readonly facet: FacetId; readonly kind: 'title' | 'more' | 'unknown'; readonly value?: never}
	| {readonly facet: FacetId; readonly kind: 'value'; readonly value: string};

/** A line of the facets pane, and what it shows. */
export type FacetLine =
	| {
			readonly kind: 'title';
			readonly item: FacetItem;
			readonly isFolded: boolean;
			readonly picked: number;
			/** Values that the service listed. */
			readonly listed: number;
			/** Values that there are; undefined where the service does not say. */
			readonly total: Count | undefined;
			/** The text that narrows the list, if any. */
			readonly search: string | undefined;
			/** Listed values that the search lets through. */
			readonly found: number;
	  }
	| {
			readonly kind: 'value';
			readonly item: FacetItem;
			readonly value: string;
			readonly count: Count;
			readonly isPicked: boolean;
			/** The count beside the greatest of its facet. */
			readonly share: number;
	  }
	/** The last line of a list that is cut, or that would be cut if it were not listed whole. */
	| {readonly kind: 'more'; readonly item: FacetItem; readonly hidden: number; readonly isWhole: boolean}
	/** Episodes that have no value; the interface has no filter for them. */
	| {readonly kind: 'unknown'; readonly item: FacetItem; readonly count: Count};

/**
 * The lines that were shown when a value of a facet was picked. A pick changes counts, and with them the order of the tags
 * and how many values the others have: until the facet is left or the filter changes otherwise, it and those above it stay where they were.
 */
export type KeptFacets = Pick<UserState, 'filter' | 'sort'> & {
	readonly facet: FacetId;
	readonly lines: readonly FacetLine[];
};

/** The part of the explorer's state that belongs to the facets pane. */
export type FacetsState = {
	readonly facetCursor: FacetItem;
	readonly facetsOffset: number;
	readonly foldedFacets: ReadonlySet<FacetId>;
	/** Facets of which every value is listed, not only as many as fit beside the others. */
	readonly wholeFacets: ReadonlySet<FacetId>;
	/** Where the lines of the facets stay while values of one are picked. */
	readonly facetsKept: KeptFacets | undefined;
	readonly facetSearch: Readonly<Partial<Record<FacetId, string>>>;
};

export const initialFacets: FacetsState = {
	facetCursor: {facet: 'task', kind: 'title'},
	facetsOffset: 0,
	foldedFacets: new Set(foldedAtFirst),
	wholeFacets: new Set(),
	facetsKept: undefined,
	facetSearch: {},
};

type Transition = TransitionOf<FacetsState>;

type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

/** True if two lines are the same one, whatever they show. */
function isSameItem(a: FacetItem, b: FacetItem): boolean {
	return a.facet === b.facet && a.kind === b.kind && a.value === b.value;
}

/** Where the cursor stands among the lines: on its own line, or where that is gone on its facet's title. */
export function cursorPlace(lines: readonly FacetLine[], cursor: FacetItem): number {
	const own = lines.findIndex(({item}) => isSameItem(item, cursor));
	if (own >= 0) return own;
	const title = lines.findIndex(({item}) => item.facet === cursor.facet && item.kind === 'title');
	return Math.max(0, title);
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

function withMember<Member>(set: ReadonlySet<Member>, member: Member, isIn: boolean): ReadonlySet<Member> {
	const next = new Set(set);
	if (isIn) next.add(member);
	else next.delete(member);
	return next;
}
