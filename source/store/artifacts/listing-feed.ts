import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {CursorList, type CursorListKnown} from '../queries/cursor-list.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import {type Freshness, isOfThisRun} from '../queries/freshness.ts';
import {type ListPage, type RowName, unread} from '../queries/list-chain.ts';
import {livePaceMs} from '../queries/polling.ts';
import type {ListId, ListLocation} from '../state/list-location.ts';
import type {UserState} from '../state/user-state.ts';

/** The search and the terms of a listing. */
export type ListQuery = Pick<ListLocation, 'search' | 'terms'>;

/** A listing of the interface: how it is read, and how one thing of it is found. */
export type Listing<Item> = {
	readonly list: ListId;
	readonly nameOf: (item: Item) => RowName;
	/** Bounds of the listing's `limit`. */
	readonly limits: {readonly page: number; readonly leap: number};
	/** The service searches; otherwise it is searched among the names that are read. */
	readonly searches: boolean;
	read(
		asked: ListQuery,
		page: {readonly cursor: string | undefined; readonly limit: number},
		signal: AbortSignal,
	): Promise<ListPage<Item>>;
	/** Finds one by its id; undefined where the service lists none. */
	find(id: string, signal: AbortSignal): Promise<Item | undefined>;
};

/** An opened item that is not among the rows: being looked for, or the reason why it was not found. */
export type Sought = {readonly id: string; readonly trouble: string | undefined};

/** True if the list is asked for without search or terms, as at a start. */
const isPlain = ({search, terms}: ListQuery) => search === '' && Object.keys(terms).length === 0;

/** Between two looks at a listing, where no events tell when to look. */
const paceMs = 15_000;

/** A search is asked for once typing has rested so long. */
const typingMs = 200;

/** So many names are read to search among them. */
const searchedRows = 10_000;

/** One listing with a view of its own: it follows what its reader asks for, and finds what is opened by its id. */
export class ListingFeed<Item> implements ListFeed {
	readonly known: StoreApi<CursorListKnown<Item>>;
	readonly sought: StoreApi<Sought | undefined> = createStore((): Sought | undefined => undefined);
	readonly listing: Listing<Item>;
	readonly #list: CursorList<Item>;
	readonly #state: StoreApi<UserState>;
	readonly #firstPage: FirstPage<Item>;
	readonly #unsubscribe: () => void;
	#asked: ListQuery;
	readonly #typing = new DebouncedQuery({restMs: typingMs});
	#seeking: AbortController | undefined;
	#isShown = false;
	#isLive = false;

	constructor(listing: Listing<Item>, state: StoreApi<UserState>, queries: QueryClient) {
		this.listing = listing;
		this.#state = state;
		this.#firstPage = new FirstPage<Item>(queries, listing.list);
		this.#asked = state.getState().lists[listing.list];
		const {nameOf, limits} = listing;
		const pace = () => (this.#isLive ? livePaceMs : paceMs);
		this.#list = new CursorList(this.#reading(), {nameOf, limits, paceMs: pace});
		this.known = this.#list.known;
		const stops = [
			state.subscribe(() => this.#follow()),
			this.#firstPage.onRecalled(({page, limit, readAt}) => {
				if (isPlain(this.#asked)) this.#list.recall(page, {limit, readAt});
			}),
		];
		this.#unsubscribe = () => {
			for (const stop of stops) stop();
		};
	}

	get isShown(): boolean {
		return this.#isShown;
	}

	show(isShown: boolean): void {
		this.#isShown = isShown;
		this.#list.show(isShown);
		this.#follow();
	}

	refetch(): void {
		this.#list.refetch();
	}

	/** Polls rarely while events announce changes. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
		this.#list.paceChanged();
	}

	/** Tries again at once, where it failed and waits. */
	wake(): void {
		this.#list.wake();
	}

	/** Checks now, while the list shows, whether it has changed. */
	refetchFirst(): void {
		this.#list.refetchFirst();
	}

	/** Says which rows are on the screen, and whether some of them are searched for. */
	look(rows: readonly number[], isSearched: boolean): void {
		this.#list.look(rows, isSearched && !this.listing.searches ? searchedRows : 0);
	}

	/** Reads the first page once, for those who want names to choose from. */
	lookOnce(): void {
		if (this.#isShown || isOfThisRun(this.known.getState().freshness)) return;
		this.#list.show(true);
		const stop = this.known.subscribe(({freshness}) => {
			if (freshness.state === 'loading' || freshness.isReading) return;
			stop();
			if (!this.#isShown) this.#list.show(false);
		});
	}

	itemOf(id: string): Item | undefined {
		const {keys, item} = this.known.getState();
		const row = keys.indexOf(id);
		return row < 0 ? undefined : item(row);
	}

	stop(): void {
		this.#unsubscribe();
		this.#typing.drop();
		this.#seeking?.abort();
		this.#list.stop();
	}

	#reading() {
		const asked = this.#asked;
		return async (cursor: string | undefined, limit: number, signal: AbortSignal) => {
			const page = await this.listing.read(asked, {cursor, limit}, signal);
			if (cursor === undefined && isPlain(asked)) this.#firstPage.keep(page, limit);
			return page;
		};
	}

	/** Takes up what the reader asks for and has opened. */
	#follow(): void {
		const {view, lists} = this.#state.getState();
		const place = lists[this.listing.list];
		this.#ask(place);
		const isAtIt = view === this.listing.list && place.opened;
		this.#seek(isAtIt ? place.cursor : undefined);
	}

	#ask({search, terms}: ListQuery): void {
		const {search: before, terms: termsBefore} = this.#asked;
		if (search === before && terms === termsBefore) return;
		this.#asked = {search, terms};
		this.#typing.drop();
		if (terms !== termsBefore) this.#list.ask(this.#reading());
		else if (this.listing.searches) {
			this.#typing.want(async () => this.#list.ask(this.#reading()));
		}
	}

