import {isMetricName, type MetricName, metricNames} from '../contract/metrics.ts';
import {type Aggregate, aggregates, type Comparison, type Stream, streams} from '../contract/vocabulary.ts';
import {nearest} from './nearest.ts';
import {plainNumberHint} from './plain-number.ts';
import {quote} from './quoting.ts';
import type {Scanner} from './scanner.ts';
import {comparisonSigns, type Term} from './term.ts';

/** Anything that may be meant as a comparison. */
const anySign = /[<>=!]=?|<>/uy;
const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/uy;
const bareChannel = /[^\s"()<>=,]+/uy;

/** True if a comparison, or what is meant as one, is at the scanner's position. */
export function seesSign({text, at}: Scanner): boolean {
	return /^(?:[<>]|[=!]=|=)/.test(text.slice(at, at + 2));
}

function readComparison(scanner: Scanner): Comparison {
	scanner.skipSpace();
	const start = scanner.at;
	const taken = scanner.take(anySign);
	const op = comparisonSigns.find(([sign]) => sign === taken)?.[1];
	if (op === undefined) {
		const end = taken === undefined ? scanner.wordEnd(start) : scanner.at;
		scanner.fail(start, end, {expected: 'a comparison', fits: comparisonSigns.map(([sign]) => sign)});
	}
	return op;
}

/** The number that a text is, in the language's writing of numbers; undefined where it is none, or too large. */
export function numberOf(text: string): number | undefined {
	const trimmed = text.trim();
	number.lastIndex = 0;
	if (number.exec(trimmed)?.[0] !== trimmed) return undefined;
	// Minus zero is zero: it compares alike and prints as such.
	return Number.isFinite(Number(trimmed)) ? Number(trimmed) + 0 : undefined;
}

/** @param field what the number is compared with; undefined for a channel */
function readNumber(scanner: Scanner, field: MetricName | undefined): number {
	scanner.skipSpace();
	const start = scanner.at;
	const literal = scanner.take(number);
	if (literal === undefined || !scanner.atBoundary) {
		const end = scanner.wordEnd(start);
		const hint = plainNumberHint(scanner.text.slice(start, end), field);
		scanner.fail(start, end, {expected: 'a number such as 0.8', ...(hint && {hint})});
	}
	const value = numberOf(literal);
	if (value === undefined) scanner.fail(start, scanner.at, {expected: 'a number that is not as large'});
	return value;
}

/** Reads `field op number`; the scanner stands behind the field, `head`. */
export function readNumericTerm(scanner: Scanner, start: number, head: string): Term {
	if (!isMetricName(head)) {
		const like = nearest(head, metricNames);
		const at = scanner.text.indexOf(head, start);
		scanner.fail(at, at + head.length, {
			expected: like.length > 0 ? 'a numeric field' : 'a numeric field such as duration_s or quality_score',
			fits: like,
			isGuess: like.length > 0,
			hint: `to search for it as text, write ${quote(scanner.text.slice(start, scanner.wordEnd(start)))}`,
		});
	}
	const op = readComparison(scanner);
	const value = readNumber(scanner, head);
	return {kind: 'numeric', predicate: {field: head, op, value}, start, end: scanner.at};
}

function readStream(scanner: Scanner): Stream {
	for (const stream of streams) if (scanner.takeText(`${stream}.`)) return stream;
	return 'action';
}

function readChannel(scanner: Scanner): {stream: Stream; channel: string} {
	scanner.skipSpace();
	const stream = readStream(scanner);
	const start = scanner.at;
	const channel = scanner.sees('"') ? scanner.takeQuoted() : scanner.take(bareChannel);
	if (!channel) {
		scanner.fail(start, Math.max(scanner.at, Math.min(start + 1, scanner.text.length)), {
			expected: 'a channel',
			hint: 'as in max(action.gripper.pos), special characters in quotes',
		});
	}
	scanner.skipSpace();
	if (!scanner.takeText(')')) {
		scanner.fail(scanner.at, Math.min(scanner.at + 1, scanner.text.length), {
			expected: 'a closing parenthesis',
			hint: 'special characters in a channel go in quotes',
		});
	}
	return {stream, channel};
}

export const isAggregate = (text: string): text is Aggregate =>
	(aggregates as readonly string[]).includes(text);

/** True if the text from `(` on reads like `(…) op`, as an unknown aggregate's would. */
export function seesCompared({text, at}: Scanner): boolean {
	return /^\([^()\s]*\)\s*[<>=]/u.test(text.slice(at));
}

/** Reads `agg(stream.channel) op number`; the scanner stands at the parenthesis behind `head`. */
export function readChannelTerm(scanner: Scanner, start: number, head: string): Term {
	if (!isAggregate(head)) {
		const at = scanner.text.indexOf(head, start);
		scanner.fail(at, at + head.length, {expected: 'an aggregate', fits: aggregates});
	}
	scanner.takeText('(');
	const {stream, channel} = readChannel(scanner);
	const op = readComparison(scanner);
	const value = readNumber(scanner, undefined);
	return {kind: 'channel', predicate: {stream, channel, agg: head, op, value}, start, end: scanner.at};
}
