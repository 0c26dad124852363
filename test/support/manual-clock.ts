import type {Clock} from '../../source/client/clock.ts';

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
	#now: number;
	readonly #timers = new Set<{readonly at: number; readonly run: () => void}>();

	constructor(now = Date.now()) {
		this.#now = now;
	}

	now(): number {
		return this.#now;
	}

	after(ms: number, run: () => void): () => void {
		const timer = {at: this.#now + ms, run};
		this.#timers.add(timer);
		return () => this.#timers.delete(timer);
	}

	/** Goes on, and runs what falls due, in order. */
	advance(ms: number): void {
		const end = this.#now + ms;
		for (;;) {
			const [next] = [...this.#timers].filter(({at}) => at <= end).sort((a, b) => a.at - b.at);
			if (!next) break;
			this.#timers.delete(next);
			this.#now = Math.max(this.#now, next.at);
			next.run();
		}
		this.#now = end;
	}
}
