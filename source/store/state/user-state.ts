import type {FacetId} from '../../contract/facets.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
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
	/** Further terms of the request, in a view that is a list. */
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

/** The overlays over the panes. */
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

/** The field that has the keyboard: the filter, a facet's list, a list's search, an id to follow in a list. */
export type Editing =
	| 'filter'
	| {readonly facet: FacetId}
	| {readonly list: ListId; readonly what: 'search' | 'follow' | 'ref'};

/** Something that is not done before the user has agreed. */
export type Confirmation = {
	readonly title: string;
	/** Its consequences, and what is lost by it. */
	readonly lines: readonly string[];
	/** The effect of `y`, in a few words. */
	readonly yes: string;
	readonly agree: () => void;
};

/**
 * The part of the explorer's state that no feature owns: the view, the location in it, dialogs, fields and sentences. Each
 * feature adds its own part; `explorer-state.ts` composes them.
 */
export type UserState = {
	readonly view: ViewId;
	readonly places: History;
	readonly lists: Readonly<Record<ListId, ListLocation>>;
	readonly filter: Filter;
	/** The order of the episodes; undefined for the service's own, which the filter turns round. */
	readonly sort: EpisodeSort | undefined;
	readonly position: ListPosition;
	/** First line of the detail that shows. */
	readonly detailOffset: number;
	/** The focused pane has the whole body. */
	readonly zoomed: boolean;
	/** Nothing is sent that changes something. */
	readonly readOnly: boolean;
	readonly overlay: Overlay | undefined;
	readonly question: Confirmation | undefined;
	readonly editing: Editing | undefined;
	readonly notices: readonly Notice[];
};

/** A change of one part of the state, which leaves the other parts as they are. */
export type Transition<Part> = <State extends Part>(state: State) => State;

export function initialUserState(filter: Filter): UserState {
	return {
		view: 'explore',
		places: noHistory,
		lists: Object.fromEntries(listIds.map(list => [list, listLocationStart])) as UserState['lists'],
		filter,
		sort: undefined,
		position: listStart,
		detailOffset: 0,
		zoomed: false,
		readOnly: false,
		overlay: undefined,
		question: undefined,
		editing: undefined,
		notices: [],
	};
}
