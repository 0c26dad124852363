import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import {datasetListLimits, exploreLimits} from '../../contract/limits.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {Question, Totals} from '../queries/explore-result.ts';
import {type Hidden, hiddenIn, nothingHidden} from './holding.ts';
import {asksForSame, isNothing, type Selection, type SelectionState} from './selection.ts';
import {type SelectionSummary, summaryOfMatching, summaryOfPicked} from './summary.ts';

type ByQuery = Extract<Selection, {by: 'query'}>;

/** How many datasets a selection is of; `isMore` where there may be more. */
export type DatasetCount = {readonly count: number; readonly isMore: boolean};

export type SelectionKnown = {
	/** Undefined while nothing is selected, or the service has not said yet. */
	readonly summary: SelectionSummary | undefined;
	/** Undefined while it is not known. */
	readonly datasets: DatasetCount | undefined;
	/** The part that the current filter hides; undefined while it is not known. */
	readonly hidden: Hidden | 'unknown' | undefined;
};

type Options = {
	readonly state: StoreApi<SelectionState>;
	readonly window: EpisodeWindow;
	readonly client: Pick<Client, 'explore' | 'listDatasets'>;
	readonly queries: QueryClient;
};

/** A selection that rests this long has its datasets counted, which takes a question each. */
const restMs = 400;

const cachedMs = 5 * 60_000;

const unknown: SelectionKnown = {summary: undefined, datasets: undefined, hidden: undefined};

/** A filter that is being typed is not asked for at each letter. */
const hiddenAfterMs = 150;

/**
 * Counts of the selection: exact by the service's totals and facets if it is all that match, from the episodes
 * themselves where they were picked by hand.
 */
export class SelectionSummaryWatch {
	readonly known: StoreApi<SelectionKnown> = createStore<SelectionKnown>(() => unknown);
	readonly #options: Options;
	readonly #stopped = new AbortController();
	readonly #counting = new DebouncedQuery({restMs});
	readonly #hiding = new DebouncedQuery({restMs: hiddenAfterMs});
	/** The selection that was counted last, so that a late answer is not taken for another's. */
	#selection: Selection | undefined;
	#totals: Totals | undefined;
	#sizes: {readonly question: Question; readonly found: DatasetSizes | undefined} | undefined;

	constructor(options: Options) {
		this.#options = options;
		options.state.subscribe(({selection}) => {
			if (selection !== this.#selection) this.#look(selection);
		});
		options.window.result.subscribe(({totals, question, isPrevious}, before) => {
			const {selection} = options.state.getState();
			if (isPrevious !== before.isPrevious || question !== before.question || totals !== before.totals) {
				this.#lookForHidden(selection, totals === before.totals);
			}
			if (selection.by === 'query' && totals !== this.#totals) this.#look(selection);
		});
		this.#look(options.state.getState().selection);
	}

	stop(): void {
		this.#stopped.abort();
		this.#counting.drop();
		this.#hiding.drop();
	}

	#look(selection: Selection): void {
		this.#selection = selection;
		this.#counting.drop();
		this.#lookForHidden(selection);
		if (selection.by === 'query') this.#lookAtMatching(selection);
		else if (isNothing(selection)) this.known.setState(unknown, true);
		else {
			const ids = new Set([...selection.picked.values()].map(({dataset_id}) => dataset_id));
			const datasets = {count: ids.size, isMore: false};
			this.known.setState({summary: summaryOfPicked(selection.picked), datasets});
		}
	}

	#lookAtMatching(selection: ByQuery): void {
		const {question, totals, facets, isPrevious} = this.#options.window.result.getState();
		this.#totals = totals;
		const isShown = asksForSame(question, selection.question);
		if (isShown && totals !== undefined && facets !== undefined) this.#notify(selection, {totals, facets});
		else if (!isPrevious) void this.#ask(selection);
	}

