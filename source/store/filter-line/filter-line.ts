import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {ChannelList} from '../../contract/local-distribution.ts';
import {figureAt} from '../../query/figure-at.ts';
import type {Filter} from '../../query/filter.ts';
import type {KnownValues} from '../../query/known-values.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import {toExploreRequest} from '../../query/request.ts';
import type {DatasetNames} from '../dataset-names.ts';
import type {EpisodeWindow} from '../episode-window.ts';
import type {ReadPage} from '../explore-page.ts';
import {DistributionWatch} from './distribution-watch.ts';
import {Lane} from './lane.ts';
import {LineHistory} from './line-history.ts';
import {LiveCount} from './live-count.ts';
import {offeredValues} from './offered-values.ts';

type FilterLineOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly names: DatasetNames;
	readonly read: ReadPage;
	readonly window: EpisodeWindow;
	/** What the service can do beside the interface. */
	readonly abilities: () => readonly string[];
	readonly filter: () => Filter;
	/** Filters the lake; every dataset of the filter is known. */
	readonly apply: (filter: Filter) => void;
};

/** Channels change with ingests; looked at again, the line asks anew after this long. */
const channelsStaleMs = 60_000;

/** A term that names datasets. */
const dataset = /(?:^|\s)-?dataset:/iu;

/** The filters of those lines that can be read. */
function filtersOf(lines: readonly string[]): readonly Filter[] {
	return lines.map(parse).flatMap(read => (read.ok ? [read.filter] : []));
}

/** What the filter line knows while it is typed into, and what it does. No key waits for any of it. */
export class FilterLine {
	readonly count: LiveCount;
	readonly distribution: DistributionWatch;
	readonly history = new LineHistory();
	/** Counts up whenever there is more to offer. */
	readonly offers: StoreApi<number> = createStore(() => 0);
	/** What the line opens with instead of the filter that shows: it could not be applied. */
	readonly draft: StoreApi<string | undefined> = createStore<string | undefined>(() => undefined);
	readonly #options: FilterLineOptions;
	readonly #lane = new Lane();
	#isListing = false;
	#channels: ChannelList | undefined;
	#offered: {readonly of: readonly unknown[]; readonly values: KnownValues} | undefined;

	constructor(options: FilterLineOptions) {
		this.#options = options;
		const {queries, client, names, read, window, abilities} = options;
		this.count = new LiveCount({queries, read, names, lane: this.#lane, sort: () => window.askedSort});
		this.distribution = new DistributionWatch({
			queries,
			client,
			lane: this.#lane,
			idOf: names.idOf,
			isTold: () => abilities().includes('histogram'),
			held: () => window.result.getState().held(),
		});
	}

	/** The line is opened: what the embedded service has to offer in it is read, once. */
	open(): void {
		void this.history.recall();
		const {client, queries, abilities} = this.#options;
		if (!abilities().includes('channels')) return;
		this.#listDatasets();
		this.#lane.want('channels', async signal => {
			this.#channels = await queries.fetchQuery({
				queryKey: ['channels'],
				queryFn: async () => (await client.listChannels({signal})).data,
				staleTime: channelsStaleMs,
			});
			this.#offerMore();
		});
	}

	/** The line says something else, or its caret stands elsewhere. */
	typed(text: string, caret: number, isChanged: boolean): void {
		if (isChanged) {
			const read = parse(text);
			const isShown = read.ok && print(read.filter) === print(this.#options.filter());
			this.count.look(read.ok && !isShown ? read.filter : undefined);
		}
		// Other datasets than those that were seen are asked for once somebody wants to name one.
		if (dataset.test(text)) this.#listDatasets();
		this.distribution.look(figureAt(text, caret));
	}

	/**
	 * Applies a filter once its datasets are known.
	 *
	 * @param applied called when it is; the line stays open otherwise, and `count` says why.
	 */
	apply(filter: Filter, applied: () => void): void {
		const {names} = this.#options;
		const take = () => {
			this.history.add(print(filter));
			this.draft.setState(undefined, true);
			this.#options.apply(filter);
			applied();
		};
		const known = toExploreRequest(filter, names.idOf);
		if (known.ok) {
			take();
			return;
		}
		this.count.tellLooking();
		this.#lane.want('apply', async signal => {
			try {
				const found = await names.request(filter, signal);
				if (signal.aborted) return;
				if (found.ok) take();
				else this.count.tellUnknown(found.unknownDatasets);
			} catch (error) {
				if (!signal.aborted) this.count.tellFailure(error);
			}
		});
	}

	/** A filter from elsewhere names datasets that nobody knows: it stands in the line, to be corrected. */
	reopen(filter: Filter, unknown: readonly string[]): void {
		this.draft.setState(print(filter), true);
		this.count.tellUnknown(unknown);
	}

	/** The line goes on being typed: what was to be applied is not, any more. */
	keepTyping(): void {
		this.#lane.drop('apply');
	}

	/** Keeps a line that was left without being applied, so that it can be had again. */
	leave(text: string): void {
		this.draft.setState(undefined, true);
		this.history.add(text);
	}

	/** What can be offered now; the same object while that is the same. */
	offered(): KnownValues {
		const {names, window, filter} = this.#options;
		const result = window.result.getState();
		const counted = this.count.known.getState();
		const facets = counted.state === 'counted' ? counted.facets : result.facets;
		const lines = this.history.lines.getState();
		const of = [result, facets, this.#channels, this.offers.getState(), lines];
		if (this.#offered?.of.every((part, place) => part === of[place])) return this.#offered.values;
		const values = offeredValues({
			facets,
			episodes: result.held(),
			datasets: names.known,
			channels: this.#channels,
			// Where the service tells of its channels nobody has to remember them.
			filters: this.#channels === undefined ? [filter(), ...filtersOf(lines)] : [],
		});
		this.#offered = {of, values};
		return values;
	}

	/** The names of datasets that are known. */
	get datasets(): readonly string[] {
		return this.#options.names.known;
	}

	/** Nothing is typed any more, and nothing asked. */
	close(): void {
		this.count.look(undefined);
		this.distribution.look(undefined);
		this.#lane.clear();
		this.#isListing = false;
	}

	#listDatasets(): void {
		const {names} = this.#options;
		// Every key wants them while they are being read.
		if (names.isListed || this.#isListing) return;
		this.#isListing = true;
		this.#lane.want('datasets', async signal => {
			try {
				await names.list(signal);
				this.#offerMore();
			} finally {
				this.#isListing = false;
			}
		});
	}

	#offerMore(): void {
		this.offers.setState(times => times + 1, true);
	}
}
