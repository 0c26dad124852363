import {exploreLimits} from '../contract/limits.ts';
import {reviewStates, tiers} from '../contract/vocabulary.ts';

/** What may stand before a colon, and what may stand behind it. */
export type Key = {
	/** What one value is, for messages: "a task". */
	readonly what: string;
	/** `list`: several values, comma is or. `repeated`: one value, the term may be repeated. `single`: one value, once. */
	readonly takes: 'list' | 'repeated' | 'single';
	/** The only values there are; any text without it. */
	readonly values?: readonly string[];
	/** A whole number is wanted. */
	readonly wholeNumber?: true;
	/** Values can be left out by `-key:value`: then it takes several. */
	readonly negates?: true;
	/** How many values the service takes. */
	readonly most: number;
};

/** How the empty tier is written. */
export const noTier = 'none';

export const keys = {
	tier: {
		what: 'a tier',
		takes: 'list',
		values: [...tiers, noTier],
		most: exploreLimits.facetValues,
		negates: true,
	},
	task: {what: 'a task', takes: 'list', most: exploreLimits.facetValues, negates: true},
	interface: {what: 'an embodiment', takes: 'list', most: exploreLimits.facetValues, negates: true},
	marker: {what: 'a marker signature', takes: 'list', most: exploreLimits.facetValues, negates: true},
	dataset: {what: "a dataset's name or id", takes: 'list', most: exploreLimits.datasetIds, negates: true},
	tag: {what: 'a tag', takes: 'repeated', most: exploreLimits.facetValues, negates: true},
	review: {what: 'a review state', takes: 'single', values: reviewStates, most: 1, negates: true},
	index: {what: 'an episode index', takes: 'single', wholeNumber: true, most: 1},
	parent: {what: "a parent's episode index", takes: 'single', wholeNumber: true, most: 1},
	is: {what: 'a side of the lineage', takes: 'single', values: ['original', 'child'], most: 1},
	order: {what: 'an order', takes: 'single', values: ['asc', 'desc'], most: 1},
} as const satisfies Record<string, Key>;

export type KeyName = keyof typeof keys;

/** The keys whose values can be left out. */
export const negatingKeys = (Object.keys(keys) as KeyName[]).filter(name => 'negates' in keys[name]);

/** How leaving out is written; `!` is read too. */
export const negation = '-';

export function isKeyName(text: string): text is KeyName {
	return Object.hasOwn(keys, text);
}
