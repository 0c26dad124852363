import {nearest} from '../query/nearest.ts';

/** The question whether a word was a slip for one that is known: `Was it meant to be A or B?`; undefined without one. */
export function meantPerhaps(
	word: string,
	known: readonly string[],
	written: (name: string) => string,
): string | undefined {
	const like = nearest(word, known);
	return like.length === 0 ? undefined : `Was it meant to be ${like.map(written).join(' or ')}?`;
}
