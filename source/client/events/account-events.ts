import {hash} from 'node:crypto';
import type {Client} from '../client.ts';
import {type Clock, pause, systemClock} from '../clock.ts';
import {
	ClientError,
	ContractError,
	NetworkError,
	RefusedError,
	RequestError,
	ServiceError,
} from '../errors.ts';
import {canResumeAfter, EventTooLargeError, NoEventsError, type ServerEvent} from '../event-stream.ts';
import {defaultRetryMs, returnDelayMs} from '../return-delay.ts';
import {type EventHint, readHint} from './event-hint.ts';

/** How the account's stream of events is; moments in milliseconds since 1970. */
export type StreamState =
	| {readonly phase: 'connecting'}
	| {readonly phase: 'live'; readonly since: number}
	/** It comes back at `until`. */
	| {readonly phase: 'waiting'; readonly until: number; readonly reason: string}
	/** There is no stream here: for good, or until it is looked for again, rarely. */
	| {readonly phase: 'stopped'; readonly until: number | undefined; readonly reason: string};

/** An event, once, with what it gives away. */
export type AccountEvent = Omit<ServerEvent, 'lastId'> & {
	readonly receivedAt: number;
	readonly hint: EventHint;
};

/** A listener to the account's events. Nothing here may throw but `event`, which ends the following. */
type EventListener = {
	state?(state: StreamState): void;
	/** Awaited: nothing more is read meanwhile. */
	event(event: AccountEvent): void | Promise<void>;
	/**
	 * Events were missed for good: what is shown is to be fetched again. Called once the stream is live again,
	 * so that a list asked for now is complete with what follows. The first list belongs after the first `live`.
	 */
	gap?(): void;
};

/** The source of the events. */
export type EventSource = Pick<Client, 'events' | 'address'>;

/** A stream of which nothing comes for so long, not even a comment, is taken for dead. */
const silenceMs = 45_000;

/** A service that sends no comments has no other way to be silent: the silence allowed doubles up to this. */
const longestSilenceMs = 360_000;

/** With the silence before it, coming back takes a minute at most. */
const afterSilenceMs = 10_000;

/** A connection that held for so long was a good one, though nothing came. */
const goodMs = 30_000;

/** How long it takes to look again for a stream that is not there. */
const rarelyMs = 600_000;

/** The same after the first refusal of the key; it doubles with each up to that. */
const refusedMs = 15_000;

/** Events of the embedded service that tell of others that were missed (contract/service-events.ts). */
const gapEvents: ReadonlySet<string> = new Set(['gap', 'service.started']);

/**
 * Follows the account's events over any number of connections: comes back where the last one ended, as far as the
 * service allows it, and never in haste.
 */
export class AccountEvents {
	readonly #source: EventSource;
	readonly #listener: EventListener;
	readonly #clock: Clock;
	readonly #random: () => number;
	readonly #seen = new SeenEvents();
	#state: StreamState = {phase: 'connecting'};
	#lastId = '';
	#retryMs = defaultRetryMs;
	#failures = 0;
	/** How often in a row the key was refused. */
	#refusals = 0;
	#silenceMs = silenceMs;
	/** Something other than an event has come: the service keeps its stream alive. */
	#isKeptAlive = false;
	#opened = false;
	#failure: unknown;
	#hurry: (() => void) | undefined;

	constructor(
		source: EventSource,
		listener: EventListener,
		{clock = systemClock, random = Math.random}: {clock?: Clock; random?: () => number} = {},
	) {
		this.#source = source;
		this.#listener = listener;
		this.#clock = clock;
		this.#random = random;
	}

	get state(): StreamState {
		return this.#state;
	}

	/** The error of the last connection, one of errors.ts; undefined before, and if the service ended it. */
	get failure(): unknown {
		return this.#failure;
	}

	/** Comes back at once, if it waits of its own accord: never earlier than a service asked for. */
	refetch(): void {
		this.#hurry?.();
	}

