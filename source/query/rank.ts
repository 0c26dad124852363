import fuzzysort from 'fuzzysort';

/** Longer texts are not looked through while somebody types. */
const longest = 500;

/** Below this a likeness is an accident. */
const least = 0.4;

function likeness(typed: string, text: string): number {
	const at = text.toLowerCase().indexOf(typed.toLowerCase());
	const score = fuzzysort.single(typed, text.slice(0, longest))?.score ?? 0;
	// What begins so goes before what holds it, and that before what only has the letters.
	return score + (at === 0 ? 2 : at > 0 ? 1 : 0);
}

/**
 * Those that resemble what was typed, likest first; equals stay in the order that they had, and nothing typed leaves
 * all of them as they are.
 *
 * @param textsOf what of each is compared; the likest counts.
 */
export function ranked<Item>(
	typed: string,
	items: readonly Item[],
	textsOf: (item: Item) => readonly string[],
): readonly Item[] {
	if (typed === '') return items;
	if (typed.length > longest) return [];
	return items
		.map(item => ({item, like: Math.max(...textsOf(item).map(text => likeness(typed, text)))}))
		.filter(({like}) => like >= least)
		.sort((a, b) => b.like - a.like)
		.map(({item}) => item);
}
