import {type FacetEntry, facets} from '../contract/facets.ts';
import {shownWord} from '../contract/spellings.ts';
import {reviewStates} from '../contract/vocabulary.ts';

/** A key that stands before a colon, and the values behind it. */
export type Key = {
	/** A noun for one value, for messages: "a task". */
	readonly what: string;
	/** `list`: several values, comma is or. `repeated`: one value, the term may be repeated. `single`: one value, once. */
	readonly takes: 'list' | 'repeated' | 'single';
	/** The only values there are; any text without it. */
	readonly values?: readonly string[];
	/** Other spellings of those. */
	readonly alsoRead?: readonly string[];
	/** A whole number is wanted. */
	readonly wholeNumber?: true;
	/** Values can be left out by `-key:value`: then it takes several. */
	readonly negates?: true;
	/** How many values the service takes. */
	readonly most: number;
};

type FacetKey = FacetEntry['key'];

/** The keys of the facets, whose values can all be left out. */
const facetKeys = Object.fromEntries(
	facets.map(({key, what, meansAll, values, none, most}): [FacetKey, Key] => [
		key,
		{
			what,
			takes: meansAll ? 'repeated' : 'list',
			...(values && {values: none === undefined ? values : [...values, none]}),
			most,
			negates: true,
		},
	]),
) as Record<FacetKey, Key>;

export const keys = {
	...facetKeys,
	review: {
		what: 'a review state',
		takes: 'single',
		values: reviewStates.map(state => shownWord('review', state)),
		alsoRead: reviewStates,
		most: 1,
		negates: true,
	},
	index: {what: 'an episode index', takes: 'single', wholeNumber: true, most: 1},
	parent: {what: "a parent's episode index", takes: 'single', wholeNumber: true, most: 1},
	is: {what: 'a side of the lineage', takes: 'single', values: ['original', 'child'], most: 1},
	order: {what: 'an order', takes: 'single', values: ['asc', 'desc'], most: 1},
} satisfies Record<string, Key>;

export type KeyName = keyof typeof keys;

/** The keys whose values can be left out. */
export const negatingKeys = (Object.keys(keys) as KeyName[]).filter(name => 'negates' in keys[name]);

/** How leaving out is written; `!` is read too. */
export const negation = '-';

export function isKeyName(text: string): text is KeyName {
	return Object.hasOwn(keys, text);
}
