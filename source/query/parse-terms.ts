import {readKeyTerm} from './key-term.ts';
import {isKeyName} from './keys.ts';
import {isAggregate, readChannelTerm, readNumericTerm, seesCompared, seesSign} from './predicate-term.ts';
import {type QueryProblem, TermProblem} from './problem.ts';
import {Scanner} from './scanner.ts';
import type {Term} from './term.ts';

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

/** Nobody reads more, and a pasted page of prose may hold thousands. */
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
