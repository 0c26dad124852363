import fuzzysort from 'fuzzysort';
import {isMetricName, metricNames, metrics, metricWords} from '../contract/metrics.ts';
import type {Count} from '../contract/scalars.ts';
import {type Aggregate, aggregates, type Stream, streams} from '../contract/vocabulary.ts';
import {isKeyName, type Key, type KeyName, keys, negatingKeys} from './keys.ts';
import {isAggregate} from './predicate-term.ts';
import {printChannelName, printValue} from './print.ts';
import {readQuoted} from './quoting.ts';
import {Scanner} from './scanner.ts';
import {type Candidate, type Completion, comparisonSigns, type Span} from './term.ts';

/** A longer list is not scrolled through. */
const most = 200;

/** A longer word was pasted, and is a list of values. */
const longestHead = 20_000;

/** Longer texts resemble nothing. */
const longestTyped = 200;

/** Values are offered for a word alone once it says something. */
const wordFrom = 2;

const signMeanings = {gt: 'above', lt: 'below', gte: 'at least', lte: 'at most'} as const;

const keyCandidates: readonly Candidate[] = Object.entries(keys).map(([name, {what}]) => ({
	kind: 'key',
	insert: `${name}:`,
	ends: false,
	label: `${name}:`,
	what,
}));

const aggregateCandidates: readonly Candidate[] = aggregates.map(agg => ({
	kind: 'aggregate',
	insert: `${agg}(`,
	ends: false,
	label: `${agg}(`,
	what: `${agg} of a channel`,
}));

const fieldCandidates: readonly Candidate[] = metrics.map(metric => ({
	kind: 'field',
	insert: metric.name,
	ends: false,
	label: metric.name,
	what: metricWords(metric),
}));

function comparisonCandidates(typed: string): readonly Candidate[] {
	return comparisonSigns
		.filter(([sign]) => sign.startsWith(typed))
		.map(([sign, op]) => ({
			kind: 'comparison',
			insert: sign,
			ends: false,
			label: sign,
			what: signMeanings[op],
		}));
}

function valueCandidates(
	name: KeyName,
	known: KnownValues,
	taken: ReadonlySet<string>,
): readonly Candidate[] {
	const {values, takes, what}: Key = keys[name];
	const seen = known.values[name] ?? [];
	const counts = new Map(seen.map(({value, count}) => [value, count]));
	const all = values ?? seen.map(({value}) => value);
	return all
		.filter(value => !taken.has(value))
		.map(value => ({
			kind: 'value',
			insert: printValue(value),
			ends: takes !== 'list',
			label: printValue(value),
			what,
			count: counts.get(value),
		}));
}

function channelCandidate({stream, channel, count}: KnownChannel, agg: Aggregate | undefined): Candidate {
	const name = `${stream}.${printChannelName(channel)}`;
	return {
		kind: 'channel',
		insert: agg === undefined ? `${name})` : `${agg}(${name})`,
		ends: false,
		label: agg === undefined ? name : `${agg}(${name})`,
		what: 'a channel',
		count,
	};
}

