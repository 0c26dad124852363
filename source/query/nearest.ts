/** Edits (insert, delete, replace one character) between two words. */
function distance(a: string, b: string): number {
	let previous = Array.from({length: b.length + 1}, (_, i) => i);
	for (let i = 1; i <= a.length; i++) {
		const current = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
		}
		previous = current;
	}
	return previous[b.length] ?? 0;
}

/** More than these are no help. */
const most = 3;

/** Characters of a word that are compared: names are told apart by less, and tasks may be whole pages. */
const compared = 96;

/**
 * How far a candidate is from a word: so many edits; none where the word is its beginning or one of its parts
 * (`speed` of `speed_mean`, `gripper` of `left.gripper.pos`). Undefined where they have nothing in common.
 */
function farness(word: string, candidate: string): number | undefined {
	if (word.length > 2 && candidate.startsWith(word)) return 0;
	const bound = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
	const edits = distance(word, candidate);
	if (edits <= bound) return edits;
	const parts = candidate.split(/[^\p{L}\p{N}]+/u);
	// A slip in a part of a name says less than one in the whole of it.
	if (parts.includes(word)) return 0.5;
	return word.length > 3 && parts.some(part => distance(word, part) === 1) ? bound + 1 : undefined;
}

/** The words that a mistyped one may have meant, nearest first; empty when it resembles none. */
export function nearest(word: string, candidates: readonly string[]): readonly string[] {
	const lower = word.toLowerCase().slice(0, compared);
	return candidates
		.map(candidate => ({candidate, far: farness(lower, candidate.toLowerCase().slice(0, compared))}))
		.filter((found): found is {candidate: string; far: number} => found.far !== undefined)
		.sort((a, b) => a.far - b.far)
		.slice(0, most)
		.map(({candidate}) => candidate);
}

/** The end of a sentence that names a mistyped word: what it may have meant, as far as it resembles anything. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
	const like = nearest(word, candidates);
	return like.length > 0 ? `; did you mean ${like.join(' or ')}?` : undefined;
}
