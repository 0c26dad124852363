import {type QueryClient, QueryObserver} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {fieldProblems} from '../../client/errors.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import type {DatasetNames} from '../episodes/dataset-names.ts';
import {pageOptions, pageSize} from '../episodes/pages.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {ExplorePage, Question, ReadPage} from '../queries/explore-result.ts';
import type {LatestOnlyQueue} from '../queries/latest-only.ts';

/** The count of a filter that is being typed, as far as it is known. */
export type Counted =
	/** Nothing is asked: the line says what is applied, or cannot be read. */
	| {readonly state: 'none'}
	/** `last` is what the filter before it would let through. */
	| {readonly state: 'counting'; readonly last: Count | undefined}
	| {readonly state: 'counted'; readonly filter: Filter; readonly total: Count; readonly facets: LakeFacets}
	| {readonly state: 'unknown-datasets'; readonly names: readonly string[]}
	| {readonly state: 'refused'; readonly problems: readonly FieldProblem[]; readonly reason: string};

/** A pause of this length in typing asks. */
const restMs = 180;

/** A page that was only counted is not kept for long. */
const keptMs = 20_000;

type LiveCountOptions = {
	readonly queries: QueryClient;
	readonly read: ReadPage;
	readonly names: DatasetNames;
	readonly queue: LatestOnlyQueue;
	/** The order that the table asks the service for. */
	readonly sort: () => EpisodeSort | undefined;
};

/**
 * How many episodes the filter that is being typed would let through. What is asked for is the first page of its
 * result, as the table will ask for it: applied, the filter shows at once.
 */
export class LiveCount {
	readonly known: StoreApi<Counted> = createStore((): Counted => ({state: 'none'}));
	readonly #options: LiveCountOptions;
	readonly #counting: DebouncedQuery;

	constructor(options: LiveCountOptions) {
		this.#options = options;
		this.#counting = new DebouncedQuery({restMs, queue: options.queue, name: 'count'});
	}

	/** Counts what a filter would let through, once typing rests; nothing for a line that cannot be read. */
	look(filter: Filter | undefined): void {
		this.stop();
		if (filter === undefined) {
			this.#know({state: 'none'});
			return;
		}
		this.#notifyCounting();
		this.#counting.want(signal => this.#count(filter, signal));
	}

	/** Says that the datasets of a filter are looked for. */
	notifyLooking(): void {
		this.stop();
		this.#notifyCounting();
	}

	#notifyCounting(): void {
		const before = this.known.getState();
		const last =
			before.state === 'counted' ? before.total : before.state === 'counting' ? before.last : undefined;
		this.#know({state: 'counting', last});
	}

	/** Says that a filter's datasets are not to be found. */
	notifyUnknown(names: readonly string[]): void {
		this.stop();
		this.#know({state: 'unknown-datasets', names});
	}

	/** Says why a filter could not be looked into. */
	notifyFailure(error: unknown): void {
		const reason = error instanceof Error ? error.message : String(error);
		this.#know({state: 'refused', problems: fieldProblems(error), reason});
	}

	stop(): void {
		this.#counting.drop();
	}

	#know(counted: Counted): void {
		this.known.setState(counted, true);
	}

	async #count(filter: Filter, signal: AbortSignal): Promise<void> {
		const {names} = this.#options;
		try {
			const known = await names.request(filter, signal);
			if (signal.aborted) return;
			if (!known.ok) return this.#know({state: 'unknown-datasets', names: known.unknownDatasets});
			const {data} = await this.#firstPage(known.request, signal);
			if (!signal.aborted) {
				this.#know({state: 'counted', filter, total: data.total, facets: data.facets});
			}
		} catch (error) {
			if (!signal.aborted) this.notifyFailure(error);
		}
	}

	/** Reads the first page through the cache, so that the table shares the one request. */
	#firstPage(question: Question, signal: AbortSignal): Promise<ExplorePage> {
		const {queries, read} = this.#options;
		const sort = this.#options.sort();
		const observer = new QueryObserver<ExplorePage>(queries, {
			...pageOptions(read, {question, page: 0, pageSize, ...(sort && {sort})}),
			gcTime: keptMs,
		});
		return new Promise((resolve, reject) => {
			let leave = () => {};
			const settle = (end: () => void) => {
				signal.removeEventListener('abort', giveUp);
				leave();
				end();
			};
			const giveUp = () => settle(() => reject(signal.reason));
			const look = () => {
				const {data, error, isFetching, isStale} = observer.getCurrentResult();
				if (isFetching) return;
				if (error !== null) settle(() => reject(error));
				else if (data !== undefined && !isStale) settle(() => resolve(data));
			};
			signal.addEventListener('abort', giveUp);
			leave = observer.subscribe(look);
			look();
		});
	}
}
