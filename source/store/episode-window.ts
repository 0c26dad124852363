import {hashKey, type QueryClient, QueryObserver, type QueryObserverResult} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {NetworkError, RefusedError} from '../client/errors.ts';
import {maxIndex} from '../contract/scalars.ts';
import {countsAlike, type ExplorePage, type ReadPage, type Row, rowsOf} from './explore-page.ts';
import {freshnessOf} from './freshness.ts';
import {pageSize as askedPageSize, pagesAround} from './pages.ts';
import {nextPollMs} from './polling.ts';
import type {Question, Result} from './result.ts';

/** Pages held besides those wanted: 40 are 8,000 episodes, some 20 MB. */
const heldPages = 40;

/** A page looked at again after this long is read again; the first page is polled and always checked. */
const pageStaleMs = 60_000;

type Observer = QueryObserver<ExplorePage>;
type Watch = {readonly observer: Observer; readonly stop: () => void};
type HeldPage = {readonly page: ExplorePage; readonly rows: readonly Row[]; readonly readAt: number};

/** The answer to one question, as far as it has been read. */
type Answer = {
	readonly question: Question;
	/** Most recently used last. */
	readonly pages: Map<number, HeldPage>;
	readonly watches: Map<number, Watch>;
	/** What the service gives a page, where it gives less than was asked. */
	pageSize: number;
	newest: HeldPage | undefined;
	/** Attempts in a row that failed. */
	failures: number;
};

/**
 * The result of a question as a list of any length, of which only the pages around the reader are read.
 *
 * The first page is watched all the time (polled, at the pace of `setPace`); the pages under and beside the rows
 * last shown are watched while they are, and a request for a page that was scrolled past is aborted. Totals and
 * facets are those of the newest answer; when an answer counts another result than the one before it, every other
 * page is read again. The answer to the question before stays until the first page of the new one is there.
 */
export class EpisodeWindow {
	readonly result: StoreApi<Result>;
	readonly #client: QueryClient;
	readonly #read: ReadPage;
	readonly #startedAt = Date.now();
	#answer: Answer;
	#previous: Answer | undefined;
	#shown = {first: 0, last: 0, forward: true};
	#paceMs: number;

