import type {QueryObserver} from '@tanstack/query-core';
import {fieldProblems} from '../../client/errors.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import {maxIndex} from '../../contract/scalars.ts';
import type {ExplorePage, Question, Result, ResultOrder, Row, Totals} from '../queries/explore-result.ts';
import {type Freshness, freshnessOf, isSameFreshness} from '../queries/freshness.ts';
import {pageSize} from './pages.ts';
import {inOrder, orderHere} from './sorted-reading.ts';

export type PageObserver = QueryObserver<ExplorePage>;
type Watch = {readonly observer: PageObserver; readonly stop: () => void};
export type HeldPage = {readonly page: ExplorePage; readonly rows: readonly Row[]; readonly readAt: number};

/** The answer to one question, as far as it has been read. */
export type Answer = {
	readonly question: Question;
	/** The order that the service is asked for; undefined for its own. */
	readonly asked: EpisodeSort | undefined;
	/** The order that is wanted: where the service has not put its pages into it, what is read is put into it here. */
	sort: EpisodeSort | undefined;
	/** Most recently used last. */
	readonly pages: Map<number, HeldPage>;
	readonly watches: Map<number, Watch>;
	/** Rows a page: fewer than were asked for, where the service gives no more. */
	pageSize: number;
	newest: HeldPage | undefined;
	/** Readings of the first page in a row that failed, and how many had failed before them. */
	failures: number;
	failuresBefore: number;
	/** Until the first page is read again by itself, after a reading of it that failed just now. */
	pauseMs: number | undefined;
	/** Pages that are watched and may be old: read again once they show and are not being read. */
	readonly outdated: Set<number>;
	/** When a page was last read again because another one counted another result. */
	readonly refetchedAt: Map<number, number>;
};

export function emptyAnswer(question: Question, {asked, sort}: Pick<Answer, 'asked' | 'sort'>): Answer {
	return {
		question,
		asked,
		sort,
		pages: new Map(),
		watches: new Map(),
		pageSize,
		newest: undefined,
		failures: 0,
		failuresBefore: 0,
		pauseMs: undefined,
		outdated: new Set(),
		refetchedAt: new Map(),
	};
}

export function stopWatching({watches}: Answer): void {
	for (const {stop} of watches.values()) stop();
	watches.clear();
}

/** Marks a page as used just now. */
export function touch({pages}: Answer, page: number): void {
	const held = pages.get(page);
	if (held === undefined) return;
	pages.delete(page);
	pages.set(page, held);
}

/** Rows that can be asked for: the total, as far as an offset reaches. */
export function rowCountOf({newest}: Answer): number | undefined {
	return newest === undefined ? undefined : Math.min(Number(newest.page.data.total), maxIndex + 1);
}

function rowAt({pages, watches, pageSize: size}: Answer, index: number): Row {
	const page = Math.floor(index / size);
	const held = pages.get(page);
	if (held !== undefined) return held.rows[index - page * size] ?? 'missing';
	const result = watches.get(page)?.observer.getCurrentResult();
	return result !== undefined && result.error !== null && !result.isFetching ? 'failed' : 'loading';
}

/** True if the answer has to be sorted here. */
export function isSortedHere({sort, newest}: Answer): boolean {
	return sort !== undefined && newest !== undefined && newest.page.isSorted !== true;
}

/** Rows in their order, where that is made here: only of what is read. */
function rowsSortedHere(
	answer: Answer,
	sort: EpisodeSort,
): {readonly rows: readonly LakeEpisode[]; readonly order: ResultOrder} {
	const episodes = heldEpisodes(answer);
	const order = orderHere(episodes, sort);
	return {rows: inOrder(episodes, order), order: {...order, isHere: true, instead: order !== sort}};
}

/** Every episode that is read. */
function heldEpisodes({pages}: Answer): readonly LakeEpisode[] {
	return [...pages.values()].flatMap(({page}) => page.data.episodes);
}

/** The fields that the first page was refused for. */
export function refusedIn({watches}: Answer): readonly FieldProblem[] {
	return fieldProblems(watches.get(0)?.observer.getCurrentResult().error);
}

/** The totals of the newest page; the same object as `known` where they are the same. */
function totalsOf({newest}: Answer, known: Totals | undefined): Totals | undefined {
	if (newest === undefined) return undefined;
	const {total: episodes, total_frames: frames, total_duration_seconds: seconds} = newest.page.data;
	const isSame =
		known !== undefined &&
		known.episodes === episodes &&
		known.frames === frames &&
		known.seconds === seconds;
	return isSame ? known : {episodes, frames, seconds};
}

type Content = Omit<Result, 'isPrevious' | 'freshness' | 'refused'>;

/**
 * An answer in the form that the panes read.
 *
 * @param options.known the totals that were said before: the same object where they are the same.
 * @param options.covered an episode as it is to be shown.
 */
export function contentOf(
	answer: Answer,
	{known, covered}: {known: Totals | undefined; covered: (episode: LakeEpisode) => LakeEpisode},
): Content {
	const {question, sort, newest, pages} = answer;
	const here = sort !== undefined && isSortedHere(answer) ? rowsSortedHere(answer, sort) : undefined;
	return {
		question,
		order: here?.order ?? sort,
		rowCount: here?.rows.length ?? rowCountOf(answer) ?? 0,
		totals: totalsOf(answer, known),
		facets: newest?.page.data.facets,
		setAsideCount: [...pages.values()].reduce((sum, {page}) => sum + page.setAside.length, 0),
		row: index => {
			const row = here ? (here.rows[index] ?? 'missing') : rowAt(answer, index);
			return typeof row === 'string' ? row : covered(row);
		},
		held: () => heldEpisodes(answer),
	};
}

/**
 * How fresh the rows are that show.
 *
 * @param shown the answer that they are of; `current` is the one that is asked for.
 * @param known what was told last: the same again is the same object.
 */
export function answerFreshness(
	{newest}: Answer,
	{current, startedAt, known}: {current: Answer; startedAt: number; known: Freshness | undefined},
): Freshness {
	const results = [...current.watches.values()].map(({observer}) => observer.getCurrentResult());
	const failed = results.find(result => result.error !== null);
	const readAt = newest?.readAt;
	const freshness = freshnessOf({
		readAt,
		isFromLastSession: readAt !== undefined && readAt < startedAt,
		isReading: results.some(result => result.isFetching),
		error: failed?.error ?? null,
		nextAt: nextAt(current),
		failedAt: failed?.errorUpdatedAt,
	});
	return known !== undefined && isSameFreshness(known, freshness) ? known : freshness;
}

/** When the first page is asked for again after it failed. */
function nextAt({pauseMs, watches}: Answer): number | undefined {
	const failedAt = watches.get(0)?.observer.getCurrentResult().errorUpdatedAt;
	return pauseMs === undefined || !failedAt ? undefined : failedAt + pauseMs;
}
