/** The wait before coming back that a service may ask for, in milliseconds. */
export const retryBounds = {least: 1000, most: 60_000} as const;

/** The wait before coming back where the service asks for none, in milliseconds. */
export const defaultRetryMs = 1000;

/** No Retry-After is waited out for longer; timers hold no more than 24 days. */
export const longestRetryAfterMs = 24 * 3_600_000;

/** The terms of a pause before coming back; spans in milliseconds. */
type ReturnTerms = {
	/** The stream's `retry`, within its bounds. */
	readonly retryMs: number;
	/** How many connections in a row brought nothing; at least 1. */
	readonly failures: number;
	/** The last answer's Retry-After: never come back before. */
	readonly retryAfterMs?: number | undefined;
	/** Come back at the latest after this, where Retry-After allows it. */
	readonly mostMs?: number | undefined;
};

/**
 * How long to stay away, in milliseconds: from 1 to 60 s whatever the stream asks for, doubled with every failure in a
 * row, spread over a third so that those who were cut off together do not come back together.
 */
export function returnDelayMs(
	{retryMs, failures, retryAfterMs = 0, mostMs = retryBounds.most}: ReturnTerms,
	random: () => number = Math.random,
): number {
	const {least, most} = retryBounds;
	const doubled = Math.max(least, retryMs) * 2 ** Math.min(failures - 1, 16);
	const high = Math.min(most, mostMs, doubled * 1.5);
	const low = Math.max(least, (high * 2) / 3);
	const delay = low + (high - low) * random();
	if (retryAfterMs <= 0) return delay;
	return Math.max(delay, Math.min(retryAfterMs, longestRetryAfterMs) + random() * 1000);
}
