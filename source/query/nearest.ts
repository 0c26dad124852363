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

/** The words that a mistyped one may have meant, nearest first; empty when it resembles none. */
export function nearest(word: string, candidates: readonly string[]): readonly string[] {
	const bound = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
	const lower = word.toLowerCase().slice(0, 64);
	return candidates
		.map(candidate => ({candidate, edits: distance(lower, candidate.toLowerCase())}))
		.filter(({edits}) => edits <= bound)
		.sort((a, b) => a.edits - b.edits)
		.map(({candidate}) => candidate);
}
