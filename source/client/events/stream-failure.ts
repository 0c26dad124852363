import {
	ClientError,
	ContractError,
	NetworkError,
	RefusedError,
	RequestError,
	ServiceError,
} from '../errors.ts';
import {EventTooLargeError, NoEventsError} from './event-stream.ts';

/** What the end of a connection means for the next one. */
export type Verdict = {
	/**
	 * `soon`: it may work a moment later. `rarely`: there is no stream here as things are, and only somebody's doing
	 * changes that. `refused`: the key was, which may be a moment's mistake: ever more rarely. `never`: the service has
	 * no events, or nothing was sent.
	 */
	readonly again: 'soon' | 'rarely' | 'refused' | 'never';
	/** In words, for people. */
	readonly reason: string;
	/** What the service asks to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;
};

/** Statuses below 500 that say "not now". */
const passing = new Set([408, 425, 429]);

function howSoon(error: ClientError): Verdict['again'] {
	if (error instanceof RefusedError) return 'refused';
	if (error instanceof NoEventsError || error instanceof RequestError) return 'never';
	if (error instanceof NetworkError || error instanceof EventTooLargeError) return 'soon';
	if (error instanceof ServiceError) {
		return passing.has(error.status) || (error.status >= 500 && error.status !== 501) ? 'soon' : 'rarely';
	}
	return error instanceof ContractError ? 'rarely' : 'soon';
}

/**
 * What to do after a connection that failed with `error`, or that the service ended where there is none.
 *
 * @throws what is no failure of a call
 */
export function verdictOn(error: unknown, shown: string): Verdict {
	if (error === undefined) {
		return {again: 'soon', reason: `${shown} ended its stream of events.`, retryAfterMs: undefined};
	}
	if (!(error instanceof ClientError)) throw error;
	const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
	const retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
	return {again: howSoon(error), reason: error.message, retryAfterMs};
}
