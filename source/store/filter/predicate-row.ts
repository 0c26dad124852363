import type {ChannelPredicate} from '../../contract/explore.ts';
import {exploreLimits} from '../../contract/limits.ts';
import type {Figure} from '../../contract/local-distribution.ts';
import type {NumericPredicate} from '../../contract/local-explore.ts';
import {isMetricName, metricNames} from '../../contract/metrics.ts';
import type {Aggregate, Comparison, Stream} from '../../contract/vocabulary.ts';
import type {Filter} from '../../query/filter.ts';
import {didYouMean} from '../../query/nearest.ts';
import {plainNumberHint} from '../../query/plain-number.ts';
import {numberOf} from '../../query/predicate-term.ts';
import type {Transition} from '../state/user-state.ts';

/** A comparison of the filter as a form has it: a figure, or a channel summed up; perhaps unfinished, perhaps off. */
export type PredicateRow = {
	/** How the channel is summed up; without one the row is about a figure of the episode itself. */
	readonly agg: Aggregate | undefined;
	/** Of the channel; it has no say for a figure. */
	readonly stream: Stream;
	/** The figure's or the channel's. */
	readonly name: string;
	readonly op: Comparison;
	/** As it was typed. */
	readonly value: string;
	/** Switched off, a row is kept and not applied. */
	readonly isOn: boolean;
};

/** The part of the explorer's state that belongs to the predicate form. */
export type PredicateRowsState = {
	/** Rows of the predicate form that the filter does not hold: switched off, or unfinished. */
	readonly keptRows: readonly PredicateRow[];
};

/** Keeps the rows of the predicate form that the filter does not hold. */
export function rowsKept(keptRows: readonly PredicateRow[]): Transition<PredicateRowsState> {
	return state => ({...state, keptRows});
}

type Predicate = NumericPredicate | ChannelPredicate;

export const newRow: PredicateRow = {
	agg: undefined,
	stream: 'action',
	name: '',
	op: 'gte',
	value: '',
	isOn: true,
};

function rowOf(predicate: Predicate): PredicateRow {
	const {op} = predicate;
	const value = String(predicate.value);
	if ('field' in predicate) return {...newRow, name: predicate.field, op, value};
	const {agg, stream, channel} = predicate;
	return {agg, stream, name: channel, op, value, isOn: true};
}

/** The rows of a filter, and behind them those that were kept beside it. */
export function rowsOf(filter: Filter, kept: readonly PredicateRow[]): readonly PredicateRow[] {
	return [...filter.numeric.map(rowOf), ...filter.channels.map(rowOf), ...kept];
}

function predicateOf({agg, stream, name, op, value}: PredicateRow): Predicate | undefined {
	const number = numberOf(value);
	if (number === undefined || name === '') return undefined;
	if (agg !== undefined) return {stream, channel: name, agg, op, value: number};
	return isMetricName(name) ? {field: name, op, value: number} : undefined;
}

/** The subject of a row; undefined while it names nothing. */
export function figureOfRow({agg, stream, name}: PredicateRow): Figure | undefined {
	if (agg !== undefined) return name === '' ? undefined : {stream, channel: name, agg};
	return isMetricName(name) ? {field: name} : undefined;
}

/** A sentence about a part of a row that is missing or wrong; undefined if the row can be applied. */
export function rowProblem({agg, name, value}: PredicateRow): string | undefined {
	if (name === '') return agg === undefined ? 'Which figure?' : 'Which channel?';
	if (agg === undefined && !isMetricName(name)) {
		return `${name} is not a numeric field${didYouMean(name, metricNames) ?? '.'}`;
	}
	if (value === '') return 'Compared to which number?';
	if (numberOf(value) !== undefined) return undefined;
	const hint = plainNumberHint(value.trim(), agg === undefined ? name : undefined);
	return `${value} is not a number such as 0.8${hint === undefined ? '' : ` (${hint})`}.`;
}

/** The filter with what the rows say, the rows that it does not hold, and why where they were to be applied. */
type Applied = {
	readonly filter: Filter;
	readonly kept: readonly PredicateRow[];
	readonly problems: ReadonlyMap<PredicateRow, string>;
};

/** Applies the rows that are on and finished; a service takes so many of a kind, and what is beyond waits. */
export function applied(filter: Filter, rows: readonly PredicateRow[]): Applied {
	const numeric: NumericPredicate[] = [];
	const channels: ChannelPredicate[] = [];
	const kept: PredicateRow[] = [];
	const problems = new Map<PredicateRow, string>();
	for (const row of rows) {
		const predicate = row.isOn ? predicateOf(row) : undefined;
		const isNumeric = predicate !== undefined && 'field' in predicate;
		const {numericPredicates, channelPredicates} = exploreLimits;
		const isFull = isNumeric ? numeric.length >= numericPredicates : channels.length >= channelPredicates;
		if (predicate === undefined || isFull) {
			kept.push(row);
			const most = isNumeric ? numericPredicates : channelPredicates;
			const problem =
				predicate === undefined ? rowProblem(row) : `At most ${most} of a kind: switch one off.`;
			if (row.isOn && problem !== undefined) problems.set(row, problem);
		} else if ('field' in predicate) numeric.push(predicate);
		else channels.push(predicate);
	}
	return {filter: {...filter, numeric, channels}, kept, problems};
}