	/** Counts what the filter that shows hides of the selection, once both rest. */
	#lookForHidden(selection: Selection, isOther = true): void {
		this.#hiding.drop();
		const {question, held, isPrevious} = this.#options.window.result.getState();
		if (isNothing(selection)) return;
		// The same rows counted anew are no reason to forget what was told of them.
		if (isOther) this.known.setState({hidden: undefined});
		if (isPrevious) return;
		if (this.#stopped.signal.aborted) return;
		if (selection.by === 'query' && asksForSame(selection.question, question)) {
			this.known.setState({hidden: nothingHidden});
			return;
		}
		this.#hiding.want(async signal => {
			const hidden = await hiddenIn(this.#options.client, selection, {question, held: held()}, signal).catch(
				() => undefined,
			);
			if (!signal.aborted) this.known.setState({hidden: hidden ?? 'unknown'});
		});
	}

	#notify(selection: ByQuery, answer: {totals: Totals; facets: LakeFacets}): void {
		const summary = summaryOfMatching(selection, answer);
		this.known.setState({summary, datasets: this.#datasetsOf(selection)});
		// The cache shares a count that is under way: it is not waited for, nor given up.
		this.#counting.want(async () => void this.#count(selection, answer.totals));
	}

	#datasetsOf({question, except}: ByQuery): DatasetCount | undefined {
		if (this.#sizes === undefined || !asksForSame(this.#sizes.question, question)) return undefined;
		const {found} = this.#sizes;
		if (found === undefined) return undefined;
		const left = new Map<string, bigint>();
		for (const {dataset_id} of except.values()) left.set(dataset_id, (left.get(dataset_id) ?? 0n) + 1n);
		const counted = [...found.sizes].filter(([id, size]) => found.isMore || size > (left.get(id) ?? 0n));
		return {count: counted.length, isMore: found.isMore};
	}

	/** The selection is of another filter than the one that shows: what it comes to is asked for. */
	async #ask(selection: ByQuery): Promise<void> {
		const {client, queries} = this.#options;
		const request = {...selection.question, limit: 1, offset: 0};
		try {
			const {total, total_frames, total_duration_seconds, facets} = await queries.fetchQuery({
				queryKey: ['selection', request],
				queryFn: async ({signal}) => (await client.explore(request, {signal})).data,
				staleTime: 60_000,
			});
			if (selection !== this.#selection || this.#stopped.signal.aborted) return;
			const totals = {episodes: total, frames: total_frames, seconds: total_duration_seconds};
			this.#notify(selection, {totals, facets});
		} catch {
			// The page's own reading says what is wrong with the service; this is asked again with the next change.
		}
	}

	async #count(selection: ByQuery, {episodes}: Totals): Promise<void> {
		const {client, queries} = this.#options;
		const {order_desc: _, ...question} = selection.question;
		try {
			const found = await queries.fetchQuery({
				queryKey: ['selection-datasets', question, String(episodes)],
				queryFn: async ({signal}) => (await datasetSizes(client, question, signal)) ?? null,
				staleTime: cachedMs,
			});
			if (this.#stopped.signal.aborted) return;
			this.#sizes = {question, found: found ?? undefined};
			if (selection !== this.#selection) return;
			this.known.setState({datasets: this.#datasetsOf(selection)});
		} catch {
			// Without the listing of datasets the bar goes without their number.
		}
	}
}

/** How many episodes of an answer each dataset has. */
type DatasetSizes = {
	readonly sizes: ReadonlyMap<string, bigint>;
	/** Further datasets have some, which were not asked for one by one. */
	readonly isMore: boolean;
};

type DatasetClient = Pick<Client, 'explore' | 'listDatasets'>;

/** A service is asked so many small questions at most, one after the other. */
const mostAsked = 40;

/**
 * The datasets that an answer's episodes are of, which the interface has no facet for: the question is narrowed to the
 * datasets not seen yet, until nothing is left. What is left less each time is what the dataset seen has.
 *
 * @returns undefined where there are more datasets than a request can name.
 */
export async function datasetSizes(
	client: DatasetClient,
	question: Question,
	signal: AbortSignal,
): Promise<DatasetSizes | undefined> {
	let left = question.dataset_ids ?? (await listedDatasets(client, signal));
	if (left === undefined) return undefined;
	const sizes = new Map<string, bigint>();
	let seen: {readonly id: string; readonly total: bigint} | undefined;
	for (let asked = 0; asked < mostAsked && left.length > 0; asked++) {
		const narrowed = {...question, dataset_ids: left, limit: 1, offset: 0};
		const {data} = await client.explore(narrowed, {signal});
		const total = BigInt(data.total);
		if (seen !== undefined) sizes.set(seen.id, seen.total > total ? seen.total - total : 1n);
		const id = data.episodes[0]?.dataset_id;
		seen = id === undefined ? undefined : {id, total};
		if (id === undefined) return {sizes, isMore: false};
		left = left.filter(other => other !== id);
	}
	if (seen === undefined) return {sizes, isMore: false};
	sizes.set(seen.id, left.length === 0 ? seen.total : 1n);
	return {sizes, isMore: left.length > 0};
}

async function listedDatasets(client: DatasetClient, signal: AbortSignal): Promise<string[] | undefined> {
	const ids: string[] = [];
	const cursors = new Set<string>();
	let cursor: string | undefined;
	for (;;) {
		const {data} = await client.listDatasets(
			{limit: datasetListLimits.page.max, ...(cursor === undefined ? {} : {cursor})},
			{signal},
		);
		ids.push(...data.items.map(({artifact_id}) => artifact_id));
		if (ids.length > exploreLimits.datasetIds) return undefined;
		const next = data.page_info.has_next ? data.page_info.end_cursor : undefined;
		if (next == null || cursors.has(next)) return ids;
		cursors.add(next);
		cursor = next;
	}
}
