import {type Clock, systemClock} from '../../client/events/clock.ts';

/**
 * Between two fetches that events gave the hint for: three a second, however many events come. With what is polled
 * beside a live stream these are four at most.
 */
export const fetchGapMs = 334;

/** Between two fetches of the same thing for that reason: what shows is brought up to date once in two seconds. */
export const sameGapMs = 2000;

/** Between two fetches of what does not show, whatever it is. */
export const unseenGapMs = 15_000;

/** Things wished for at once; beyond, the oldest wish is left to polling. */
const mostWishes = 200;

type Wish = {readonly run: () => void; readonly from: number; readonly fetches: number};

/**
 * What is to be fetched again, soon: a thing that is wished for many times is fetched once, the first at once, and all
 * of them within bounds.
 */
export class PacedFetches {
	readonly #clock: Clock;
	readonly #gapMs: number;
	readonly #wishes = new Map<string, Wish>();
	readonly #lastAt = new Map<string, number>();
	#freeAt = 0;
	#callOff: (() => void) | undefined;

	/** @param options.gapMs between two fetches, whatever they are of */
	constructor({clock = systemClock, gapMs = fetchGapMs}: {clock?: Clock; gapMs?: number} = {}) {
		this.#clock = clock;
		this.#gapMs = gapMs;
	}

	/**
	 * Wishes for a thing by its name; the newest way of fetching it counts.
	 *
	 * @param fetches how many requests that may take
	 */
	wish(name: string, run: () => void, fetches = 1): void {
		const from = (this.#lastAt.get(name) ?? Number.NEGATIVE_INFINITY) + sameGapMs;
		this.#wishes.set(name, {run, from, fetches});
		const [oldest] = this.#wishes.keys();
		if (this.#wishes.size > mostWishes && oldest !== undefined) this.#wishes.delete(oldest);
		this.#plan();
	}

	/** Forgets a wish. @returns whether there was one */
	drop(name: string): boolean {
		return this.#wishes.delete(name);
	}

	/** Forgets what is wished for. */
	stop(): void {
		this.#callOff?.();
		this.#callOff = undefined;
		this.#wishes.clear();
	}

	#plan(): void {
		if (this.#callOff !== undefined || this.#wishes.size === 0) return;
		const soonest = Math.min(...[...this.#wishes.values()].map(({from}) => from));
		const at = Math.max(this.#freeAt, soonest);
		this.#callOff = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
			this.#callOff = undefined;
			this.#take();
			this.#plan();
		});
	}

	#take(): void {
		const now = this.#clock.now();
		const next = [...this.#wishes].find(([, {from}]) => from <= now);
		if (next === undefined) return;
		const [name, {run, fetches}] = next;
		this.#wishes.delete(name);
		// What is bounded by its age alone would grow with every job there ever was.
		for (const [other, at] of this.#lastAt) if (now - at > sameGapMs) this.#lastAt.delete(other);
		this.#lastAt.set(name, now);
		this.#freeAt = now + this.#gapMs * fetches;
		run();
	}
}
