import {type FacetId, facets} from '../../contract/facets.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import {
	type ListId,
	type ListLocation,
	type ListPosition,
	listIds,
	listLocationStart,
	listStart,
} from './list-location.ts';
import type {Notice} from './notices.ts';
import type {PredicateRow} from './predicate-row.ts';
import {nothingSelected, type Selection} from './selection.ts';

/** The facets of the lake, in the order that they stand on the screen. */
export const facetIds: readonly FacetId[] = facets
	.filter(({response}) => response !== undefined)
	.toSorted((a, b) => a.place - b.place)
	.map(({id}) => id);

/** What begins folded, so that there is more room for what is asked for more often. */
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
			/** What the list is narrowed to, if it is. */
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
 * and how many values the others have: until the facet is left, it and those above it stay where they were.
 */
export type KeptFacets = {readonly facet: FacetId; readonly lines: readonly FacetLine[]};

/** The views that there are. */
export type ViewId = 'explore' | ListId;

/** Where a reader is: what a step of the history goes back to, and what the next start begins with. */
export type Location = {
	readonly view: ViewId;
	readonly filter: Filter;
	/** The order of the episodes; undefined for the service's own. */
	readonly sort?: EpisodeSort | undefined;
	/** Where in the result of the filter. */
	readonly position: ListPosition;
	/** The key of the row that is opened, in a view that is a list. */
	readonly opened?: string | undefined;
	/** What else is asked of the service, in a view that is a list. */
	readonly terms?: Readonly<Record<string, string>> | undefined;
};

/** The places that were left, so that one can go back to them, and forward again. */
type History = {
	/** The one left last is the last. */
	readonly back: readonly Location[];
	/** The one to go forward to is the last. */
	readonly forward: readonly Location[];
	/** The filter is being typed and has changed: whatever it becomes until then is one step. */
	readonly isTyping: boolean;
};

const noHistory: History = {back: [], forward: [], isTyping: false};

/** Rows from where a range was begun to the cursor, wherever that goes. */
export type Range = {
	/** The row that it was begun at, and the episode there; rows that come above move both. */
	readonly anchor: number;
	readonly episodeId: string | undefined;
};

/** What lies over the panes. */
export type Overlay =
	| 'help'
	| 'columns'
	| 'order'
	| 'thin'
	| 'compose'
	| 'channels'
	| 'pictures'
	| 'predicates'
	| 'export'
	| 'views'
	| 'offer'
	| 'question'
	| 'project'
	| 'palette'
	| 'messages'
	| 'upload'
	| 'launch';

/** What is being typed into: the filter, a facet's list, a list's search, an id to follow in a list. */
export type Editing =
	| 'filter'
	| {readonly facet: FacetId}
	| {readonly list: ListId; readonly what: 'search' | 'follow' | 'ref'};

/** Something that is not done before the user has agreed. */
export type Confirmation = {
	readonly title: string;
	/** What it will do, and what is lost by it. */
	readonly lines: readonly string[];
	/** What `y` does, in a few words. */
	readonly yes: string;
	readonly agree: () => void;
};

/** The explorer's own state: what the user is at. What the service knows is elsewhere. */
export type ExplorerState = {
	readonly view: ViewId;
	readonly places: History;
	readonly lists: Readonly<Record<ListId, ListLocation>>;
	/** The log of events shows what it held at this entry; undefined while it goes on. */
	readonly eventsPausedAt: number | undefined;
	/** Of the jobs, only those with which something went wrong are listed. */
	readonly jobsFaultsOnly: boolean;
	/** Events are shown as they came, not read. */
	readonly eventsRaw: boolean;
	readonly question: Confirmation | undefined;
	readonly filter: Filter;
	/** Rows of the predicate form that the filter does not hold: switched off, or unfinished. */
	readonly keptRows: readonly PredicateRow[];
	/** The order of the episodes; undefined for the service's own, which the filter turns round. */
	readonly sort: EpisodeSort | undefined;
	readonly position: ListPosition;
	readonly selection: Selection;
	/** Rows that are being marked, until they are added to the selection. */
	readonly range: Range | undefined;
	/** First line of the detail that shows. */
	readonly detailOffset: number;
	readonly facetCursor: FacetItem;
	readonly facetsOffset: number;
	readonly foldedFacets: ReadonlySet<FacetId>;
	/** Facets of which every value is listed, not only as many as fit beside the others. */
	readonly wholeFacets: ReadonlySet<FacetId>;
	/** Where the lines of the facets stay while values of one are picked. */
	readonly facetsKept: KeptFacets | undefined;
	readonly facetSearch: Readonly<Partial<Record<FacetId, string>>>;
	/** Ids of the chosen columns, in order; undefined until the user chooses. */
	readonly columns: readonly string[] | undefined;
	/** Columns scrolled past, behind the first. */
	readonly columnShift: number;
	/** The focused pane has the whole body. */
	readonly zoomed: boolean;
	/** Nothing is sent that changes something. */
	readonly readOnly: boolean;
	readonly overlay: Overlay | undefined;
	readonly editing: Editing | undefined;
	readonly notices: readonly Notice[];
};

export function initialState(filter: Filter, columns: readonly string[] | undefined): ExplorerState {
	return {
		view: 'explore',
		lists: Object.fromEntries(listIds.map(list => [list, listLocationStart])) as ExplorerState['lists'],
		places: noHistory,
		eventsPausedAt: undefined,
		jobsFaultsOnly: false,
		eventsRaw: false,
		question: undefined,
		filter,
		keptRows: [],
		sort: undefined,
		position: listStart,
		selection: nothingSelected,
		range: undefined,
		detailOffset: 0,
		facetCursor: {facet: 'task', kind: 'title'},
		facetsOffset: 0,
		foldedFacets: new Set(foldedAtFirst),
		wholeFacets: new Set(),
		facetsKept: undefined,
		facetSearch: {},
		columns,
		columnShift: 0,
		zoomed: false,
		readOnly: false,
		overlay: undefined,
		editing: undefined,
		notices: [],
	};
}
