/** Lets so many do something at once; the others wait for their turn, in order. */
export class Gate {
	readonly #most: number;
	readonly #waiting: (() => void)[] = [];
	#inside = 0;

	constructor(most: number) {
		this.#most = most;
	}

	/** @throws the signal's reason, where it was aborted before its turn came */
	async pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		if (this.#inside >= this.#most) await new Promise<void>(resolve => this.#waiting.push(resolve));
		else this.#inside++;
		try {
			signal.throwIfAborted();
			return await work();
		} finally {
			// The place goes to the next one, or is free.
			const next = this.#waiting.shift();
			if (next === undefined) this.#inside--;
			else next();
		}
	}
}