/** The value of a list that the caret stands in; `at` is where the values begin. */
function valueAt(
	text: string,
	at: number,
	caret: number,
): {span: Span; typed: string; before: readonly string[]} {
	const before: string[] = [];
	let start = at;
	while (start < caret) {
		const quoted = text[start] === '"' ? readQuoted(text, start) : undefined;
		if (quoted?.ok === false) break;
		const bareEnd = /[\s",]/gu;
		bareEnd.lastIndex = start;
		const end = quoted?.end ?? bareEnd.exec(text)?.index ?? text.length;
		if (end >= caret || text[end] !== ',') {
			return {span: {start, end: Math.max(end, caret)}, typed: unquoted(text.slice(start, caret)), before};
		}
		before.push(quoted?.value ?? text.slice(start, end));
		start = end + 1;
	}
	return {span: {start, end: caret}, typed: unquoted(text.slice(start, caret)), before};
}

/** The value that is meant while its closing quote is not typed yet. */
function unquoted(typed: string): string {
	return typed.startsWith('"') ? typed.slice(1).replaceAll(/\\(.)/gu, '$1').replace(/"$/u, '') : typed;
}

function values(text: string, name: KeyName, at: number, caret: number, known: KnownValues): Completion {
	const {span, typed, before} = valueAt(text, at, caret);
	const candidates = ranked(typed, valueCandidates(name, known, new Set(before)), ({label}) => [
		unquoted(label),
	]);
	const isThere = candidates.length === 1 && candidates[0]?.insert === text.slice(span.start, span.end);
	return {span, candidates: isThere ? [] : candidates};
}

function channels(text: string, at: number, caret: number, known: KnownValues): Completion {
	const rest = /[\s()<>=]/gu;
	rest.lastIndex = caret;
	const found = rest.exec(text);
	const closed = found?.[0] === ')' ? found.index + 1 : undefined;
	const span = {start: at, end: closed ?? found?.index ?? text.length};
	const typed = text.slice(at, caret).replaceAll('"', '');
	const items: readonly Candidate[] =
		known.channels.length > 0
			? known.channels.map(channel => channelCandidate(channel, undefined))
			: streams.map(stream => ({
					kind: 'channel',
					insert: `${stream}.`,
					ends: false,
					label: `${stream}.`,
					what: 'a stream',
				}));
	const textsOf = ({label}: Candidate) => {
		const name = label.replaceAll('"', '');
		return [name, name.slice(name.indexOf('.') + 1)];
	};
	return {span, candidates: ranked(typed, items, textsOf)};
}

const negatingCandidates = keyCandidates.filter(({label}) => negatingKeys.some(name => label === `${name}:`));

/**
 * The completions of a word: a key, a figure, or a value of the lake, its key with it. A negated term has a
 * key and values alone.
 */
function words(typed: string, known: KnownValues, isNegated: boolean): readonly Candidate[] {
	const terms = isNegated
		? negatingCandidates
		: [...keyCandidates, ...aggregateCandidates, ...fieldCandidates];
	if (typed === '') return terms;
	const named = ranked(typed, terms, ({label}) => [label]);
	if (typed.length < wordFrom) return named;
	const seen = Object.keys(known.values)
		.filter(isKeyName)
		.filter(name => !isNegated || negatingKeys.includes(name))
		.flatMap(name =>
			valueCandidates(name, known, new Set()).map(candidate => ({
				...candidate,
				insert: `${name}:${candidate.insert}`,
				label: `${name}:${candidate.label}`,
				text: unquoted(candidate.label),
			})),
		);
	const placed = (isNegated ? [] : known.channels).map(channel => ({
		...channelCandidate(channel, 'max'),
		text: channel.channel,
	}));
	const holds = ({text}: {text: string}) => text.toLowerCase().includes(typed.toLowerCase());
	return [
		...named,
		...ranked(typed, [...seen, ...placed].filter(holds), ({text}) => [text]).map(
			({text: _, ...candidate}) => candidate,
		),
	];
}

/** A figure without its comparison, at the end of a text. */
const openFigure = /(?:^|\s)([A-Za-z_]\w*)(\([^()]*\))?\s*$/u;

function endsInFigure(text: string): boolean {
	const [, name = '', channel] = openFigure.exec(text) ?? [];
	return channel === undefined ? isMetricName(name) : isAggregate(name);
}

/**
 * The completions at the caret of a filter line: keys, figures, comparisons, and the values and channels that have been seen
 * of the lake.
 *
 * @param caret in UTF-16 units.
 */
export function complete(text: string, caret: number, known: KnownValues): Completion {
	const word = wordAt(text, caret);
	const head = text.slice(word.start, caret);
	if (head.length > longestHead) return {span: word, candidates: []};
	const {span, candidates} = completeWord(text, word, head, caret, known);
	return {span, candidates: candidates.slice(0, most)};
}

function completeWord(text: string, word: Span, head: string, caret: number, known: KnownValues): Completion {
	const isNegated = /^[-!]/u.test(head);
	const sign = isNegated ? 1 : 0;
	const [, name = '', mark = ''] = /^[-!]?([A-Za-z_]\w*)(:|\()/u.exec(head) ?? [];
	const behind = word.start + sign + name.length + 1;
	if (mark === ':') {
		return isKeyName(name) && (!isNegated || negatingKeys.includes(name))
			? values(text, name, behind, caret, known)
			: {span: word, candidates: []};
	}
	if (mark === '(' && !head.includes(')')) {
		return isAggregate(name) ? channels(text, behind, caret, known) : {span: word, candidates: []};
	}
	const compared = /[<>=]*$/u.exec(head)?.[0] ?? '';
	if (endsInFigure(text.slice(Math.max(0, caret - longestTyped), caret - compared.length))) {
		const next = /[<>=]*/uy;
		next.lastIndex = caret;
		const end = caret + (next.exec(text)?.[0].length ?? 0);
		return {span: {start: caret - compared.length, end}, candidates: comparisonCandidates(compared)};
	}
	const typed = head.slice(sign);
	const isOther = typed.length > longestTyped || /[<>]/u.test(typed) || /^["-]/u.test(typed);
	if (isOther) return {span: word, candidates: []};
	return {span: {...word, start: word.start + sign}, candidates: words(typed, known, isNegated)};
}

/** The line with a candidate in its place, and where the caret stands then. */
export function completed(
	text: string,
	{start, end}: Span,
	{insert, ends}: Candidate,
): {readonly text: string; readonly caret: number} {
	const behind = text.slice(end);
	const put = ends && !/^\s/u.test(behind) ? `${insert} ` : insert;
	const step = ends && put === insert ? 1 : 0;
	return {text: text.slice(0, start) + put + behind, caret: start + put.length + step};
}

/** A name that a comparison may be about: a figure's, or a channel's with its stream. */
export type NameCandidate = {readonly name: string} & Partial<KnownChannel>;

/** The figures, or where something is summed up the channels, that resemble what was typed. */
export function completeName(
	typed: string,
	agg: Aggregate | undefined,
	{channels}: KnownValues,
): readonly NameCandidate[] {
	if (agg === undefined) {
		return ranked(
			typed,
			metricNames.map(name => ({name})),
			({name}) => [name],
		);
	}
	return ranked(
		typed,
		channels.map(channel => ({...channel, name: channel.channel})),
		({name, stream}) => [name, `${stream}.${name}`],
	);
}

/** Longer texts are not searched at each key. */
const longest = 500;

/** Below this a likeness is an accident. */
const least = 0.4;

function likeness(typed: string, text: string): number {
	const at = text.toLowerCase().indexOf(typed.toLowerCase());
	const score = fuzzysort.single(typed, text.slice(0, longest))?.score ?? 0;
	// A prefix goes before a substring, and that before a match of letters alone.
	return score + (at === 0 ? 2 : at > 0 ? 1 : 0);
}

/**
 * Those that resemble what was typed, likest first; equals stay in the order that they had, and nothing typed leaves
 * all of them as they are.
 *
 * @param textsOf what of each is compared; the likest counts.
 */
function ranked<Item>(
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

/** A value to filter by, and how many episodes would be left. */
export type KnownValue = {readonly value: string; readonly count?: Count | undefined};

export type KnownChannel = {
	readonly stream: Stream;
	readonly channel: string;
	readonly count?: Count | undefined;
};

/** The values seen of a lake, to be suggested while a filter is typed. */
export type KnownValues = {
	/** The most common first. */
	readonly values: Readonly<Partial<Record<KeyName, readonly KnownValue[]>>>;
	readonly channels: readonly KnownChannel[];
};

/**
 * The word of a filter line that the caret stands in or at the end of: from one space outside quotes to the next. An
 * empty one at the caret where there is none. An unclosed quote reaches to the end of the line.
 */
export function wordAt(text: string, caret: number): Span {
	const scanner = new Scanner(text);
	for (scanner.skipSpace(); !scanner.ended; scanner.skipSpace()) {
		const start = scanner.at;
		if (caret < start) break;
		scanner.skipWord(start);
		if (caret <= scanner.at) return {start, end: scanner.at};
	}
	return {start: caret, end: caret};
}
