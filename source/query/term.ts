import type {ChannelPredicate, NumericPredicate} from '../contract/explore.ts';
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
