import {NetworkError, RefusedError, RequestError, ServiceError} from '../../client/errors.ts';
import {longestRetryAfterMs} from '../../client/return-delay.ts';

/** How far what is on the screen can be trusted to be what the service holds. */
export type Freshness =
	| {readonly state: 'loading'}
	/** `isReading`: a newer reading is on its way. */
	| {readonly state: 'fresh'; readonly at: number; readonly isReading: boolean}
	/** Shown from an earlier reading, because the newest attempt failed or has not come back yet. */
	| (Trouble & {readonly state: 'stale'; readonly since: number})
	/** Nothing at that address can be reached; what is shown, if anything, is from `since`. */
	| (Trouble & {readonly state: 'offline'; readonly since: number | undefined})
	/** The service answered without an answer to the question, and there is nothing to show. */
	| (Trouble & {readonly state: 'failed'});

type Trouble = {
	readonly reason: string;
	readonly isReading: boolean;
	/** It is tried again without being asked to: what is refused for what it asks is not, nor what is not sent. */
	readonly isTriedAgain: boolean;
	/** Why it is not, in a few words; undefined where it is. */
	readonly whyNot: string | undefined;
	/** When that is; undefined if not known or never. */
	readonly nextAt: number | undefined;
	/** The service asked not to be asked before: not even by hand. */
	readonly notBefore: number | undefined;
	/** Nothing went wrong: what is shown was read by an earlier run of the program. */
	readonly isFromLastSession: boolean;
};

/** The newest reading, successful or not. */
type Reading = {
	/** When the data on the screen was read; undefined while there is none. */
	readonly readAt: number | undefined;
	/** The data was read by an earlier run of the program. */
	readonly isFromLastSession: boolean;
	readonly isReading: boolean;
	readonly error: Error | null;
	/** When it is tried again by itself. */
	readonly nextAt?: number | undefined;
	/** When the newest attempt failed. */
	readonly failedAt?: number | undefined;
};

/** True if asking again can only fail again: the key or a part of the request is refused, or it was not even sent. */
export function isLasting(error: unknown): boolean {
	const isAboutRequest = error instanceof ServiceError && error.issues !== undefined;
	return error instanceof RefusedError || error instanceof RequestError || isAboutRequest;
}

/** Why asking the same again can only end the same, in a few words. */
function lastingWords(error: Error): string {
	if (error instanceof RefusedError) return 'the key is refused';
	return error instanceof RequestError ? 'it cannot be sent' : 'the request is refused';
}

/** Until when the service asked to be left alone, by an answer of `failedAt`; undefined where it did not. */
function leftAloneUntil(error: unknown, failedAt: number | undefined): number | undefined {
	if (!(error instanceof ServiceError) || !error.retryAfterSeconds || failedAt === undefined)
		return undefined;
	return failedAt + Math.min(longestRetryAfterMs, error.retryAfterSeconds * 1000);
}

/** Judges a reading. */
export function freshnessOf(reading: Reading): Freshness {
	const {readAt, isFromLastSession, isReading, error, nextAt, failedAt} = reading;
	if (error !== null) {
		const isTriedAgain = !isLasting(error) || nextAt !== undefined;
		const trouble = {
			reason: error.message,
			isReading,
			isTriedAgain,
			whyNot: isTriedAgain ? undefined : lastingWords(error),
			nextAt: isTriedAgain ? nextAt : undefined,
			notBefore: leftAloneUntil(error, failedAt),
			isFromLastSession: false,
		};
		if (error instanceof NetworkError) return {state: 'offline', since: readAt, ...trouble};
		return readAt === undefined ? {state: 'failed', ...trouble} : {state: 'stale', since: readAt, ...trouble};
	}
	if (readAt === undefined) return {state: 'loading'};
	if (!isFromLastSession) return {state: 'fresh', at: readAt, isReading};
	return {
		state: 'stale',
		since: readAt,
		reason: 'read by an earlier run',
		isReading,
		isTriedAgain: true,
		whyNot: undefined,
		nextAt: undefined,
		notBefore: undefined,
		isFromLastSession,
	};
}

/** True if the data was read by this run, or is not there to be read. */
export function isOfThisRun(freshness: Freshness): boolean {
	if (freshness.state === 'fresh' || freshness.state === 'failed') return true;
	return freshness.state === 'stale' && !freshness.isFromLastSession;
}

/** True if two judgements say the same. */
export function isSameFreshness(a: Freshness, b: Freshness): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
