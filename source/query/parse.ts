import type {Facet} from '../contract/facets.ts';
import {exploreLimits} from '../contract/limits.ts';
import {wireWord} from '../contract/spellings.ts';
import type {Lineage, ReviewState} from '../contract/vocabulary.ts';
import {type Filter, facetLists, leftOut} from './filter.ts';
import {type Key, type KeyName, keys, negation} from './keys.ts';
import {parseTerms} from './parse-terms.ts';
import {describeProblem, type QueryProblem} from './problem.ts';
import type {PlacedValue, Span, Term} from './term.ts';

export type ParseResult =
	| {readonly ok: true; readonly filter: Filter}
	| {readonly ok: false; readonly problems: readonly [QueryProblem, ...QueryProblem[]]};

const lineages: Readonly<Record<string, Lineage>> = {original: 'originals', child: 'children'};

/** The values of all terms with `key`, each once: those asked for, or those left out. */
function valuesOf(terms: readonly Term[], key: KeyName, isNegated = false): readonly PlacedValue[] {
	const values = terms.flatMap(term =>
		term.kind === 'values' && term.key === key && term.isNegated === isNegated ? term.values : [],
	);
	const seen = new Set<string>();
	return values.filter(({value}) => {
		const isNew = !seen.has(value);
		seen.add(value);
		return isNew;
	});
}

/** The text at which what is looked for becomes longer than anything that an episode carries. */
function tooLong(terms: readonly Term[]): Span | undefined {
	let searched = 0;
	for (const term of terms) {
		if (term.kind === 'values') {
			const value = term.values.find(placed => placed.value.length > exploreLimits.text);
			if (value !== undefined) return value;
		}
		if (term.kind !== 'text') continue;
		searched += term.text.length + 1;
		if (searched > exploreLimits.text + 1) return term;
	}
	return undefined;
}

/** Problems that the service would refuse although every term is well formed. */
function* excess(text: string, terms: readonly Term[]): Generator<QueryProblem> {
	const beyond = (span: Span | undefined, expected: string) =>
		span ? [describeProblem(text, span, {expected})] : [];
	for (const [name, {takes, most}] of Object.entries(keys) as [KeyName, Key][]) {
		const placed =
			takes === 'single'
				? terms.filter(term => term.kind === 'values' && term.key === name && !term.isNegated)
				: valuesOf(terms, name);
		yield* beyond(placed[most], takes === 'single' ? `${name}: once` : `at most ${most} values of ${name}:`);
		if (takes === 'single') continue;
		yield* beyond(valuesOf(terms, name, true)[most], `at most ${most} values of ${negation}${name}:`);
	}
	const numeric = terms.filter(({kind}) => kind === 'numeric');
	const channels = terms.filter(({kind}) => kind === 'channel');
	const {numericPredicates, channelPredicates} = exploreLimits;
	yield* beyond(numeric[numericPredicates], `at most ${numericPredicates} numeric comparisons`);
	yield* beyond(channels[channelPredicates], `at most ${channelPredicates} channel comparisons`);
	yield* beyond(tooLong(terms), `at most ${exploreLimits.text} characters, as many as a task may have`);
}

/** The state that a term names: the values of `review:` were checked as it was read. */
const reviewOf = (written: string) => wireWord('review', written) as ReviewState;

function gather(terms: readonly Term[]): Filter {
	const all = (key: KeyName, isNegated = false) => valuesOf(terms, key, isNegated).map(({value}) => value);
	const listOf =
		(isNegated: boolean) =>
		({key, none}: Facet) =>
			all(key, isNegated).map(value => (value === none ? '' : value));
	const not = leftOut(listOf(true), all('review', true).map(reviewOf));
	const one = (key: KeyName) => all(key)[0];
	const whole = (key: KeyName) => (one(key) === undefined ? undefined : Number(one(key)) + 0);
	const texts = terms.flatMap(term => (term.kind === 'text' && term.text !== '' ? [term.text] : []));
	return {
		...facetLists(listOf(false)),
		review: all('review').map(reviewOf)[0],
		index: whole('index'),
		parent: whole('parent'),
		lineage: lineages[one('is') ?? ''],
		descending: one('order') === 'desc',
		numeric: terms.flatMap(term => (term.kind === 'numeric' ? [term.predicate] : [])),
		channels: terms.flatMap(term => (term.kind === 'channel' ? [term.predicate] : [])),
		search: texts.join(' '),
		...(not === undefined ? {} : {not}),
	};
}

/** Reads a filter line: the filter, or everything that is wrong with it, from left to right. */
export function parse(text: string): ParseResult {
	const {terms, problems} = parseTerms(text);
	const [first, ...rest] = [...problems, ...excess(text, terms)].sort((a, b) => a.offset - b.offset);
	return first ? {ok: false, problems: [first, ...rest]} : {ok: true, filter: gather(terms)};
}
