import {type Clock, pause, systemClock} from './clock.ts';

/** How a repeatable call is tried again. */
export type RetryPolicy = {
	/** How often it is tried in all. */
	readonly tries: number;
	/** The wait after the first failure, before jitter; it doubles from one failure to the next. */
	readonly firstDelayMs: number;
	/** No wait is longer: a Retry-After beyond it ends the trying, and the error says how long was asked for. */
	readonly maxDelayMs: number;
};

export const defaultRetry: RetryPolicy = {tries: 3, firstDelayMs: 200, maxDelayMs: 10_000};

/** Statuses that say "not now" rather than "no". */
export const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A Retry-After header in seconds: it holds a count of seconds or an HTTP date. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | undefined {
	if (header === undefined) return undefined;
	if (/^\d+$/.test(header.trim())) return Number(header);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/**
 * The wait before the next try, or undefined when none should follow. Between half of the doubled delay and the whole
 * of it, so that callers that failed together do not come back together.
 */
export function nextDelayMs(
	policy: RetryPolicy,
	{failures, retryAfter}: {failures: number; retryAfter?: number | undefined},
	random: () => number = Math.random,
): number | undefined {
	if (failures >= policy.tries) return undefined;
	if (retryAfter !== undefined && retryAfter * 1000 > policy.maxDelayMs) return undefined;
	const backoff = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (failures - 1));
	return Math.max((retryAfter ?? 0) * 1000, backoff * (0.5 + random() / 2));
}

/** Waits, or rejects with the signal's reason. */
export async function wait(ms: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
	await pause(clock, ms, signal);
	signal.throwIfAborted();
}
