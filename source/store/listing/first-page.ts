import type {QueryClient} from '@tanstack/query-core';
import type {ListId} from '../list-place.ts';
import type {ListPage} from './list-chain.ts';

/** A first page with what it was asked for, as the cache holds it from one run to the next. */
type Held<Item> = ListPage<Item> & {readonly limit: number};

type Recalled<Item> = {readonly page: ListPage<Item>; readonly limit: number; readonly readAt: number};

/** The first page of a listing in the query cache, where what an earlier run read is put (`remembered/`). */
export class FirstPage<Item> {
	readonly #queries: QueryClient;
	readonly #key: readonly [string];
	/** What is put into the cache comes from this run. */
	#isKeeping = false;

	constructor(queries: QueryClient, list: ListId) {
		this.#queries = queries;
		this.#key = [`first-of-${list}`];
		// Nobody observes it, and it is wanted at the end of the run.
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
