import type {ChannelPredicate, NumericPredicate} from '../contract/explore.ts';
import type {Filter, LeftOutValues} from './filter.ts';
import {negation, noTier} from './keys.ts';
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

/** Tags stand by themselves also here: each term of a key that may be repeated has one value. */
function printLeftOut(not: LeftOutValues): readonly string[] {
	const lists = [
		...list(
			'tier',
			(not.tiers ?? []).map(tier => tier || noTier),
		),
		...list('task', not.tasks ?? []),
		...list('interface', not.interfaces ?? []),
		...list('marker', not.markers ?? []),
		...list('dataset', not.datasets ?? []),
		...(not.tags ?? []).map(tag => `tag:${printValue(tag)}`),
		...list('review', not.reviews ?? []),
	];
	return lists.map(term => `${negation}${term}`);
}

/** The one way to write a filter: {@link parse} of it gives the same filter again. */
export function print(filter: Filter): string {
	return [
		...list(
			'tier',
			filter.tiers.map(tier => tier || noTier),
		),
		...list('task', filter.tasks),
		...list('interface', filter.interfaces),
		...list('marker', filter.markers),
		...list('dataset', filter.datasets),
		...filter.tags.map(tag => `tag:${printValue(tag)}`),
		...single('review', filter.review),
		...printLeftOut(filter.not ?? {}),
		...single('index', filter.index),
		...single('parent', filter.parent),
		...single('is', filter.lineage && (filter.lineage === 'originals' ? 'original' : 'child')),
		...single('order', filter.descending ? 'desc' : undefined),
		...filter.numeric.map(printNumeric),
		...filter.channels.map(printChannel),
		...printSearch(filter.search),
	].join(' ');
}
