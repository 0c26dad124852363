import type {Query, QueryClient} from '@tanstack/query-core';
import {RefusedError, RequestError, ServiceError} from '../../client/errors.ts';

/** True if a service that answers another question may answer this one too, which failed with this error. */
function mayPass(error: Error | null): boolean {
	if (error instanceof RefusedError) return true;
	if (error instanceof ServiceError) return error.issues === undefined;
	return error !== null && !(error instanceof RequestError);
}

/** The service has asked to be left alone, and still wants to be. */
function isHeldOff({state: {error, errorUpdatedAt}}: Query): boolean {
	if (!(error instanceof ServiceError) || !error.retryAfterSeconds) return false;
	return errorUpdatedAt + error.retryAfterSeconds * 1000 > Date.now();
}

/**
 * Wakes what waits after a failure: who answers one question answers the others too, so none of them waits out its pause.
 * A query that fails while all others are answered is woken once and then keeps to its own pauses.
 */
export class Recovery {
	readonly #queries: QueryClient;
	readonly #wakeOthers: () => void;
	readonly #unsubscribe: () => void;
	readonly #failing = new Set<string>();
	/** Something that had been answered failed, and nothing has been answered since. */
	#isOutage = false;

	/** @param options.wakeOthers wakes what is not read through the cache */
	constructor({queries, wakeOthers}: {queries: QueryClient; wakeOthers: () => void}) {
		this.#queries = queries;
		this.#wakeOthers = wakeOthers;
		this.#unsubscribe = queries.getQueryCache().subscribe(event => {
			const {queryHash} = event.query;
			if (event.type === 'removed') this.#failing.delete(queryHash);
			if (event.type !== 'updated') return;
			const {action} = event;
			if (action.type === 'error') this.failed(queryHash);
			if (action.type === 'success' && action.manual !== true) this.answered(queryHash);
		});
	}

	/** Something could not be read. */
	failed(name: string): void {
		if (!this.#failing.has(name)) this.#isOutage = true;
		this.#failing.add(name);
	}

	/** Something was. */
	answered(name: string): void {
		const isBack = this.#failing.delete(name);
		if (!isBack && !this.#isOutage) return;
		this.#isOutage = false;
		// The answer is shown first, before anything else is sent.
		queueMicrotask(() => this.#wake());
	}

	stop(): void {
		this.#unsubscribe();
	}

	#wake(): void {
		const isWaiting = (query: Query) =>
			mayPass(query.state.error) && query.state.fetchStatus === 'idle' && !isHeldOff(query);
		void this.#queries.refetchQueries(
			{type: 'active', predicate: query => query.state.status === 'error' && isWaiting(query)},
			{cancelRefetch: false},
		);
		this.#wakeOthers();
	}
}
