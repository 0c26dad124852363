import type {Answer} from './answer.ts';
import {type Freshness, freshnessOf, isSameFreshness} from './freshness.ts';

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
