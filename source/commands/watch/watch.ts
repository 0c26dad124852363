import type {Client} from '../../client/client.ts';
import {type ClientError, NetworkError, ServiceError} from '../../client/errors.ts';
import {AccountEvents} from '../../client/events/account-events.ts';
import {type Clock, pause, systemClock} from '../../client/events/clock.ts';
import {mayConcern, namesSomething} from '../../client/events/event-hint.ts';
import {defaultRetryMs, returnDelayMs} from '../../client/events/return-delay.ts';
import {passingStatuses} from '../../client/retry.ts';
import {exactJson} from '../../contract/exact-json.ts';
import {Pace} from './pace.ts';
import type {Subject} from './subject.ts';

/** However often events come, nothing is asked for again sooner than this, in milliseconds. */
const leastMs = 200;

export type WatchOptions<Status> = {
	/** Called with the first status and with each that is another; awaited. */
	readonly onStatus: (status: Status, before: Status | undefined) => Promise<void>;
	/** Called once an outage, with why the service does not answer. */
	readonly onTrouble: (sentence: string) => void;
	/** Called when it answers again. */
	readonly onRecovery: () => void;
	/** @default the machine's */
	readonly clock?: Clock;
};

/** Whether the same question may be answered a while later. */
function mayPass(error: unknown): error is NetworkError | ServiceError {
	if (error instanceof NetworkError) return true;
	return error instanceof ServiceError && (passingStatuses.has(error.status) || error.status === 500);
}

/** Follows one thing to its end by polling; events of the account only say when to look sooner. */
export class Watch<Status> {
	readonly #subject: Subject<Status>;
	readonly #options: WatchOptions<Status>;
	readonly #clock: Clock;
	#last: {readonly status: Status; readonly text: string} | undefined;
	#failures = 0;
	#wake = () => {};

	constructor(subject: Subject<Status>, options: WatchOptions<Status>) {
		this.#subject = subject;
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
	}

	/**
	 * Follows by this client; a later call goes on with another one. An outage is waited out, once something was read.
	 *
	 * @returns the status that it ended with
	 * @throws what the first look failed with, and later what no waiting mends; the signal's reason
	 */
	async run(client: Client, signal: AbortSignal): Promise<Status> {
		const over = new AbortController();
		const events = new AccountEvents(client, {
			event: ({hint}) => {
				if (mayConcern(hint, this.#subject.id) || !namesSomething(hint)) this.#wake();
			},
			gap: () => this.#wake(),
		});
		const listening = events.run(AbortSignal.any([signal, over.signal]));
		// A failure of the listening is told below; polling does not need it.
		listening.catch(() => undefined);
		try {
			return await this.#poll(client, events, signal);
		} finally {
			over.abort();
			await listening;
		}
	}

	async #poll(client: Client, events: AccountEvents, signal: AbortSignal): Promise<Status> {
		const pace = new Pace();
		for (;;) {
			signal.throwIfAborted();
			const looked = await this.#look(client, signal);
			if (!('failure' in looked)) {
				if (this.#subject.outcome(looked.status) !== 'under way') return looked.status;
				await this.#rest(pace.after({...looked, woken: events.state.phase === 'live'}), signal);
				continue;
			}
			const {retryAfterSeconds = 0} = looked.failure instanceof ServiceError ? looked.failure : {};
			const terms = {
				retryMs: defaultRetryMs,
				failures: this.#failures,
				retryAfterMs: retryAfterSeconds * 1000,
			};
			await pause(this.#clock, returnDelayMs(terms), signal);
		}
	}

	/** Waits; something new may cut it short. */
	async #rest(ms: number, signal: AbortSignal): Promise<void> {
		const woken = new AbortController();
		this.#wake = () => woken.abort();
		await pause(this.#clock, Math.min(ms, leastMs), signal);
		if (ms > leastMs) {
			await pause(this.#clock, ms - leastMs, AbortSignal.any([signal, woken.signal]));
		}
	}

	async #look(
		client: Client,
		signal: AbortSignal,
	): Promise<{status: Status; moved: boolean} | {failure: ClientError}> {
		let status: Status;
		try {
			status = await this.#subject.read(client, {signal});
		} catch (error) {
			signal.throwIfAborted();
			if (!this.#last || !mayPass(error)) throw error;
			if (++this.#failures === 1) this.#options.onTrouble(error.message);
			return {failure: error};
		}
		if (this.#failures > 0) this.#options.onRecovery();
		this.#failures = 0;
		const text = exactJson(status);
		const before = this.#last;
		if (text === before?.text) return {status, moved: false};
		this.#last = {status, text};
		await this.#options.onStatus(status, before?.status);
		return {status, moved: true};
	}
}
