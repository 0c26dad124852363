import {maxSignedIndex, smallInteger} from '../contract/scalars.ts';
import {isKeyName, type Key, type KeyName, keys, negatingKeys, negation} from './keys.ts';
import {nearest} from './nearest.ts';
import {isAggregate, readChannelTerm, readNumericTerm, seesCompared, seesSign} from './predicate-term.ts';
import {type QueryProblem, TermProblem} from './problem.ts';
import {quote} from './quoting.ts';
import {Scanner} from './scanner.ts';
import type {PlacedValue, Term} from './term.ts';

const identifier = /[A-Za-z_]\w*/y;
const bareWord = /[^\s"]+/uy;

function readText(scanner: Scanner, start: number): Term {
	scanner.at = start;
	const quoted = scanner.sees('"');
	const text = quoted ? scanner.takeQuoted() : (scanner.take(bareWord) ?? '');
	if (!scanner.atBoundary) {
		scanner.fail(scanner.at, scanner.wordEnd(scanner.at), {
			expected: 'a space',
			hint: quoted
				? 'the closing quote ends the text'
				: 'put a text with quotes in it in quotes, each as \\"',
		});
	}
	return {kind: 'text', text, start, end: scanner.at};
}

/** Reads the term at the scanner's place, which is no space. */
function readTerm(scanner: Scanner): Term {
	const start = scanner.at;
	if (seesSign(scanner)) {
		scanner.take(/[<>=!]+/y);
		scanner.fail(start, scanner.at, {
			expected: 'a numeric field or agg(stream.channel) before it',
			hint: 'to search for it as text, put it in quotes',
		});
	}
	const isNegated = scanner.take(/[-!]/y) !== undefined;
	const head = scanner.take(identifier);
	if (head === undefined) return readText(scanner, start);
	if (scanner.takeText(':')) return readKeyTerm(scanner, start, head, isNegated);
	if (scanner.sees('(')) {
		return isAggregate(head) || seesCompared(scanner)
			? turned(readChannelTerm(scanner, start, head), isNegated)
			: readText(scanner, start);
	}
	scanner.skipSpace();
	if (!seesSign(scanner)) return readText(scanner, start);
	if (isKeyName(head)) {
		scanner.take(/[<>=!]+/y);
		scanner.fail(start, scanner.at, {expected: `${head}: and a value`});
	}
	return turned(readNumericTerm(scanner, start, head), isNegated);
}

const opposites = {gt: 'lte', lte: 'gt', lt: 'gte', gte: 'lt'} as const;

/** A comparison that is left out is the opposite one: an episode that has no such figure passes neither. */
function turned(term: Term, isNegated: boolean): Term {
	if (!isNegated) return term;
	if (term.kind === 'numeric') {
		return {...term, predicate: {...term.predicate, op: opposites[term.predicate.op]}};
	}
	if (term.kind !== 'channel') return term;
	return {...term, predicate: {...term.predicate, op: opposites[term.predicate.op]}};
}

/** More are not read, and a pasted page of prose may hold thousands. */
const mostProblems = 20;

/** The terms of a filter line in their order, and the first of what could not be read. */
export function parseTerms(text: string): {
	readonly terms: readonly Term[];
	readonly problems: readonly QueryProblem[];
} {
	const scanner = new Scanner(text);
	const terms: Term[] = [];
	const problems: QueryProblem[] = [];
	for (scanner.skipSpace(); !scanner.ended && problems.length < mostProblems; scanner.skipSpace()) {
		const start = scanner.at;
		try {
			terms.push(readTerm(scanner));
		} catch (error) {
			if (!(error instanceof TermProblem)) throw error;
			problems.push(error.problem);
			scanner.skipWord(Math.max(start, error.problem.offset));
			if (scanner.at === start) scanner.at = scanner.text.length;
		}
	}
	return {terms, problems};
}

const bareValue = /[^\s",]+/uy;
const wholeNumber = smallInteger(maxSignedIndex);

function readValue(scanner: Scanner, key: Key): PlacedValue {
	const start = scanner.at;
	const quoted = scanner.sees('"');
	const value = quoted ? scanner.takeQuoted() : scanner.take(bareValue);
	if (value === undefined) {
		scanner.fail(start, Math.min(start + 1, scanner.text.length), {
			expected: key.what,
			fits: key.values ?? [],
		});
	}
	if (!scanner.atBoundary && !scanner.sees(',')) {
		scanner.fail(scanner.at, scanner.wordEnd(scanner.at), {
			expected: 'a comma or a space',
			hint: quoted ? 'the closing quote ends the value' : 'put the whole value in quotes',
		});
	}
	return {value, start, end: scanner.at};
}

function checkValue(
	scanner: Scanner,
	{values, alsoRead = [], wholeNumber: whole, what}: Key,
	{value, start, end}: PlacedValue,
): void {
	if (values && !values.includes(value) && !alsoRead.includes(value)) {
		scanner.fail(start, end, {expected: what, fits: values});
	}
	if (whole && !(/^-?\d+$/.test(value) && wholeNumber.safeParse(Number(value)).success)) {
		scanner.fail(start, end, {expected: `${what}, a whole number up to ${maxSignedIndex}`});
	}
}

/** Reads the values behind `key:`; the scanner stands behind the colon. */
function readValues(scanner: Scanner, name: KeyName, isNegated: boolean): PlacedValue[] {
	const key: Key = keys[name];
	const takesOne = key.takes === 'repeated' || (key.takes === 'single' && !isNegated);
	const values: PlacedValue[] = [];
	do {
		const value = readValue(scanner, key);
		checkValue(scanner, key, value);
		values.push(value);
		if (takesOne && scanner.sees(',')) {
			scanner.fail(scanner.at, scanner.wordEnd(scanner.at), {
				expected: `${key.what} alone`,
				hint:
					key.takes === 'repeated'
						? `repeat ${name}: for another, or quote a value with a comma in it`
						: `${name}: takes one value`,
			});
		}
	} while (scanner.takeText(','));
	return values;
}

/** The text to write instead of leaving out a value of a key that has no more than two. */
const keyTermOpposites: Readonly<Record<string, string>> = {
	'is:original': 'is:child',
	'is:child': 'is:original',
	'order:asc': 'order:desc',
	'order:desc': 'order:asc',
};

function refuseNegation(scanner: Scanner, start: number, head: string): never {
	const opposite = keyTermOpposites[`${head}:${scanner.text.slice(scanner.at, scanner.wordEnd(scanner.at))}`];
	scanner.fail(start, opposite === undefined ? scanner.at : scanner.wordEnd(start), {
		expected: 'a key whose values can be left out',
		fits: opposite === undefined ? negatingKeys.map(key => `${negation}${key}:`) : [opposite],
	});
}

/**
 * Reads `key:value[,value]`; the scanner stands behind the colon, `head` is what stands before it, behind the sign of a
 * term that leaves out.
 */
function readKeyTerm(scanner: Scanner, start: number, head: string, isNegated: boolean): Term {
	const sign = isNegated ? negation : '';
	if (!isKeyName(head)) {
		const like = nearest(head, isNegated ? negatingKeys : Object.keys(keys));
		scanner.fail(start, scanner.at, {
			expected: 'a key',
			fits: (like.length > 0 ? like : isNegated ? negatingKeys : Object.keys(keys)).map(
				key => `${sign}${key}:`,
			),
			isGuess: like.length > 0,
			hint: `to search for it as text, write ${quote(scanner.text.slice(start, scanner.wordEnd(start)))}`,
		});
	}
	if (isNegated && !negatingKeys.includes(head)) refuseNegation(scanner, start, head);
	const values = readValues(scanner, head, isNegated);
	return {kind: 'values', key: head, values, isNegated, start, end: scanner.at};
}
