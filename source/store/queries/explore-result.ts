import {setTimeout as delay} from 'node:timers/promises';
import type {StoreApi} from 'zustand/vanilla';
import type {Answer} from '../../client/answer.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {ExploreResponse, LakeFacets} from '../../contract/explore.ts';
import type {EpisodeSort, ExploreQuestion} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Freshness} from './freshness.ts';

/** A question without its page: an explore request without `limit` and `offset`. */
export type Question = Omit<ExploreQuestion, 'limit' | 'offset'>;

export type Totals = {readonly episodes: Count; readonly frames: Count; readonly seconds: number};

/** A sort that the user asked for. */
export type ResultOrder = EpisodeSort & {
	/** The service has no such order: it is only of the rows that were read. */
	readonly isHere?: boolean;
	/** It is by another figure than was asked for, which the service does not tell. */
	readonly instead?: boolean;
};

/** The answer to a question so far, as the panes read it. A new object whenever anything changed. */
export type Result = {
	/** The question that this answers. */
	readonly question: Question;
	/** The order of its rows; undefined where that is the service's own. */
	readonly order: ResultOrder | undefined;
	/** A newer question has been asked and not answered yet. */
	readonly isPrevious: boolean;
	/** Rows that can be asked for: the total, as far as an offset reaches; those read where they are ordered here. 0 while unknown. */
	readonly rowCount: number;
	readonly totals: Totals | undefined;
	readonly facets: LakeFacets | undefined;
	readonly freshness: Freshness;
	/** Elements of the held pages that broke the contract and were left out. */
	readonly setAsideCount: number;
	/** The fields that the question itself was refused for. */
	readonly refused: readonly FieldProblem[];
	/** Every episode that is read, in no order; asking fetches nothing. */
	readonly held: () => readonly LakeEpisode[];
	/** The state of a row; asking fetches nothing. */
	readonly row: (index: number) => Row;
};

/** True if the rows answer an older question, because the newest one has failed so far. */
export function isHeldUp({isPrevious, freshness}: Result): boolean {
	return isPrevious && 'reason' in freshness && !freshness.isFromLastSession;
}

/** One explore answer, and what of it broke the contract and was left out. */
export type ExplorePage = Answer<ExploreResponse> & {
	/** The service has put its episodes into the order that was asked for. */
	readonly isSorted?: boolean;
};

/** Asks the service for one page. */
export type ReadPage = (
	request: ExploreQuestion,
	options: {signal: AbortSignal; sort?: EpisodeSort | undefined},
) => Promise<ExplorePage>;

/** The state of one row: `unreadable` broke the contract, `missing` was counted by the service but not given. */
export type Row = LakeEpisode | 'loading' | 'failed' | 'unreadable' | 'missing';

/** The rows of a page on their own places: an element that was set aside keeps its place. */
export function rowsOf({data, setAside}: ExplorePage): readonly Row[] {
	const broken = new Set(
		setAside.flatMap(({path}) => {
			const place = /^episodes\[(\d+)\]$/.exec(path)?.[1];
			return place === undefined ? [] : [Number(place)];
		}),
	);
	if (broken.size === 0) return data.episodes;
	const rows: Row[] = [];
	for (const episode of data.episodes) {
		while (broken.has(rows.length)) rows.push('unreadable');
		rows.push(episode);
	}
	while (broken.has(rows.length)) rows.push('unreadable');
	return rows;
}

/** True if two answers count the same result, so that their pages belong together. */
export function countsAlike(a: ExploreResponse, b: ExploreResponse): boolean {
	return (
		a.total === b.total &&
		a.total_frames === b.total_frames &&
		a.total_duration_seconds === b.total_duration_seconds
	);
}

/** How long an action on rows waits for the rows of the newest question. */
const patienceMs = 1000;

/**
 * While the rows that show answer an older question: settles when those of the newest are there, when that was asked in
 * vain, or after a second. Undefined where they are there.
 */
export function newestAnswer(result: StoreApi<Result>): Promise<void> | undefined {
	if (!isAwaited(result.getState())) return undefined;
	const {promise, resolve} = Promise.withResolvers<void>();
	const stop = result.subscribe(now => {
		if (!isAwaited(now)) resolve();
	});
	return Promise.race([promise, delay(patienceMs, undefined, {ref: false})]).finally(stop);
}

/** A newer question has been asked, and may be answered soon. */
function isAwaited({isPrevious, freshness}: Result): boolean {
	return isPrevious && !('reason' in freshness);
}
