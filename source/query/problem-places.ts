import type {FieldProblem} from '../contract/errors.ts';
import {facets} from '../contract/facets.ts';
import type {KeyName} from './keys.ts';
import {nearest} from './nearest.ts';
import {parseTerms} from './parse-terms.ts';
import {describeProblem, type QueryProblem} from './problem.ts';
import type {Span, Term} from './term.ts';

/**
 * Problems of names that no dataset has, each at its place in the line.
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

/** The key that says a field of the explore request. */
const keyOfField: Readonly<Record<string, KeyName>> = {
	...Object.fromEntries(facets.map(({request, key}) => [request, key])),
	review_states: 'review',
	review_state: 'review',
	episode_index: 'index',
	parent_episode_index: 'parent',
	lineage: 'is',
	order_desc: 'order',
};

/** The terms that a field of the request was made of, in the request's order. */
function spansOf(field: string, terms: readonly Term[], isNegated: boolean): readonly Span[] {
	if (field === 'numeric_predicates') return terms.filter(({kind}) => kind === 'numeric');
	if (field === 'channel_predicates') return terms.filter(({kind}) => kind === 'channel');
	if (field === 'search') return terms.filter(({kind}) => kind === 'text');
	const key = keyOfField[field];
	const seen = new Set<string>();
	return terms
		.flatMap(term =>
			term.kind === 'values' && term.key === key && term.isNegated === isNegated ? term.values : [],
		)
		.filter(({value}) => !seen.has(value) && seen.add(value));
}

/**
 * A problem of a field of the request, at the term of the line that the field was made of. Undefined where it was made
 * of none: the page, the account, a field that the line does not say.
 */
export function problemAtField(text: string, problem: FieldProblem): QueryProblem | undefined {
	const {terms} = parseTerms(text);
	const steps = problem.field.split('.');
	const isNegated = steps[0] === 'not';
	const [field, step = ''] = isNegated ? steps.slice(1) : steps;
	const place = /^\d+$/u.test(step) ? Number(step) : undefined;
	const spans =
		isNegated && field === undefined
			? terms.filter(term => term.kind === 'values' && term.isNegated).slice(0, 1)
			: spansOf(field ?? '', terms, isNegated);
	const named = spans[place ?? 0];
	const last = spans.at(-1);
	if (named === undefined || last === undefined) return undefined;
	const span = place !== undefined ? named : {start: named.start, end: last.end};
	const {column, ...described} = describeProblem(text, span, {expected: problem.message});
	return {...described, column, message: `Column ${column}: the service refuses this: ${problem.message}`};
}
