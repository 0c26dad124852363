/** Something that is asked of the service; it settles soon once its signal is aborted. */
type Work = (signal: AbortSignal) => Promise<unknown>;

/**
 * Where the questions of the filter line queue up: one is asked at a time, so that typing never floods a service or a
 * slow link. A question takes the place of the one of its name: that one is given up, and the next is asked once it has
 * let go.
 */
export class LatestOnlyQueue {
	readonly #waiting = new Map<string, Work>();
	#running: {readonly name: string; readonly controller: AbortController} | undefined;

	/** Asks something as soon as nothing else is being asked, instead of what was to be asked under its name. */
	want(name: string, work: Work): void {
		this.drop(name);
		this.#waiting.set(name, work);
		this.#next();
	}

	/** Gives up what is or would be asked under a name. */
	drop(name: string): void {
		this.#waiting.delete(name);
		if (this.#running?.name === name) this.#running.controller.abort();
	}

	/** Gives up everything. */
	clear(): void {
		this.#waiting.clear();
		this.#running?.controller.abort();
	}

	#next(): void {
		if (this.#running !== undefined) return;
		const [first] = this.#waiting;
		if (first === undefined) return;
		const [name, work] = first;
		this.#waiting.delete(name);
		const controller = new AbortController();
		this.#running = {name, controller};
		// The caller handles failures; here it only matters that it is over.
		const over = () => {
			this.#running = undefined;
			this.#next();
		};
		work(controller.signal).then(over, over);
	}
}
