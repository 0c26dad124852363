import type {Count} from '../contract/scalars.ts';
import type {Span} from './term.ts';

/** Something that may be meant by what stands at the caret. */
export type Candidate = {
	readonly kind: 'key' | 'field' | 'aggregate' | 'channel' | 'comparison' | 'value';
	/** What is put in the span's place. */
	readonly insert: string;
	/** The term ends with it, so that a space may follow. */
	readonly ends: boolean;
	/** What is shown of it. */
	readonly label: string;
	/** What kind of thing it is, in words. */
	readonly what: string;
	/** How many episodes it would leave, where that is known. */
	readonly count?: Count | undefined;
};

/** What fits at the caret, the likeliest first, and the part of the line that one of them would replace. */
export type Completion = {readonly span: Span; readonly candidates: readonly Candidate[]};
