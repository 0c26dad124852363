import type {ChannelPredicate} from '../contract/explore.ts';
import type {NumericPredicate} from '../contract/local-explore.ts';
import type {Count} from '../contract/scalars.ts';
import type {Comparison} from '../contract/vocabulary.ts';
import type {KeyName} from './keys.ts';

/** Where something stands in the line, in UTF-16 units, the end exclusive. */
export type Span = {readonly start: number; readonly end: number};

export type PlacedValue = Span & {readonly value: string};

/** One word of a filter line, and where it stands. */
export type Term = Span &
	(
		| {
				readonly kind: 'values';
				readonly key: KeyName;
				readonly values: readonly PlacedValue[];
				/** Episodes with one of the values are left out. */
				readonly isNegated: boolean;
		  }
		| {readonly kind: 'numeric'; readonly predicate: NumericPredicate}
		| {readonly kind: 'channel'; readonly predicate: ChannelPredicate}
		| {readonly kind: 'text'; readonly text: string}
	);

/** Something that may be meant by what stands at the caret. */
export type Candidate = {
	readonly kind: 'key' | 'field' | 'aggregate' | 'channel' | 'comparison' | 'value';
	/** The text that replaces the span. */
	readonly insert: string;
	/** The term ends with it, so that a space may follow. */
	readonly ends: boolean;
	/** The text to show. */
	readonly label: string;
	/** Its kind, in words. */
	readonly what: string;
	/** How many episodes it would leave, where that is known. */
	readonly count?: Count | undefined;
};

/** The completions at the caret, the likeliest first, and the part of the line that one of them would replace. */
export type Completion = {readonly span: Span; readonly candidates: readonly Candidate[]};

/** How each comparison is written; the longer signs first, as they are looked for in this order. */
export const comparisonSigns = [
	['>=', 'gte'],
	['<=', 'lte'],
	['>', 'gt'],
	['<', 'lt'],
] as const satisfies readonly (readonly [string, Comparison])[];

export const signOf: Readonly<Record<Comparison, string>> = {gt: '>', lt: '<', gte: '>=', lte: '<='};
