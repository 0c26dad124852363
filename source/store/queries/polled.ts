import {
	hashKey,
	type QueryClient,
	QueryObserver,
	type QueryObserverOptions,
	type QueryObserverResult,
} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {type Freshness, freshnessOf, isLasting, isOfThisRun, isSameFreshness} from './freshness.ts';
import {afterOthersMs, pauseAfter} from './polling.ts';

/** The state of one thing that is watched. */
type Known<Data> = {
	readonly data: Data | undefined;
	/** When the data was read, in milliseconds since 1970. */
	readonly readAt: number | undefined;
	readonly error: Error | null;
	readonly freshness: Freshness;
	/** When the newest attempt to read it ended; 0 before the first. */
	readonly triedAt: number;
};

export type WatchedOptions<Data> = {
	readonly queries: QueryClient;
	readonly key: readonly string[];
	readonly read: (signal: AbortSignal) => Promise<Data>;
	/** Between two readings, by what was last read; false where nothing more is expected. */
	readonly paceMs: (data: Data | undefined) => number | false;
	/** It has ended and stays as it was read: it is not read again. @default nothing does */
	readonly isOver?: (data: Data) => boolean;
};

/** Data read this recently is not read again when watching begins. */
const justReadMs = 1000;

/** After a failure, where no pace says more. */
const leastPauseMs = 2000;

/** One resource of the service that is polled while it is watched, and fetched at once when asked to. */
export class Watched<Data> {
	readonly known: StoreApi<Known<Data>> = createStore(
		(): Known<Data> => ({
			data: undefined,
			readAt: undefined,
			error: null,
			freshness: {state: 'loading'},
			triedAt: 0,
		}),
	);
	readonly #queries: QueryClient;
	/** Made when it is first watched: it has a place in the cache, and events name more than anybody watches. */
	#observer: QueryObserver<Data, Error, Data, Data, string[]> | undefined;
	readonly #options: QueryObserverOptions<Data, Error, Data, Data, string[]>;
	readonly #paceMs: WatchedOptions<Data>['paceMs'];
	readonly #isOver: (data: Data) => boolean;
	/** Data read before this moment is of an earlier run. */
	readonly #startedAt = Date.now();
	#unsubscribe: (() => void) | undefined;
	#failuresBefore = 0;
	#failures = 0;
	#pauseMs: number | undefined;

	constructor({queries, key, read, paceMs, isOver = () => false}: WatchedOptions<Data>) {
		this.#queries = queries;
		this.#paceMs = paceMs;
		this.#isOver = isOver;
		this.#options = {
			queryKey: [...key],
			queryFn: ({signal}) => read(signal),
			structuralSharing: true,
			staleTime: ({state: {data, dataUpdatedAt}}) => {
				if (data !== undefined && isOver(data)) return Number.POSITIVE_INFINITY;
				return dataUpdatedAt < this.#startedAt ? 0 : justReadMs;
			},
			refetchInterval: ({state}) => {
				// Asking again with a key that was refused only fills the service's log.
				if (isLasting(state.error)) return false;
				return state.error === null ? paceMs(state.data) : (this.#pauseMs ?? leastPauseMs);
			},
		};
	}

	get isWatched(): boolean {
		return this.#unsubscribe !== undefined;
	}

	/** The data will not change any more. */
	get isOver(): boolean {
		const {data} = this.known.getState();
		return data !== undefined && this.#isOver(data);
	}

	/** It was read by this run, or stays as an earlier one read it, or cannot be read. */
	get isCurrent(): boolean {
		return this.isOver || isOfThisRun(this.known.getState().freshness);
	}

	/** Reads it now and from then on. */
	watch(): void {
		if (this.#unsubscribe !== undefined) return;
		this.#unsubscribe = () => undefined;
		this.#observer ??= new QueryObserver(this.#queries, this.#options);
		this.#unsubscribe = this.#observer.subscribe(result => this.#take(result));
		this.#take(this.#observer.getCurrentResult());
	}

	/** Leaves it as it is. */
	leave(): void {
		this.#unsubscribe?.();
		this.#unsubscribe = undefined;
	}

	/** Leaves it, and keeps nothing of it in the cache. */
	forget(): void {
		this.leave();
		if (this.#observer === undefined) return;
		this.#observer = undefined;
		const cache = this.#queries.getQueryCache();
		const query = cache.get(hashKey(this.#options.queryKey ?? []));
		if (query !== undefined && query.getObserversCount() === 0) cache.remove(query);
	}

	/** Reads it at once, where it is watched and not being read. */
	refetch(): void {
		if (!this.isWatched) return;
		void this.#observer?.refetch({cancelRefetch: false});
	}

	/** The same, unless it was read within so many milliseconds. */
	refetchIfOlder(ms: number): void {
		const {readAt} = this.known.getState();
		if (readAt === undefined || Date.now() - readAt > ms) this.refetch();
	}

	/** The pace is another one from now on. */
	paceChanged(): void {
		// The interval is asked for anew whenever options are set.
		this.#observer?.setOptions(this.#options);
	}

	#take(result: QueryObserverResult<Data>): void {
		if (result.isSuccess) this.#failuresBefore = result.errorUpdateCount;
		const failures = result.errorUpdateCount - this.#failuresBefore;
		if (failures !== this.#failures) {
			const terms = {paceMs: this.#paceMs(result.data) || leastPauseMs, failures};
			const pause = () => pauseAfter(result.error, terms) + afterOthersMs(result.error);
			// The first page of episodes comes back by itself; its answer wakes the rest.
			this.#pauseMs = failures === 0 || isLasting(result.error) ? undefined : pause();
			this.#failures = failures;
			// The observer has asked for the interval before it told of the failure.
			this.paceChanged();
		}
		const readAt = result.data === undefined ? undefined : result.dataUpdatedAt;
		const freshness = freshnessOf({
			readAt,
			isFromLastSession: readAt !== undefined && readAt < this.#startedAt,
			isReading: result.isFetching,
			error: result.error,
			nextAt: this.#pauseMs === undefined ? undefined : result.errorUpdatedAt + this.#pauseMs,
			failedAt: result.errorUpdatedAt || undefined,
		});
		const before = this.known.getState();
		const isSame = isSameFreshness(before.freshness, freshness);
		const {data, error} = result;
		const triedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt);
		if (isSame && before.data === data && before.error === error && before.triedAt === triedAt) return;
		this.known.setState(
			{data, readAt, error, freshness: isSame ? before.freshness : freshness, triedAt},
			true,
		);
	}
}
