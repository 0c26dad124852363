/** A fixed number of places for work that takes a core; whoever comes when all are taken waits in line. */
export class Slots {
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
