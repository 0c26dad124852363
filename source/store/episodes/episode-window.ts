import {
	hashKey,
	type QueryClient,
	QueryObserver,
	type QueryObserverOptions,
	type QueryObserverResult,
} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {RefusedError} from '../../client/errors.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import {
	countsAlike,
	type ExplorePage,
	type Question,
	type ReadPage,
	type Result,
	rowsOf,
} from '../queries/explore-result.ts';
import {isLasting} from '../queries/freshness.ts';
import {nextPollMs, pauseAfter} from '../queries/polling.ts';
import {
	type Answer,
	answerFreshness,
	contentOf,
	emptyAnswer,
	type HeldPage,
	isSortedHere,
	type PageObserver,
	refusedIn,
	rowCountOf,
	stopWatching,
	touch,
} from './answer.ts';
import {exploreKey, exploreKeys, pageOptions, pagesAround} from './pages.ts';

type PageOptions = QueryObserverOptions<ExplorePage>;

/** Pages held besides those wanted: 80 are 8,000 episodes, some 20 MB. */
const heldPages = 80;

/** Between two refetches of a page because another page counts another result. */
const refetchGapMs = 2000;

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
	readonly #canSort: () => boolean | undefined;
	readonly #covered: (episode: LakeEpisode) => LakeEpisode;
	readonly #startedAt = Date.now();
	/** The service has given an answer to this run. */
	#hasAnswered = false;
	#answer: Answer;
	#previous: Answer | undefined;
	#shown = {first: 0, last: 0, forward: true};
	#paceMs: number;

	constructor(options: {
		client: QueryClient;
		read: ReadPage;
		/** True if the service sorts by figures. @default not known */
		canSort?: () => boolean | undefined;
		/** An episode as it is to be shown. @default as it came */
		covered?: (episode: LakeEpisode) => LakeEpisode;
		question: Question;
		/** The order of its rows. @default the service's own */
		sort?: EpisodeSort | undefined;
		/** The first row that will be on the screen. @default 0 */
		first?: number;
		paceMs: number;
	}) {
		const {first = 0} = options;
		this.#shown = {first, last: first, forward: true};
		this.#client = options.client;
		this.#read = options.read;
		this.#canSort = options.canSort ?? (() => undefined);
		this.#covered = options.covered ?? (episode => episode);
		this.#paceMs = options.paceMs;
		this.#answer = this.#unread(options.question, options.sort);
		this.result = createStore(() => this.#snapshot());
		this.#watchWanted();
		this.#publish();
	}

	/**
	 * Asks another question, or for another order; the same again is no change.
	 *
	 * @param first the row of its answer that will be the first on the screen.
	 */
	ask(question: Question, first = 0, sort?: EpisodeSort): void {
		const next = this.#unread(question, sort);
		const {question: before, asked} = this.#answer;
		if (hashKey([question, next.asked]) === hashKey([before, asked])) {
			// Pages already read stay, in another order.
			if (hashKey([sort]) !== hashKey([this.#answer.sort])) {
				this.#answer.sort = sort;
				this.#watchWanted();
				this.#publish();
			}
			return;
		}
		stopWatching(this.#answer);
		if (this.#answer.newest !== undefined) this.#previous = this.#answer;
		this.#answer = next;
		this.#shown = {first, last: first + this.#shown.last - this.#shown.first, forward: true};
		this.#watchWanted();
		this.#publish();
	}

	/** The order that the service is asked for; undefined for its own. */
	get askedSort(): EpisodeSort | undefined {
		return this.#answer.asked;
	}

	/** Says which rows are on the screen, so that they and those beside them are read. */
	show(first: number, last: number): void {
		const shown = this.#shown;
		if (shown.first === first && shown.last === last) return;
		this.#shown = {first, last, forward: first === shown.first ? shown.forward : first > shown.first};
		if (this.#watchWanted()) this.#publish();
	}

	/** Says which row is looked at by itself: it is read even where no list shows it. */
	look(row: number): void {
		const {first, last} = this.#shown;
		if (row < first || row > last) this.show(row, row);
	}

	/**
	 * Reads what is on the screen again, and forgets the rest.
	 *
	 * @param by whose wish it is. A reading that has begun may be older than that: it is given up for a hand, and another
	 * one follows it for an event, so that a slow service gets to an end while many come.
	 */
	refetch(by: 'hand' | 'event' = 'hand'): void {
		const answer = this.#answer;
		void this.#client.invalidateQueries({queryKey: exploreKeys, refetchType: 'none'});
		for (const page of isSortedHere(answer) ? [] : [...answer.pages.keys()]) {
			if (!answer.watches.has(page)) this.#forget(answer, page);
		}
		const {shown} = this.#wanted();
		for (const [page, {observer}] of answer.watches) {
			const {isFetching, error} = observer.getCurrentResult();
			const isWaitedFor = shown.includes(page) || error !== null;
			if (isWaitedFor && (by === 'hand' || !isFetching)) void observer.refetch();
			else answer.outdated.add(page);
		}
	}

	/** How often the first page is read again while all is well. */
	setPace(paceMs: number): void {
		if (paceMs === this.#paceMs) return;
		this.#paceMs = paceMs;
		this.#setIntervals();
	}

	/** Shows the same again: what is laid over it is another. */
	republish(): void {
		this.#publish();
	}

	stop(): void {
		stopWatching(this.#answer);
	}

	/** The pages that show, and those beside them that will soon. */
	#wanted() {
		const {first, last, forward} = this.#shown;
		const rowCount = rowCountOf(this.#answer);
		return pagesAround(first, last, {
			pageSize: this.#answer.pageSize,
			forward,
			...(rowCount === undefined ? {} : {total: rowCount}),
		});
	}

	/** Watches exactly the wanted pages; says whether that changed anything. */
	#watchWanted(): boolean {
		const answer = this.#answer;
		const isHere = isSortedHere(answer);
		const wanted = this.#wanted();
		const areShownHere = wanted.shown.every(page => answer.pages.has(page));
		// While sorting here, pages read ahead would push aside the rows on the screen.
		const pages = new Set(isHere ? [0] : [0, ...wanted.shown, ...(areShownHere ? wanted.ahead : [])]);
		let isChanged = false;
		for (const [page, watch] of answer.watches) {
			// A neighbour that is being read already is not given up for the sake of the pages on the screen.
			if (pages.has(page) || (!isHere && wanted.ahead.includes(page))) continue;
			watch.stop();
			answer.watches.delete(page);
			answer.outdated.delete(page);
			isChanged = true;
		}
		for (const page of pages) {
			touch(answer, page);
			if (answer.watches.has(page)) continue;
			this.#watch(answer, page);
			isChanged = true;
		}
		for (const page of wanted.shown) {
			const observer = answer.watches.get(page)?.observer;
			if (!answer.outdated.has(page) || observer?.getCurrentResult().isFetching !== false) continue;
			answer.outdated.delete(page);
			void observer.refetch();
		}
		for (const page of answer.pages.keys()) {
			if (answer.pages.size <= heldPages) break;
			if (!answer.watches.has(page)) this.#forget(answer, page);
		}
		return isChanged;
	}

	#watch(answer: Answer, page: number): void {
		const observer: PageObserver = new QueryObserver(this.#client, this.#options(answer, page));
		let unsubscribe = () => {};
		// In its place first: subscribing reads, and tells that it does, before it returns.
		answer.watches.set(page, {observer, stop: () => unsubscribe()});
		unsubscribe = observer.subscribe(result => this.#take(answer, page, result));
		// Data that is already in the cache is not announced.
		const known = observer.getCurrentResult();
		if (known.data !== undefined) this.#hold(answer, page, known.data, known.dataUpdatedAt);
	}

	#options(answer: Answer, page: number): PageOptions {
		const {question, pageSize, asked} = answer;
		return {
			...pageOptions(this.#read, {question, page, pageSize, ...(asked && {sort: asked})}),
			// The first page is polled; another only until it has been read.
			refetchInterval: ({state}) => (page === 0 || state.error !== null ? this.#nextPoll(answer) : false),
		};
	}

	/** The interval is asked for anew whenever options are set. */
	#setIntervals(): void {
		for (const [page, {observer}] of this.#answer.watches)
			observer.setOptions(this.#options(this.#answer, page));
	}

	#nextPoll(answer: Answer): number | false {
		const error = answer.watches.get(0)?.observer.getCurrentResult().error;
		if (answer.pauseMs === undefined && isLasting(error)) return false;
		return answer.pauseMs ?? nextPollMs(this.#paceMs, answer.failures);
	}

	#take(answer: Answer, page: number, result: QueryObserverResult<ExplorePage>): void {
		if (answer !== this.#answer) return;
		if (page === 0) {
			if (result.isSuccess) answer.failuresBefore = result.errorUpdateCount;
			const failures = result.errorUpdateCount - answer.failuresBefore;
			// Said to the user, so it stays what it is until the next failure.
			if (failures !== answer.failures) {
				const terms = {paceMs: this.#paceMs, failures};
				const {error} = result;
				// A key that has worked may work again a while later; what is refused for what it asks is not asked again.
				const mayWorkAgain = error instanceof RefusedError && this.#hasAnswered;
				const isOver = failures === 0 || (isLasting(error) && !mayWorkAgain);
				answer.pauseMs = isOver ? undefined : pauseAfter(error, terms);
				answer.failures = failures;
				// The observers have asked for the interval before this failure was told.
				this.#setIntervals();
			}
		}
		if (result.data !== undefined) this.#hold(answer, page, result.data, result.dataUpdatedAt);
		this.#watchWanted();
		this.#publish();
	}

	#hold(answer: Answer, page: number, content: ExplorePage, readAt: number): void {
		const known = answer.pages.get(page);
		if (known?.page === content) return;
		if (readAt >= this.#startedAt) this.#hasAnswered = true;
		const held: HeldPage = {page: content, rows: rowsOf(content), readAt};
		const {newest} = answer;
		answer.pages.set(page, held);
		if (newest !== undefined && readAt < newest.readAt) return;
		answer.newest = held;
		if (content.data.page_limit < answer.pageSize) this.#givesLess(answer, content.data.page_limit);
		else if (newest !== undefined && !countsAlike(newest.page.data, content.data)) {
			this.#refetchOthers(answer, held);
		}
	}

	/** The service's pages are smaller than asked for: every page but the first is another one now. */
	#givesLess(answer: Answer, pageSize: number): void {
		for (const page of [...answer.pages.keys()]) if (page !== 0) this.#forget(answer, page);
		answer.pageSize = pageSize;
		for (const [page, watch] of answer.watches) {
			if (page === 0) continue;
			watch.stop();
			answer.watches.delete(page);
		}
	}

	/** A service whose pages never agree must not be asked again and again for that. */
	#refetchOthers(answer: Answer, {page: newest, readAt}: HeldPage): void {
		for (const [page, held] of [...answer.pages]) {
			if (countsAlike(held.page.data, newest.data)) continue;
			const watch = answer.watches.get(page);
			if (watch === undefined) {
				this.#forget(answer, page);
			} else if (readAt - (answer.refetchedAt.get(page) ?? 0) > refetchGapMs) {
				answer.refetchedAt.set(page, readAt);
				void watch.observer.refetch({cancelRefetch: false});
			}
		}
	}

	/** An answer of which nothing is read. A service without orders is asked for its own, whichever is wanted. */
	#unread(question: Question, sort: EpisodeSort | undefined): Answer {
		return emptyAnswer(question, {asked: this.#canSort() === false ? undefined : sort, sort});
	}

	#forget(answer: Answer, page: number): void {
		answer.pages.delete(page);
		this.#client.removeQueries({
			queryKey: exploreKey(answer.question, page, answer.pageSize, answer.asked),
			exact: true,
		});
	}

	#publish(): void {
		if (this.#answer.newest !== undefined) this.#previous = undefined;
		this.result.setState(this.#snapshot(), true);
	}

	#snapshot(): Result {
		const answer = this.#answer.newest === undefined ? (this.#previous ?? this.#answer) : this.#answer;
		return {
			...contentOf(answer, {known: this.result?.getState().totals, covered: this.#covered}),
			isPrevious: answer !== this.#answer,
			freshness: answerFreshness(answer, {
				current: this.#answer,
				startedAt: this.#startedAt,
				known: this.result?.getState().freshness,
			}),
			refused: refusedIn(this.#answer),
		};
	}
}
