/**
 * Case folding, for text that is searched, by our own code, so that engines cannot differ: every code point becomes its
 * simple lowercase by itself (so Σ is always σ, İ is i, and ß is not ss).
 */
export function fold(text: string): string {
	let folded = '';
	for (const point of text) {
		const lower = point.toLowerCase();
		// The one code point of which JavaScript makes two.
		folded += point === 'İ' ? 'i' : lower;
	}
	return folded;
}