	constructor(options: {client: QueryClient; read: ReadPage; question: Question; paceMs: number}) {
		this.#client = options.client;
		this.#read = options.read;
		this.#paceMs = options.paceMs;
		this.#answer = emptyAnswer(options.question);
		this.result = createStore(() => this.#snapshot());
		this.#watchWanted();
	}

	/** Asks another question; the same one again is no change. */
	ask(question: Question): void {
		if (hashKey([question]) === hashKey([this.#answer.question])) return;
		stopWatching(this.#answer);
		if (this.#answer.newest !== undefined) this.#previous = this.#answer;
		this.#answer = emptyAnswer(question);
		this.#shown = {first: 0, last: this.#shown.last - this.#shown.first, forward: true};
		this.#watchWanted();
		this.#publish();
	}

	/** Says which rows are on the screen, so that they and those beside them are read. */
	show(first: number, last: number): void {
		const shown = this.#shown;
		if (shown.first === first && shown.last === last) return;
		this.#shown = {first, last, forward: first === shown.first ? shown.forward : first > shown.first};
		if (this.#watchWanted()) this.#publish();
	}

	/** Reads what is on the screen again, and forgets the rest. */
	refresh(): void {
		for (const page of [...this.#answer.pages.keys()]) {
			if (!this.#answer.watches.has(page)) this.#forget(this.#answer, page);
		}
		for (const {observer} of this.#answer.watches.values()) void observer.refetch({cancelRefetch: false});
	}

	/** How often the first page is read again while all is well. */
	setPace(paceMs: number): void {
		if (paceMs === this.#paceMs) return;
		this.#paceMs = paceMs;
		for (const [page, {observer}] of this.#answer.watches)
			observer.setOptions(this.#options(this.#answer, page));
	}

	stop(): void {
		stopWatching(this.#answer);
	}

	/** Watches exactly the wanted pages; says whether that changed anything. */
	#watchWanted(): boolean {
		const answer = this.#answer;
		const rowCount = answer.newest === undefined ? undefined : countRows(answer.newest.page);
		const {first, last, forward} = this.#shown;
		const wanted = pagesAround(first, last, {
			pageSize: answer.pageSize,
			forward,
			...(rowCount === undefined ? {} : {total: rowCount}),
		});
		const areShownHere = wanted.shown.every(page => answer.pages.has(page));
		const pages = new Set([0, ...wanted.shown, ...(areShownHere ? wanted.ahead : [])]);
		let isChanged = false;
		for (const [page, watch] of answer.watches) {
			// A neighbour that is being read already is not given up for the sake of the pages on the screen.
			if (pages.has(page) || wanted.ahead.includes(page)) continue;
			watch.stop();
			answer.watches.delete(page);
			isChanged = true;
		}
		for (const page of pages) {
			touch(answer.pages, page);
			if (answer.watches.has(page)) continue;
			this.#watch(answer, page);
			isChanged = true;
		}
		for (const page of answer.pages.keys()) {
			if (answer.pages.size <= heldPages) break;
			if (!answer.watches.has(page)) this.#forget(answer, page);
		}
		return isChanged;
	}

	#watch(answer: Answer, page: number): void {
		const observer: Observer = new QueryObserver(this.#client, this.#options(answer, page));
		const stop = observer.subscribe(result => this.#take(answer, page, result));
		answer.watches.set(page, {observer, stop});
		// What the cache holds already is not announced.
		const known = observer.getCurrentResult();
		if (known.data !== undefined) this.#hold(answer, page, known.data, known.dataUpdatedAt);
	}

	#options(answer: Answer, page: number) {
		const {question, pageSize} = answer;
		return {
			queryKey: exploreKey(question, page, pageSize),
			queryFn: ({signal}: {signal: AbortSignal}) =>
				this.#read({...question, limit: pageSize, offset: page * pageSize}, {signal}),
			staleTime: page === 0 ? 0 : pageStaleMs,
			refetchInterval: () => (page === 0 ? this.#nextPoll(answer) : false),
			// Two readings are hardly ever equal, and comparing 200 episodes costs more than showing them again.
			structuralSharing: false,
		} as const;
	}

	#nextPoll(answer: Answer): number | false {
		const error = answer.watches.get(0)?.observer.getCurrentResult().error;
		// Asking again with a key that was refused only fills the service's log.
		if (error instanceof RefusedError) return false;
		return nextPollMs(this.#paceMs, answer.failures);
	}

	#take(answer: Answer, page: number, result: QueryObserverResult<ExplorePage>): void {
		if (answer !== this.#answer) return;
		if (page === 0 && !result.isFetching) {
			answer.failures = result.error === null ? 0 : answer.failures + 1;
		}
		if (result.data !== undefined) this.#hold(answer, page, result.data, result.dataUpdatedAt);
		this.#watchWanted();
		this.#publish();
	}

	#hold(answer: Answer, page: number, content: ExplorePage, readAt: number): void {
		const known = answer.pages.get(page);
		if (known?.page === content) return;
		const held: HeldPage = {page: content, rows: rowsOf(content), readAt};
		const {newest} = answer;
		answer.pages.set(page, held);
		if (newest !== undefined && readAt < newest.readAt) return;
		answer.newest = held;
		if (content.data.page_limit < answer.pageSize) this.#givesLess(answer, content.data.page_limit);
		else if (newest !== undefined && !countsAlike(newest.page.data, content.data)) {
			this.#readOthersAgain(answer, page);
		}
	}

	/** The service's pages are smaller than asked for: every page but the first is another one now. */
	#givesLess(answer: Answer, pageSize: number): void {
		answer.pageSize = pageSize;
		for (const page of [...answer.pages.keys()]) if (page !== 0) this.#forget(answer, page);
		for (const [page, watch] of answer.watches) {
			if (page === 0) continue;
			watch.stop();
			answer.watches.delete(page);
		}
	}

	#readOthersAgain(answer: Answer, page: number): void {
		for (const other of [...answer.pages.keys()]) {
			if (other === page) continue;
			const watch = answer.watches.get(other);
			if (watch === undefined) this.#forget(answer, other);
			else void watch.observer.refetch({cancelRefetch: false});
		}
	}

	#forget(answer: Answer, page: number): void {
		answer.pages.delete(page);
		this.#client.removeQueries({queryKey: exploreKey(answer.question, page, answer.pageSize), exact: true});
	}

	#publish(): void {
		if (this.#answer.newest !== undefined) this.#previous = undefined;
		this.result.setState(this.#snapshot(), true);
	}

	#snapshot(): Result {
		const answer = this.#answer.newest === undefined ? (this.#previous ?? this.#answer) : this.#answer;
		const response = answer.newest?.page.data;
		const known = this.result?.getState();
		return {
			question: answer.question,
			isPrevious: answer !== this.#answer,
			rowCount: answer.newest === undefined ? 0 : countRows(answer.newest.page),
			totals:
				response === undefined
					? undefined
					: sameTotals(known?.totals, {
							episodes: response.total,
							frames: response.total_frames,
							seconds: response.total_duration_seconds,
						}),
			facets: response?.facets,
			freshness: this.#freshness(answer),
			setAsideCount: [...answer.pages.values()].reduce((sum, {page}) => sum + page.setAside.length, 0),
			row: index => rowAt(answer, index),
		};
	}

	#freshness(answer: Answer): Result['freshness'] {
		const results = [...this.#answer.watches.values()].map(({observer}) => observer.getCurrentResult());
		const error = results.find(result => result.error !== null)?.error ?? null;
		const readAt = answer.newest?.readAt;
		return freshnessOf({
			readAt,
			fromLastSession: readAt !== undefined && readAt < this.#startedAt,
			isFetching: results.some(result => result.isFetching),
			error,
			isUnreachable: error instanceof NetworkError,
		});
	}
}

/** Where the cache keeps a page of an answer. */
export function exploreKey(question: Question, page: number, pageSize = askedPageSize): readonly unknown[] {
	return ['explore', question, pageSize, page];
}

function emptyAnswer(question: Question): Answer {
	return {
		question,
		pages: new Map(),
		watches: new Map(),
		pageSize: askedPageSize,
		newest: undefined,
		failures: 0,
	};
}

function stopWatching(answer: Answer): void {
	for (const {stop} of answer.watches.values()) stop();
	answer.watches.clear();
}

function touch(pages: Map<number, HeldPage>, page: number): void {
	const held = pages.get(page);
	if (held === undefined) return;
	pages.delete(page);
	pages.set(page, held);
}

function countRows({data}: ExplorePage): number {
	return Math.min(Number(data.total), maxIndex + 1);
}

function rowAt({pages, watches, pageSize}: Answer, index: number): Row {
	const page = Math.floor(index / pageSize);
	const held = pages.get(page);
	if (held !== undefined) return held.rows[index - page * pageSize] ?? 'missing';
	const result = watches.get(page)?.observer.getCurrentResult();
	return result?.error != null && !result.isFetching ? 'failed' : 'loading';
}

function sameTotals(known: Result['totals'], next: NonNullable<Result['totals']>): Result['totals'] {
	const isSame =
		known !== undefined &&
		known.episodes === next.episodes &&
		known.frames === next.frames &&
		known.seconds === next.seconds;
	return isSame ? known : next;
}
