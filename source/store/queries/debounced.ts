import {LatestOnlyQueue} from './latest-only.ts';

type DebouncedOptions = {
	/** How long something has to be wanted, with nothing else wanted instead, until it is asked for. */
	readonly restMs: number;
	/** Where it queues up with other questions. @default a queue of its own */
	readonly queue?: LatestOnlyQueue;
	/** Its name there. @default 'query' */
	readonly name?: string;
};

/**
 * A question that follows a cursor or typing: it is asked once they rest, one at a time, and given up as soon as
 * something else is wanted.
 */
export class DebouncedQuery {
	readonly #restMs: number;
	readonly #queue: LatestOnlyQueue;
	readonly #name: string;
	#timer: NodeJS.Timeout | undefined;

	constructor({restMs, queue = new LatestOnlyQueue(), name = 'query'}: DebouncedOptions) {
		this.#restMs = restMs;
		this.#queue = queue;
		this.#name = name;
	}

	/** Asks after the rest, instead of what was wanted before; the work says itself what becomes of failures. */
	want(work: (signal: AbortSignal) => Promise<unknown>): void {
		this.drop();
		this.#timer = setTimeout(() => this.#queue.want(this.#name, work), this.#restMs);
	}

	/** Gives up what is wanted or being asked. */
	drop(): void {
		clearTimeout(this.#timer);
		this.#queue.drop(this.#name);
	}
}
