import {exploreLimits} from '../contract/limits.ts';
import type {Lineage, ReviewState, Tier} from '../contract/vocabulary.ts';
import {type Filter, type LeftOutValues, noFilter} from './filter.ts';
import {type KeyName, keys, negation, noTier} from './keys.ts';
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

/** What the service would refuse although every term is well formed. */
function* excess(text: string, terms: readonly Term[]): Generator<QueryProblem> {
	const beyond = (span: Span | undefined, expected: string) =>
		span ? [describeProblem(text, span, {expected})] : [];
	for (const [name, {takes, most}] of Object.entries(keys) as [KeyName, (typeof keys)[KeyName]][]) {
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

const tierOf = (tier: string) => (tier === noTier ? '' : (tier as Tier));

function leftOut(terms: readonly Term[]): LeftOutValues | undefined {
	const all = (key: KeyName) => valuesOf(terms, key, true).map(({value}) => value);
	const lists = {
		tasks: all('task'),
		tiers: all('tier').map(tierOf),
		interfaces: all('interface'),
		markers: all('marker'),
		datasets: all('dataset'),
		tags: all('tag'),
		reviews: all('review') as ReviewState[],
	};
	const said = Object.entries(lists).filter(([, values]) => values.length > 0);
	return said.length > 0 ? Object.fromEntries(said) : undefined;
}

function gather(terms: readonly Term[]): Filter {
	const not = leftOut(terms);
	const all = (key: KeyName) => valuesOf(terms, key).map(({value}) => value);
	const one = (key: KeyName) => all(key)[0];
	const whole = (key: KeyName) => (one(key) === undefined ? undefined : Number(one(key)) + 0);
	const texts = terms.flatMap(term => (term.kind === 'text' && term.text !== '' ? [term.text] : []));
	return {
		...noFilter,
		tasks: all('task'),
		tiers: all('tier').map(tierOf),
		interfaces: all('interface'),
		markers: all('marker'),
		datasets: all('dataset'),
		tags: all('tag'),
		review: one('review') as ReviewState | undefined,
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
