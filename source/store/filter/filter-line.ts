import type {QueryClient} from '@tanstack/query-core';
import * as z from 'zod';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import {type Facet, facets} from '../../contract/facets.ts';
import type {ChannelList} from '../../contract/local-distribution.ts';
import {countsOf} from '../../contract/local-explore.ts';
import {readState, writeState} from '../../files/state.ts';
import type {KnownChannel, KnownValue, KnownValues} from '../../query/complete.ts';
import {figureAt} from '../../query/figure-at.ts';
import {type Filter, toExploreRequest} from '../../query/filter.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {DatasetNames} from '../episodes/dataset-names.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import type {ReadPage} from '../queries/explore-result.ts';
import {LatestOnlyQueue} from '../queries/latest-only.ts';
import {DistributionWatch} from './distribution-watch.ts';
import {LiveCount} from './live-count.ts';

type FilterLineOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly names: DatasetNames;
	readonly read: ReadPage;
	readonly window: EpisodeWindow;
	/** Abilities of the service beyond the interface. */
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

/** The filter line while it is typed into: its suggestions, counts and history. No key waits for any of it. */
export class FilterLine {
	readonly count: LiveCount;
	readonly distribution: DistributionWatch;
	readonly history = new LineHistory();
	/** Counts up whenever there is more to offer. */
	readonly offers: StoreApi<number> = createStore(() => 0);
	/** A text to open the line with instead of the current filter: it could not be applied. */
	readonly draft: StoreApi<string | undefined> = createStore<string | undefined>(() => undefined);
	readonly #options: FilterLineOptions;
	readonly #queue = new LatestOnlyQueue();
	#isListing = false;
	#channels: ChannelList | undefined;
	#offered: {readonly of: readonly unknown[]; readonly values: KnownValues} | undefined;

