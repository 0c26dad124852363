import type {EpisodeSort} from '../contract/local-explore.ts';
import type {Filter} from '../query/filter.ts';
import type {KeptFacets} from './facet-lines.ts';
import {type ListId, type ListPlace, listIds, listPlaceStart} from './list-place.ts';
import {type ListPosition, listStart} from './list-position.ts';
import type {Notice} from './notices/notice.ts';
import {type History, noHistory} from './places/history.ts';
import type {PredicateRow} from './predicates/predicate-row.ts';
import type {Range} from './selection/range.ts';
import {nothingSelected, type Selection} from './selection/selection.ts';

/** The facets of the lake, in the order that they stand on the screen. */
export const facetIds = ['tag', 'task', 'tier', 'interface', 'marker'] as const;
export type FacetId = (typeof facetIds)[number];

/** A line of the facets pane, named by what it is, so that it is found again when counts change. */
export type FacetItem =
	| {readonly facet: FacetId; readonly kind: 'title' | 'more' | 'unknown'; readonly value?: never}
	| {readonly facet: FacetId; readonly kind: 'value'; readonly value: string};

/** The views that there are. */
export type ViewId = 'explore' | ListId;

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
export type Question = {
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
	readonly lists: Readonly<Record<ListId, ListPlace>>;
	/** The log of events shows what it held at this entry; undefined while it goes on. */
	readonly eventsPausedAt: number | undefined;
	/** Of the jobs, only those with which something went wrong are listed. */
	readonly jobsFaultsOnly: boolean;
	/** Events are shown as they came, not read. */
	readonly eventsRaw: boolean;
	readonly question: Question | undefined;
	readonly filter: Filter;
	/** Rows of the predicate form that the filter does not hold: switched off, or unfinished. */
	readonly keptRows: readonly PredicateRow[];
	/** The order of the episodes; undefined for the service's own, which the filter turns round. */
	readonly sort: EpisodeSort | undefined;
	readonly position: ListPosition;
	readonly selection: Selection;
	/** What was selected before it was dropped. */
	readonly droppedSelection: Selection | undefined;
	/** Rows that are being marked, until they are taken in. */
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
	/** Ids of the chosen columns, in order; undefined until somebody chooses. */
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
		lists: Object.fromEntries(listIds.map(list => [list, listPlaceStart])) as ExplorerState['lists'],
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
		droppedSelection: undefined,
		range: undefined,
		detailOffset: 0,
		facetCursor: {facet: 'task', kind: 'title'},
		facetsOffset: 0,
		foldedFacets: new Set(),
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
