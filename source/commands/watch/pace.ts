/** Between two looks, in milliseconds. */
const quickMs = 500;
/** With events to be woken by, and without. */
const slowMs = {woken: 30_000, alone: 15_000} as const;
const growth = 1.5;

/** How often to look at something: quickly while it moves, ever more slowly while it does not. */
export class Pace {
	#ms = quickMs;

	/** @returns the wait before the next look, in milliseconds */
	after({moved, woken}: {moved: boolean; woken: boolean}): number {
		this.#ms = moved ? quickMs : Math.min(this.#ms * growth, woken ? slowMs.woken : slowMs.alone);
		return this.#ms;
	}
}
