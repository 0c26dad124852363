/** A fixed number of places for work that takes a core; whoever comes when all are taken waits in line. */
export class Slots {
	#free: number;
	readonly #waiting: Array<() => void> = [];

	constructor(size: number) {
		this.#free = size;
	}

	/** Waits for a place; returns what gives it back. */
	async take(): Promise<() => void> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>(resolve => this.#waiting.push(resolve));
		let given = false;
		return () => {
			if (given) return;
			given = true;
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		};
	}
}
