/** Numbers that look random and follow from a text alone. */
export type Random = {
	/** Uniform in [0, 1). */
	readonly next: () => number;
	/** Uniform in [low, high). */
	readonly between: (low: number, high: number) => number;
	/** Gaussian, by the Box–Muller transform. */
	readonly normal: (mean: number, deviation: number) => number;
	/** A whole number in [0, count). */
	readonly below: (count: number) => number;
	/** True with the given probability. */
	readonly chance: (probability: number) => boolean;
};

/**
 * Chris Doty-Humphrey's sfc32 (from PractRand): 128 bits of state, 32-bit operations, so the same on every
 * machine. The state comes from the seed's FNV-1a hash spread by splitmix32; the first 12 numbers are dropped,
 * as its author advises.
 */
export function createRandom(seed: string): Random {
	const spread = splitmix32(fnv1a(seed));
	let a = spread();
	let b = spread();
	let c = spread();
	let counter = 1;
	const bits = (): number => {
		const result = (((a + b) | 0) + counter) | 0;
		counter = (counter + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (((c << 21) | (c >>> 11)) + result) | 0;
		return result >>> 0;
	};
	for (let round = 0; round < 12; round++) bits();
	const next = () => bits() / 2 ** 32;
	return {
		next,
		between: (low, high) => low + (high - low) * next(),
		normal: (mean, deviation) =>
			mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
		below: count => Math.floor(next() * count),
		chance: probability => next() < probability,
	};
}

function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
	return hash;
}

function splitmix32(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x9e3779b9) | 0;
		let mixed = state ^ (state >>> 16);
		mixed = Math.imul(mixed, 0x21f0aaad);
		mixed ^= mixed >>> 15;
		mixed = Math.imul(mixed, 0x735a2d97);
		return mixed ^ (mixed >>> 15);
	};
}

let table: Float64Array | undefined;

/**
 * A table of standard normal numbers, for noise on millions of values; read it from a random place on. It is made for the
 * first who reads it: every service knows of the sample, and few make one.
 */
export function normalTable(): Float64Array {
	if (table === undefined) {
		const random = createRandom('normal table');
		// A prime length: readers that step through it never fall into step with each other.
		table = Float64Array.from({length: 16_381}, () => random.normal(0, 1));
	}
	return table;
}