	#seek(id: string | undefined): void {
		if (id === this.sought.getState()?.id) return;
		if (id === undefined || id === unread || this.known.getState().keys.includes(id)) {
			this.#seeking?.abort();
			this.sought.setState(undefined, true);
			return;
		}
		this.#seeking?.abort();
		const seeking = new AbortController();
		this.#seeking = seeking;
		this.sought.setState({id, trouble: undefined}, true);
		this.listing.find(id, seeking.signal).then(
			item => {
				if (seeking.signal.aborted) return;
				if (item !== undefined) this.#list.pin(item);
				const trouble = item === undefined ? 'The service lists nothing with this id.' : undefined;
				this.sought.setState({id, trouble}, true);
			},
			(error: unknown) => {
				if (seeking.signal.aborted) return;
				this.sought.setState({id, trouble: error instanceof Error ? error.message : String(error)}, true);
			},
		);
	}
}

/** The source of a list: read while its view shows, and again when asked to. */
export type ListFeed = {
	readonly known: Pick<
		StoreApi<{readonly freshness: Freshness | undefined}>,
		'getState' | 'getInitialState' | 'subscribe'
	>;
	show(isShown: boolean): void;
	refetch(): void;
};

/** A first page with what it was asked for, as the cache holds it from one run to the next. */
type Held<Item> = ListPage<Item> & {readonly limit: number};

type Recalled<Item> = {readonly page: ListPage<Item>; readonly limit: number; readonly readAt: number};

/** The first page of a listing in the query cache, where what an earlier run read is put (`remembered/`). */
class FirstPage<Item> {
	readonly #queries: QueryClient;
	readonly #key: readonly [string];
	/** The page in the cache was read by this run. */
	#isKeeping = false;

	constructor(queries: QueryClient, list: ListId) {
		this.#queries = queries;
		this.#key = [`first-of-${list}`];
		// It has no observer, and is wanted at the end of the run.
		queries.setQueryDefaults(this.#key, {gcTime: Number.POSITIVE_INFINITY});
	}

	keep(page: ListPage<Item>, limit: number): void {
		this.#isKeeping = true;
		this.#queries.setQueryData<Held<Item>>(this.#key, {...page, limit});
		this.#isKeeping = false;
	}

	/** Calls back when a page of an earlier run is there. @returns what ends that */
	onRecalled(take: (recalled: Recalled<Item>) => void): () => void {
		return this.#queries.getQueryCache().subscribe(({type, query}) => {
			if (this.#isKeeping || type !== 'updated' || query.queryKey[0] !== this.#key[0]) return;
			const state = this.#queries.getQueryState<Held<Item>>(this.#key);
			if (state?.data === undefined) return;
			const {limit, ...page} = state.data;
			take({page, limit, readAt: state.dataUpdatedAt});
		});
	}
}
