/** Whether the full counts are asked for: `npm run soak`. */
export const isSoak = process.env.LAKESCOPE_SOAK === '1';

/** How often a thing is tried: a few times in `npm test`, as often as the table says in `npm run soak`. */
export const times = (few: number, full: number): number => (isSoak ? full : few);

/** Time for that many tries, in milliseconds. */
export const patience = (tries: number, msEach: number): number => 30_000 + tries * msEach;

/** Numbers from a seed, so that a run that failed can be repeated (mulberry32). Each is at least 0 and below 1. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}