	/**
	 * Follows until the signal is aborted or the stream has stopped for good; the state tells which.
	 *
	 * @throws what the listener's `event` throws
	 */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			this.#enter({phase: 'connecting'});
			const error = await this.#connection(signal);
			if (signal.aborted) return;
			this.#failure = error;
			const verdict = verdictOn(error, this.#source.address.shown);
			// Events after one that cannot be read are reached only by leaving it out.
			if (error instanceof EventTooLargeError) this.#lastId = '';
			if (verdict.again === 'never') {
				this.#enter({phase: 'stopped', until: undefined, reason: verdict.reason});
				return;
			}
			await this.#stayAway(verdict, signal);
		}
	}

	#enter(state: StreamState): void {
		this.#state = state;
		this.#listener.state?.(state);
	}

	async #stayAway(verdict: Verdict, signal: AbortSignal): Promise<void> {
		const {again, reason, retryAfterMs} = verdict;
		const isSilence = this.#failure instanceof NetworkError && this.#failure.code === 'SILENT_STREAM';
		const soon = returnDelayMs(
			{
				retryMs: this.#retryMs,
				failures: this.#failures,
				retryAfterMs,
				mostMs: isSilence ? afterSilenceMs : undefined,
			},
			this.#random,
		);
		this.#refusals = again === 'refused' ? this.#refusals + 1 : 0;
		const rarely =
			again === 'refused' ? Math.min(rarelyMs, refusedMs * 2 ** Math.min(this.#refusals - 1, 16)) : rarelyMs;
		const delay = again === 'soon' ? soon : Math.max(soon, rarely * (1 + this.#random() / 4));
		const until = this.#clock.now() + delay;
		const hurry = new AbortController();
		if (!retryAfterMs) this.#hurry = () => hurry.abort();
		this.#enter({phase: again === 'soon' ? 'waiting' : 'stopped', until, reason});
		await pause(this.#clock, delay, AbortSignal.any([signal, hurry.signal]));
		this.#hurry = undefined;
	}

	/** One connection. @returns what it failed with; undefined where the service ended it */
	async #connection(signal: AbortSignal): Promise<unknown> {
		const {shown} = this.#source.address;
		const cut = new AbortController();
		const beganAt = this.#clock.now();
		let progressed = false;
		let isOpen = false;
		let isEventDue = false;
		let callOff = () => {};
		const heard = () => {
			callOff();
			const allowed = isOpen ? this.#silenceMs : silenceMs;
			callOff = this.#clock.after(allowed, () => {
				const sentence = `${shown} sent nothing for ${allowed / 1000} s over its stream of events.`;
				cut.abort(new NetworkError(sentence, {code: 'SILENT_STREAM'}));
				if (isOpen && !this.#isKeptAlive) this.#silenceMs = Math.min(2 * this.#silenceMs, longestSilenceMs);
			});
		};
		heard();
		const events = this.#source.events({
			signal: AbortSignal.any([signal, cut.signal]),
			lastEventId: this.#lastId,
			onOpen: () => {
				isOpen = true;
				heard();
				this.#open(canResumeAfter(this.#lastId));
			},
			onActivity: () => {
				// Two pieces and no event from the first: it was a comment.
				if (isEventDue) this.#isKeptAlive = true;
				if (this.#isKeptAlive) this.#silenceMs = silenceMs;
				isEventDue = true;
				heard();
			},
			onLastId: id => {
				this.#lastId = id;
			},
			onRetry: ms => {
				this.#retryMs = ms;
			},
		});
		try {
			for (;;) {
				let next: IteratorResult<ServerEvent, void>;
				try {
					next = await events.next();
				} catch (error) {
					return error;
				}
				if (next.done) return undefined;
				isEventDue = false;
				// A repeated event does not move the cursor back.
				if (!this.#seen.take(next.value)) continue;
				this.#lastId = next.value.lastId;
				progressed = true;
				// While the reader is paused, silence means nothing.
				callOff();
				await this.#notify(next.value);
				heard();
			}
		} finally {
			callOff();
			await events.return();
			const isGood = progressed || this.#clock.now() - beganAt >= goodMs;
			this.#failures = isGood ? 1 : this.#failures + 1;
		}
	}

	#open(resumes: boolean): void {
		const isReturn = this.#opened;
		this.#opened = true;
		this.#enter({phase: 'live', since: this.#clock.now()});
		if (isReturn && !resumes) this.#listener.gap?.();
	}

	async #notify({lastId: _, ...event}: ServerEvent): Promise<void> {
		await this.#listener.event({...event, receivedAt: this.#clock.now(), hint: readHint(event)});
		if (gapEvents.has(event.name)) this.#listener.gap?.();
	}
}

/** How many events are remembered: more than a service repeats after a reconnect. */
const remembered = 10_000;

/**
 * Tells events that came before from new ones. A service that gives an id again with other content, as one that began
 * to count anew does, says something new; an event without an id always does.
 */
class SeenEvents {
	readonly #seen = new Set<string>();

	/** True if this event is new; it is not, from then on. */
	take({id, name, data}: Pick<ServerEvent, 'id' | 'name' | 'data'>): boolean {
		if (id === undefined) return true;
		const mark = hash('sha1', JSON.stringify([id, name, data]), 'base64');
		if (this.#seen.has(mark)) return false;
		this.#seen.add(mark);
		if (this.#seen.size > remembered) {
			const [oldest] = this.#seen;
			if (oldest !== undefined) this.#seen.delete(oldest);
		}
		return true;
	}
}

/** The consequence of a connection's end for the next one. */
type Verdict = {
	/**
	 * `soon`: it may work a moment later. `rarely`: there is no stream here as things are, and only a person
	 * changes that. `refused`: the key was, which may be a moment's mistake: ever more rarely. `never`: the service has
	 * no events, or nothing was sent.
	 */
	readonly again: 'soon' | 'rarely' | 'refused' | 'never';
	/** In words, for people. */
	readonly reason: string;
	/** The pause that the service asks for, in milliseconds. */
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
 * Decides what to do after a connection that failed with `error`, or that the service ended if there is none.
 *
 * @throws what is no failure of a call
 */
function verdictOn(error: unknown, shown: string): Verdict {
	if (error === undefined) {
		return {again: 'soon', reason: `${shown} ended its stream of events.`, retryAfterMs: undefined};
	}
	if (!(error instanceof ClientError)) throw error;
	const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
	const retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
	return {again: howSoon(error), reason: error.message, retryAfterMs};
}