	constructor(options: FilterLineOptions) {
		this.#options = options;
		const {queries, client, names, read, window, abilities} = options;
		this.count = new LiveCount({queries, read, names, queue: this.#queue, sort: () => window.askedSort});
		this.distribution = new DistributionWatch({
			queries,
			client,
			queue: this.#queue,
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
		this.#queue.want('channels', async signal => {
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
		// Further datasets are listed once the line begins to name one.
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
		this.count.notifyLooking();
		this.#queue.want('apply', async signal => {
			try {
				const found = await names.request(filter, signal);
				if (signal.aborted) return;
				if (found.ok) take();
				else this.count.notifyUnknown(found.unknownDatasets);
			} catch (error) {
				if (!signal.aborted) this.count.notifyFailure(error);
			}
		});
	}

	/** A filter from elsewhere names unknown datasets: it is put into the line to be corrected. */
	reopen(filter: Filter, unknown: readonly string[]): void {
		this.draft.setState(print(filter), true);
		this.count.notifyUnknown(unknown);
	}

	/** The line goes on being typed: what was to be applied is not, any more. */
	keepTyping(): void {
		this.#queue.drop('apply');
	}

	/** Keeps a line that was left without being applied, so that it can be had again. */
	leave(text: string): void {
		this.draft.setState(undefined, true);
		this.history.add(text);
	}

	/** The values to suggest now; the same object while they are the same. */
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
			// If the service lists its channels, they need not be remembered.
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
		this.#queue.clear();
		this.#isListing = false;
	}

	#listDatasets(): void {
		const {names} = this.#options;
		// Every key wants them while they are being read.
		if (names.isListed || this.#isListing) return;
		this.#isListing = true;
		this.#queue.want('datasets', async signal => {
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

/** The name under which the lines are remembered. */
const stateName = 'filter-lines';

const mostLines = 200;

/** Longer lines are pasted, and are not kept for the next run. */
const longestLine = 4096;

const keptLines = z.array(z.string().min(1).max(longestLine)).max(mostLines);

/** The lines with one more, the newest first, each once. */
export function withLine(lines: readonly string[], line: string): readonly string[] {
	const kept = line.trim();
	if (kept === '' || kept.length > longestLine) return lines;
	return [kept, ...lines.filter(other => other !== kept)].slice(0, mostLines);
}

/** The filter lines that were applied or left, the newest first, from this run and those before. */
export class LineHistory {
	readonly lines: StoreApi<readonly string[]> = createStore<readonly string[]>(() => []);
	#recalled: Promise<void> | undefined;
	#isRecalled = false;
	#written: Promise<unknown> = Promise.resolve();

	/** Reads what earlier runs remembered, once. */
	recall(): Promise<void> {
		this.#recalled ??= readState(stateName, keptLines).then(kept => {
			const own = this.lines.getState();
			const lines = [...own].reverse().reduce(withLine, kept ?? []);
			this.lines.setState(lines, true);
			this.#isRecalled = true;
		});
		return this.#recalled;
	}

	/** Does what needs the lines of earlier runs: at once, or as soon as they are read; a key is not lost meanwhile. */
	withRecalled(act: (lines: readonly string[]) => void): void {
		const now = () => act(this.lines.getState());
		if (this.#isRecalled) now();
		else void this.recall().then(now);
	}

	/** Remembers a line, on the disk too. */
	add(line: string): void {
		const lines = withLine(this.lines.getState(), line);
		if (lines === this.lines.getState()) return;
		this.lines.setState(lines, true);
		this.#written = this.#written.then(() => this.#write(line));
	}

	/** Settles when what was added is written. */
	async kept(): Promise<void> {
		await this.#written;
	}

	/** Another explorer may have added lines since this one read them. */
	async #write(line: string): Promise<void> {
		const kept = await readState(stateName, keptLines);
		await writeState(stateName, withLine(kept ?? [], line));
	}
}

type Seen = {
	readonly facets: LakeFacets | undefined;
	/** Episodes that are read. */
	readonly episodes: readonly LakeEpisode[];
	readonly datasets: readonly string[];
	/** Undefined where the service does not tell of its channels. */
	readonly channels: ChannelList | undefined;
	/** Filters that were applied before, the newest first: their channels are worth offering again. */
	readonly filters: readonly Filter[];
};

/** The values of a facet that an answer counts, as the filter language writes them. */
function valuesOf(facet: Facet, counted: LakeFacets | undefined): readonly KnownValue[] {
	const {values = []} = (counted && countsOf(facet, counted)) ?? {};
	const {none = ''} = facet;
	return values
		.map(({value, count}) => ({value: value === '' ? none : value, count}))
		.filter(({value}) => value !== '');
}

/** The tags of the episodes that are read, the most common first: the interface has no list of them. */
function tagsOf(episodes: readonly LakeEpisode[]): readonly KnownValue[] {
	const seen = new Map<string, number>();
	for (const {tags} of episodes) for (const tag of tags ?? []) seen.set(tag, (seen.get(tag) ?? 0) + 1);
	return [...seen].sort(([, a], [, b]) => b - a).map(([value]) => ({value}));
}

function channelsOf({channels, filters}: Seen): readonly KnownChannel[] {
	if (channels !== undefined) {
		return channels.items.map(({stream, channel, episodes}) => ({stream, channel, count: episodes}));
	}
	const seen = new Map<string, KnownChannel>();
	for (const {stream, channel} of filters.flatMap(filter => filter.channels)) {
		seen.set(`${stream}.${channel}`, {stream, channel});
	}
	return [...seen.values()];
}

/** The values to suggest while a filter is typed, from all that was seen of the lake. */
function offeredValues(seen: Seen): KnownValues {
	const {facets: counted, episodes, datasets} = seen;
	const ofFacets = facets.map(facet => [facet.key, valuesOf(facet, counted)] as const);
	return {
		values: {
			...Object.fromEntries(ofFacets),
			dataset: datasets.map(value => ({value})),
			tag: tagsOf(episodes),
		},
		channels: channelsOf(seen),
	};
}
