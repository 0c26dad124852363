import {HeldOffError, RefusedError, ServiceError} from '../../client/errors.ts';
import {longestRetryAfterMs} from '../../client/return-delay.ts';

/** Between two readings of the first page while nothing is known to move. */
export const calmPaceMs = 15_000;

/**
 * Between two readings of something that shows, while the stream of events says when to look: a stream that drops half
 * of them is made good by this. A view is a lake, a list and what moves in it: two requests a minute at most.
 */
export const livePaceMs = 120_000;

/** The same of what does not show: it is read for what ends there to be told, and events tell that. */
export const unseenLivePaceMs = 900_000;

/** The same while a dataset is being ingested. */
export const busyPaceMs = 1500;

const longestPauseMs = 120_000;

/** The first pause after a failure, however slow the pace: it may be over in a moment. */
const firstPauseMs = 2000;

/** The same after the key was refused: asking with it again mostly fills the service's log. */
const refusedPauseMs = 30_000;

const longestRefusedMs = 600_000;

/**
 * How long to wait before the next reading: the pace, doubled with every attempt in a row that failed up to two
 * minutes, and then up to a quarter longer, so that many explorers do not come back at once.
 */
export function nextPollMs(paceMs: number, failures: number, random: () => number = Math.random): number {
	if (failures === 0) return paceMs;
	const pause = Math.min(longestPauseMs, Math.max(1000, paceMs) * 2 ** Math.min(failures - 1, 16));
	return Math.round(pause * (1 + random() / 4));
}

/** The same after a failure, which may ask for a longer pause. */
export function pauseAfter(
	error: unknown,
	{paceMs, failures}: {paceMs: number; failures: number},
	random: () => number = Math.random,
): number {
	const asked = Math.min(
		longestRetryAfterMs,
		error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0,
	);
	// Nothing was sent: it is as soon as it may be.
	if (error instanceof HeldOffError) return asked;
	if (error instanceof RefusedError) {
		const refused = refusedPauseMs * 2 ** Math.min(failures - 1, 16);
		return Math.round(Math.min(longestRefusedMs, refused) * (1 + random() / 4));
	}
	return Math.max(nextPollMs(Math.min(firstPauseMs, paceMs), failures, random), asked);
}

/** How much later than what a person looks at everything else is asked for, after the service asked to wait. */
export function afterOthersMs(error: unknown, random: () => number = Math.random): number {
	return error instanceof ServiceError && error.retryAfterSeconds ? 1000 + Math.round(1000 * random()) : 0;
}

/** So many readings a second at most, where many things of a kind are polled at once. */
const readingsPerSecond = 4;

/** Between two readings of things of a kind that move, beside a live stream: all of them share it. */
const movingLiveMs = {shown: 120_000, unseen: 240_000} as const;

/** The pace for one of `count` things that are polled side by side. */
export function sharedPaceMs(
	paceMs: number,
	count: number,
	{isLive = false, isShown = true}: {isLive?: boolean; isShown?: boolean} = {},
): number {
	const shared = isLive ? movingLiveMs[isShown ? 'shown' : 'unseen'] : 1000 / readingsPerSecond;
	return Math.max(paceMs, count * shared);
}

/** Between two readings of the lake beside a live stream while only its totals show, above another view. */
const totalsPaceMs = 300_000;

/** The lake's pace that fits what is known: events that come, things that move, whether its rows show. */
export function paceFor({
	isLive,
	isMoving,
	isShown,
}: {
	isLive: boolean;
	isMoving: boolean;
	isShown: boolean;
}): number {
	if (isMoving) return isShown ? busyPaceMs : calmPaceMs;
	if (!isLive) return calmPaceMs;
	return isShown ? livePaceMs : totalsPaceMs;
}
