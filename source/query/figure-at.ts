import type {Figure} from '../contract/local-distribution.ts';
import {isMetricName} from '../contract/metrics.ts';
import type {Comparison} from '../contract/vocabulary.ts';
import {wordAt} from './complete.ts';
import type {Filter} from './filter.ts';
import {parse} from './parse.ts';
import {parseTerms} from './parse-terms.ts';

/** The figure that the caret stands at, and the threshold that is set to it. */
export type FigureAt = {
	readonly of: Figure;
	readonly threshold: {readonly op: Comparison; readonly value: number} | undefined;
	/** The rest of the line as a filter: the figure is looked at without its own threshold. */
	readonly rest: Filter;
};

/** A longer line is a list of names, and reading it thrice a key would be felt. */
const longestLine = 20_000;

/** A figure with what may be typed of its comparison, at the end of a text. */
const openFigure = /(?:^|\s)([A-Za-z_]\w*)(?:\s*[<>]=?\s*[+-]?[\d.]*|\s*)$/u;

/** The figure of the term that the caret stands in; undefined elsewhere, and while the rest cannot be read. */
export function figureAt(text: string, caret: number): FigureAt | undefined {
	if (text.length > longestLine) return undefined;
	const term = parseTerms(text).terms.find(({start, end}) => start <= caret && caret <= end);
	if (term?.kind === 'numeric' || term?.kind === 'channel') {
		const {op, value, ...of} = term.predicate;
		const rest = parse(text.slice(0, term.start) + text.slice(term.end));
		return rest.ok ? {of, threshold: {op, value}, rest: rest.filter} : undefined;
	}
	const open = openFigure.exec(text.slice(0, caret));
	const name = open?.[1] ?? '';
	if (open === null || !isMetricName(name)) return undefined;
	const rest = parse(`${text.slice(0, open.index)} ${text.slice(wordAt(text, caret).end)}`);
	return rest.ok ? {of: {field: name}, threshold: undefined, rest: rest.filter} : undefined;
}
