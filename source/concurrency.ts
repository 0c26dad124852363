/**
 * A fixed number of places for work of one kind; what comes when all are taken waits in line. It is what bounds
 * concurrency anywhere in the program: requests, child processes, looks at files.
 */
export class ConcurrencyLimit {
	#free: number;
	readonly #waiting: Array<() => void> = [];

	constructor(size: number) {
		this.#free = size;
	}

	/**
	 * Waits for a place; returns what gives it back.
	 *
	 * @param signal ends the waiting; its reason is thrown
	 */
	async take(signal?: AbortSignal): Promise<() => void> {
		signal?.throwIfAborted();
		if (this.#free > 0) this.#free--;
		else await this.#turn(signal);
		let given = false;
		return () => {
			if (given) return;
			given = true;
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		};
	}

	/** Does something once there is a place. @param signal ends the waiting; its reason is thrown */
	async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
		const release = await this.take(signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/** Does the same for each item. @returns the results in the order of the items @throws the first failure */
	map<Item, Result>(items: Iterable<Item>, work: (item: Item) => Promise<Result>): Promise<Result[]> {
		return Promise.all(Array.from(items, item => this.run(() => work(item))));
	}

	#turn(signal: AbortSignal | undefined): Promise<void> {
		return new Promise((resolve, reject) => {
			const onTurn = () => {
				signal?.removeEventListener('abort', onAbort);
				resolve();
			};
			const onAbort = () => {
				this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', onAbort, {once: true});
			this.#waiting.push(onTurn);
		});
	}
}
