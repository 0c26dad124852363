/** A run of consecutive keys. */
export type KeyRange = {base: number; count: number};

/**
 * The lowest key from which `count` keys in a row are free. Keys that a replaced generation gave up are taken again,
 * so they stay small however often datasets are ingested anew.
 */
export function freeRange(used: readonly KeyRange[], count: number): number {
	let base = 0;
	for (const range of used.filter(range => range.count > 0).sort((a, b) => a.base - b.base)) {
		if (range.base - base >= count) return base;
		base = Math.max(base, range.base + range.count);
	}
	return base;
}
