import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import {type Facet, facets} from '../../contract/facets.ts';
import type {ChannelList, Figure} from '../../contract/local-distribution.ts';
import {countsOf, type ExploreQuestion} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import {type DatasetIdByName, type Filter, toExploreRequest} from '../../query/filter.ts';
import {nearest} from '../../query/nearest.ts';
import {print, printValue} from '../../query/print.ts';
import {type LeftOut, withoutEachTerm} from '../../query/without-term.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {Result} from '../queries/explore-result.ts';

/** A result that stays empty for this long is looked into. */
const restMs = 300;

const keptMs = 60_000;

type ExplanationOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'explore' | 'localExplore' | 'histogram' | 'listChannels'>;
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
	readonly #looking = new DebouncedQuery({restMs});

	constructor(options: ExplanationOptions) {
		this.#options = options;
		this.#unsubscribe = options.result.subscribe(result => this.#look(result));
	}

	stop(): void {
		this.#unsubscribe();
		this.#looking.drop();
	}

	#look({totals, isPrevious, freshness}: Result): void {
		const filter = this.#options.filter();
		const line = print({...filter, descending: false});
		const isRead = freshness.state === 'fresh' || freshness.state === 'stale';
		const isEmpty = isRead && !isPrevious && totals !== undefined && Number(totals.episodes) === 0;
		const wanted = isEmpty && line !== '' ? line : undefined;
		if (wanted === this.#line) return;
		this.#line = wanted;
		this.#looking.drop();
		this.known.setState(undefined, true);
		if (wanted === undefined) return;
		// The table says what is wrong with the service; without an answer there is only less to explain.
		this.#looking.want(signal => this.#explain(filter, signal));
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
				kept(['whole facets'], async () => {
					const ask = abilities().includes('explore') ? client.localExplore : client.explore;
					return (await ask({limit: 1}, {signal})).data.facets;
				}),
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

/** The requests that an explanation takes. */
type Questions = {
	readonly total: (filter: ExploreQuestion) => Promise<Count>;
	readonly range: (
		of: Figure,
		filter: ExploreQuestion,
	) => Promise<{readonly min: number | null; readonly max: number | null}>;
	/** Of everything: under the filter they would miss what another of its terms keeps out. */
	readonly wholeFacets: () => Promise<LakeFacets>;
	readonly channels: () => Promise<ChannelList>;
	readonly idOf: DatasetIdByName;
	readonly abilities: readonly string[];
};

/** A request a term, one after the other; what a longer filter wants explained is not worth more. */
const mostTerms = 8;

/** Finds out why a filter lets nothing through: gives what is known after each answer, one request at a time. */
export async function* explainEmpty(filter: Filter, questions: Questions): AsyncGenerator<Explained> {
	const {wholeFacets, channels, abilities} = questions;
	const all = withoutEachTerm(filter);
	const tried = all.slice(0, mostTerms);
	const line = print({...filter, descending: false});
	let known: Explained = {line, missing: [], terms: [], untried: all.length - tried.length, isDone: false};
	yield known;
	if (facets.some(facet => isOpen(facet) && filter[facet.list].length > 0)) {
		known = {...known, missing: missingValues(filter, await wholeFacets())};
		yield known;
	}
	if (filter.channels.length > 0 && abilities.includes('channels')) {
		known = {...known, missing: [...known.missing, ...missingChannels(filter, await channels())]};
		yield known;
	}
	for (const left of tried) {
		const term = await withoutTerm(left, questions);
		if (term === undefined) continue;
		known = {...known, terms: [...known.terms, term]};
		yield known;
	}
	yield {...known, isDone: true};
}

async function withoutTerm(
	{text, rest, of}: LeftOut,
	{total: ask, range, idOf, abilities}: Questions,
): Promise<TermLeftOut | undefined> {
	const question = toExploreRequest(rest, idOf);
	if (!question.ok) return undefined;
	const total = await ask(question.request);
	if (Number(total) === 0 || of === undefined || !abilities.includes('histogram')) {
		return {text, total, range: undefined};
	}
	const {min, max} = await range(of, question.request);
	return {text, total, range: min === null || max === null ? undefined : {min, max}};
}

/** Values of a filter that do not exist, and similar ones of that kind that do. */
export type Missing = {
	/** A channel, or a value of a facet in its words: "marker signature". */
	readonly kind: string;
	readonly asked: string;
	readonly like: readonly string[];
};

/** The channels that no episode of the lake has. */
export function missingChannels({channels}: Filter, {items, more}: ChannelList): readonly Missing[] {
	if (more) return [];
	const names = (stream: string) => items.filter(item => item.stream === stream).map(({channel}) => channel);
	return channels
		.filter(({stream, channel}) => !names(stream).includes(channel))
		.map(({stream, channel}) => {
			const inStream = nearest(channel, names(stream)).map(name => `${stream}.${name}`);
			const others = items.filter(item => item.stream !== stream && item.channel === channel);
			const elsewhere = others.map(item => `${item.stream}.${channel}`);
			return {kind: 'channel', asked: `${stream}.${channel}`, like: [...elsewhere, ...inStream].slice(0, 3)};
		});
}

/** The values that no episode of the lake has; `counted` are the facets of the whole lake. */
export function missingValues(filter: Filter, counted: LakeFacets): readonly Missing[] {
	return facets.filter(isOpen).flatMap(facet => {
		const {values = [], total} = countsOf(facet, counted) ?? {};
		const listed = values.map(({value}) => value);
		// A truncated list does not show what is missing.
		if (total === undefined || Number(total) > listed.length) return [];
		return filter[facet.list]
			.filter(value => !listed.includes(value))
			.map(value => ({
				kind: facet.noun,
				asked: printValue(value),
				like: nearest(value, listed).map(printValue),
			}));
	});
}

/** Facets whose values may be anything and are listed under the filter language's own words for them. */
const isOpen = ({values, meansAll, requestColumn}: Facet) =>
	values === undefined && !meansAll && requestColumn === undefined;
