import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {type DatasetIdByName, toExploreRequest} from '../../query/request.ts';
import {type LeftOut, withoutEachTerm} from '../../query/without-term.ts';
import type {Result} from '../result.ts';
import {type Missing, missingChannels, missingValues} from './missing-values.ts';

/** A term, what would be there without it, and between which values its figure lies then. */
export type TermLeftOut = {
	readonly text: string;
	readonly total: Count;
	readonly range: {readonly min: number; readonly max: number} | undefined;
};

/** Why a filter lets nothing through, as far as is known. */
export type Explained = {
	/** The filter, as its line says it. */
	readonly line: string;
	readonly missing: readonly Missing[];
	readonly terms: readonly TermLeftOut[];
	/** Terms that were not tried: there are too many. */
	readonly untried: number;
	readonly isDone: boolean;
};

/** A request a term, one after the other; what a longer filter wants explained is not worth more. */
const mostTerms = 8;

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
			this.#explain(wanted, filter, looking.signal).catch(() => undefined);
		}, restMs);
		looking.signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
	}

	async #explain(line: string, filter: Filter, signal: AbortSignal): Promise<void> {
		const {abilities} = this.#options;
		const all = withoutEachTerm(filter);
		const tried = all.slice(0, mostTerms);
		let known: Explained = {
			line,
			missing: [],
			terms: [],
			untried: all.length - tried.length,
			isDone: false,
		};
		const tell = (more: Partial<Explained>) => {
			signal.throwIfAborted();
			known = {...known, ...more};
			this.known.setState(known, true);
		};
		tell({});
		if (filter.tasks.length + filter.interfaces.length + filter.markers.length > 0) {
			tell({missing: missingValues(filter, await this.#wholeFacets(signal))});
		}
		if (filter.channels.length > 0 && abilities().includes('channels')) {
			tell({missing: [...known.missing, ...missingChannels(filter, await this.#channels(signal))]});
		}
		for (const left of tried) {
			const term = await this.#without(left, signal);
			if (term !== undefined) tell({terms: [...known.terms, term]});
		}
		tell({isDone: true});
	}

	async #without({text, rest, of}: LeftOut, signal: AbortSignal): Promise<TermLeftOut | undefined> {
		const {queries, client, idOf, abilities} = this.#options;
		const question = toExploreRequest(rest, idOf);
		if (!question.ok) return undefined;
		const filter = question.request;
		const total = await queries.fetchQuery({
			queryKey: ['total', filter],
			queryFn: async () => (await client.explore({...filter, limit: 1}, {signal})).data.total,
			staleTime: keptMs,
			gcTime: keptMs,
		});
		if (Number(total) === 0 || of === undefined || !abilities().includes('histogram')) {
			return {text, total, range: undefined};
		}
		const {min, max} = await queries.fetchQuery({
			queryKey: ['range', of, filter],
			queryFn: async () => (await client.histogram({of, filter, bins: 1}, {signal})).data,
			staleTime: keptMs,
			gcTime: keptMs,
		});
		return {text, total, range: min === null || max === null ? undefined : {min, max}};
	}

	/** The facets of everything: under the filter they would miss what another of its terms keeps out. */
	#wholeFacets(signal: AbortSignal) {
		const {queries, client} = this.#options;
		return queries.fetchQuery({
			queryKey: ['whole facets'],
			queryFn: async () => (await client.explore({limit: 1}, {signal})).data.facets,
			staleTime: keptMs,
		});
	}

	#channels(signal: AbortSignal) {
		const {queries, client} = this.#options;
		return queries.fetchQuery({
			queryKey: ['channels'],
			queryFn: async () => (await client.listChannels({signal})).data,
			staleTime: keptMs,
		});
	}
}
