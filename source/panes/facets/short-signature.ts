const between = ' > ';

export function stepsOf(signature: string): readonly string[] {
	return signature.split(between);
}

/** A signature of steps that are shortened. */
export function signatureOf(steps: readonly string[]): string {
	return steps.join('>');
}

/**
 * A marker signature in at most `cells` characters where that can be had: signatures differ in any of their steps, so
 * every step keeps its first letters, and none gives way to an ellipsis. `reach > grasp > fold > release` becomes
 * `reach>grasp>fold>release`, `rea>gra>fol>rel`, and at the least `r>g>f>r`.
 */
export function shortSignature(signature: string, cells: number): string {
	if (signature.length <= cells) return signature;
	const steps = stepsOf(signature);
	const longest = Math.max(...steps.map(step => step.length));
	for (let letters = longest; letters > 1; letters--) {
		const short = signatureOf(steps.map(step => step.slice(0, letters)));
		if (short.length <= cells) return short;
	}
	return signatureOf(steps.map(step => step.slice(0, 1)));
}
