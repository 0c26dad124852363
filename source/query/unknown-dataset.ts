import {nearest} from './nearest.ts';
import {parseTerms} from './parse-terms.ts';
import {describeProblem, type QueryProblem} from './problem.ts';

/**
 * What to say of names that no dataset bears, each at its place in the line.
 *
 * @param known the names of the datasets that there are, as far as is known.
 */
export function unknownDatasetProblems(
	text: string,
	names: readonly string[],
	known: readonly string[],
): readonly QueryProblem[] {
	return parseTerms(text)
		.terms.flatMap(term => (term.kind === 'values' && term.key === 'dataset' ? term.values : []))
		.filter(({value}) => names.includes(value))
		.map(placed => {
			const like = nearest(placed.value, known);
			return describeProblem(text, placed, {
				expected: 'the name of a dataset of this lake',
				fits: like,
				isGuess: like.length > 0,
				...(like.length > 0 ? {} : {hint: 'lakescope datasets lists them'}),
			});
		});
}
