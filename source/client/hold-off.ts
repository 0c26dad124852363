import type {Endpoint} from '../contract/endpoints.ts';
import {type Clock, systemClock} from './clock.ts';
import {HeldOffError, ServiceError} from './errors.ts';
import {longestRetryAfterMs} from './return-delay.ts';

type Hold = {readonly until: number; readonly error: ServiceError};

/** So that those who waited for the same moment do not come at the same moment. */
const spreadMs = 250;

/**
 * The pause that a service asked for, kept for every call: an event, a poll and a key press alike wait for it.
 * 429 speaks of the caller and holds every endpoint; any other status holds its own.
 */
export class HoldOff {
	readonly #clock: Clock;
	readonly #random: () => number;
	readonly #holds = new Map<string, Hold>();

	constructor({clock = systemClock, random = Math.random}: {clock?: Clock; random?: () => number} = {}) {
		this.#clock = clock;
		this.#random = random;
	}

	/** Takes up what an answer asked for, if it did. */
	note(endpoint: Endpoint, error: unknown): void {
		if (!(error instanceof ServiceError) || !error.retryAfterSeconds) return;
		const name = error.status === 429 ? everyEndpoint : nameOf(endpoint);
		const asked = Math.min(longestRetryAfterMs, error.retryAfterSeconds * 1000);
		// Whole milliseconds: a timer holds no parts of one.
		const until = Math.ceil(this.#clock.now() + asked + this.#random() * spreadMs);
		if (until > (this.#holds.get(name)?.until ?? 0)) this.#holds.set(name, {until, error});
	}

	/** How long an endpoint is to be left alone, in milliseconds, and what asked for that; undefined where it is not. */
	of(endpoint: Endpoint): {readonly ms: number; readonly error: ServiceError} | undefined {
		const now = this.#clock.now();
		let longest: Hold | undefined;
		for (const name of [everyEndpoint, nameOf(endpoint)]) {
			const hold = this.#holds.get(name);
			if (hold !== undefined && hold.until <= now) this.#holds.delete(name);
			else if (hold !== undefined && hold.until > (longest?.until ?? 0)) longest = hold;
		}
		return longest && {ms: longest.until - now, error: longest.error};
	}
}

const everyEndpoint = '*';

const nameOf = ({method, path}: Endpoint) => `${method} ${path}`;

/** The failure of a call that was not sent, because its service asked to wait. */
export function heldOff(
	endpoint: Endpoint,
	{ms, error}: {readonly ms: number; readonly error: ServiceError},
	shown: string,
): HeldOffError {
	const {status, detail, issues} = error;
	const retryAfterSeconds = ms / 1000;
	const sentence = `${nameOf(endpoint)} was not sent: ${shown} asked to wait ${Math.ceil(retryAfterSeconds)} s more (${status}${detail === undefined ? '' : `: ${detail.slice(0, 200)}`}).`;
	return new HeldOffError(sentence, {status, detail, issues, retryAfterSeconds});
}
