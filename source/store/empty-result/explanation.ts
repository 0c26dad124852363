import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {Filter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import type {DatasetIdByName} from '../../query/request.ts';
import type {Result} from '../result.ts';
import {type Explained, explainEmpty} from './explain-empty.ts';

/** A result that stays empty for this long is looked into. */
const restMs = 300;

const keptMs = 60_000;

type ExplanationOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'explore' | 'histogram' | 'listChannels'>;
	readonly result: StoreApi<Result>;
	readonly filter: () => Filter;
	readonly idOf: DatasetIdByName;
	readonly abilities: () => readonly string[];
};

/** Looks for the reason when a filter lets nothing through: one request at a time, given up with the filter. */
export class Explanation {
	readonly known: StoreApi<Explained | undefined> = createStore<Explained | undefined>(() => undefined);
	readonly #options: ExplanationOptions;
	readonly #unsubscribe: () => void;
	#line: string | undefined;
	#looking: AbortController | undefined;

	constructor(options: ExplanationOptions) {
		this.#options = options;
		this.#unsubscribe = options.result.subscribe(result => this.#look(result));
	}

	stop(): void {
		this.#unsubscribe();
		this.#looking?.abort();
	}

	#look({totals, isPrevious, freshness}: Result): void {
		const filter = this.#options.filter();
		const line = print({...filter, descending: false});
		const isRead = freshness.state === 'fresh' || freshness.state === 'stale';
		const isEmpty = isRead && !isPrevious && totals !== undefined && Number(totals.episodes) === 0;
		const wanted = isEmpty && line !== '' ? line : undefined;
		if (wanted === this.#line) return;
		this.#line = wanted;
		this.#looking?.abort();
		this.known.setState(undefined, true);
		if (wanted === undefined) return;
		const looking = new AbortController();
		this.#looking = looking;
		const timer = setTimeout(() => {
			// The table says what is wrong with the service; without an answer there is only less to explain.
			this.#explain(filter, looking.signal).catch(() => undefined);
		}, restMs);
		looking.signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
	}

	async #explain(filter: Filter, signal: AbortSignal): Promise<void> {
		const {queries, client, idOf, abilities} = this.#options;
		const kept = <Data>(queryKey: readonly unknown[], queryFn: () => Promise<Data>) =>
			queries.fetchQuery({queryKey, queryFn, staleTime: keptMs, gcTime: keptMs});
		const steps = explainEmpty(filter, {
			total: asked =>
				kept(['total', asked], async () => (await client.explore({...asked, limit: 1}, {signal})).data.total),
			range: (of, asked) =>
				kept(
					['range', of, asked],
					async () => (await client.histogram({of, filter: asked, bins: 1}, {signal})).data,
				),
			wholeFacets: () =>
				kept(['whole facets'], async () => (await client.explore({limit: 1}, {signal})).data.facets),
			channels: () => kept(['channels'], async () => (await client.listChannels({signal})).data),
			idOf,
			abilities: abilities(),
		});
		for await (const known of steps) {
			signal.throwIfAborted();
			this.known.setState(known, true);
		}
	}
}
