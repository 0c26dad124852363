import type {ChannelPredicate} from '../contract/explore.ts';
import {facets} from '../contract/facets.ts';
import type {NumericPredicate} from '../contract/local-explore.ts';
import {shownWord} from '../contract/spellings.ts';
import type {Filter, LeftOutValues} from './filter.ts';
import {negation} from './keys.ts';
import {parseTerms} from './parse-terms.ts';
import {quote} from './quoting.ts';
import {signOf} from './term.ts';

const bareValue = /^[^\s",\\\p{C}\p{Zl}\p{Zp}]+$/u;
const bareChannel = /^[\p{L}\p{M}\p{N}_.:/-]+$/u;

/** A value as it stands behind its key. */
export const printValue = (value: string): string => (bareValue.test(value) ? value : quote(value));

/** A channel as it stands in parentheses, behind its stream. */
export const printChannelName = (channel: string): string =>
	bareChannel.test(channel) ? channel : quote(channel);

const list = (key: string, values: readonly string[]) =>
	values.length > 0 ? [`${key}:${values.map(printValue).join(',')}`] : [];

const single = (key: string, value: string | number | undefined) =>
	value === undefined ? [] : [`${key}:${value}`];

const printNumeric = ({field, op, value}: NumericPredicate) => `${field}${signOf[op]}${value}`;

function printChannel({stream, channel, agg, op, value}: ChannelPredicate): string {
	return `${agg}(${stream}.${printChannelName(channel)})${signOf[op]}${value}`;
}

/** A search as it stands, unless it would be read as anything else than this very text. */
function printSearch(search: string): readonly string[] {
	if (search === '') return [];
	const {terms, problems} = parseTerms(search);
	const words = terms.flatMap(term => (term.kind === 'text' ? [term.text] : []));
	const same = problems.length === 0 && words.length === terms.length && words.join(' ') === search;
	return [same && !/[\p{C}\p{Zl}\p{Zp}]/u.test(search) ? search : quote(search)];
}

/** The terms of a filter's lists: a facet of which several values mean all of them has a term for each. */
function printLists(lists: LeftOutValues): readonly string[] {
	return facets.flatMap(({key, list: name, none, meansAll}) => {
		const values = (lists[name] ?? []).map(value => (value === '' && none !== undefined ? none : value));
		return meansAll ? values.flatMap(value => list(key, [value])) : list(key, values);
	});
}

/** The one way to write a filter: {@link parse} of it gives the same filter again. */
export function print(filter: Filter): string {
	const {not = {}} = filter;
	return [
		...printLists(filter),
		...single('review', filter.review && shownWord('review', filter.review)),
		...[
			...printLists(not),
			...list(
				'review',
				(not.reviews ?? []).map(state => shownWord('review', state)),
			),
		].map(term => `${negation}${term}`),
		...single('index', filter.index),
		...single('parent', filter.parent),
		...single('is', filter.lineage && (filter.lineage === 'originals' ? 'original' : 'child')),
		...single('order', filter.descending ? 'desc' : undefined),
		...filter.numeric.map(printNumeric),
		...filter.channels.map(printChannel),
		...printSearch(filter.search),
	].join(' ');
}
