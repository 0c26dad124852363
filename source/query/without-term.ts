import {facets} from '../contract/facets.ts';
import type {Figure} from '../contract/local-distribution.ts';
import {type Filter, type LeftOutValues, noFilter} from './filter.ts';
import {print} from './print.ts';

/** A term of a filter, and the filter without it. */
export type LeftOut = {
	/** The term as it stands in the line. */
	readonly text: string;
	readonly rest: Filter;
	/** The figure that it compares, if it is a comparison. */
	readonly of: Figure | undefined;
};

function without<Item>(items: readonly Item[], place: number): readonly Item[] {
	return items.filter((_, other) => other !== place);
}

/** The lists of which any value will do: what stands further down in the facets pane more often leaves nothing. */
const listsByLikelihood = facets
	.filter(({meansAll}) => !meansAll)
	.toSorted((a, b) => Number(a.isFolded ?? false) - Number(b.isFolded ?? false) || b.place - a.place)
	.map(({list}) => list);

/** A filter without each of its terms in turn, those first that most often leave nothing. */
export function withoutEachTerm(filter: Filter): readonly LeftOut[] {
	const left = (change: Partial<Filter>, term: Partial<Filter>, of?: Figure): LeftOut => ({
		text: print({...noFilter, ...term}),
		rest: {...filter, ...change},
		of,
	});
	const lists = listsByLikelihood
		.filter(list => filter[list].length > 0)
		.map(list => left({[list]: []}, {[list]: filter[list]}));
	const singles = (['index', 'parent', 'lineage', 'review'] as const)
		.filter(single => filter[single] !== undefined)
		.map(single => left({[single]: undefined}, {[single]: filter[single]}));
	const {not = {}} = filter;
	const negated = (Object.keys(not) as (keyof LeftOutValues)[]).map(list => {
		const {[list]: only, ...others} = not;
		const rest = Object.keys(others).length > 0 ? others : undefined;
		return left({not: rest}, {not: {[list]: only}});
	});
	return [
		...filter.channels.map((predicate, place) => {
			const {op: _op, value: _value, ...of} = predicate;
			return left({channels: without(filter.channels, place)}, {channels: [predicate]}, of);
		}),
		...filter.numeric.map((predicate, place) =>
			left({numeric: without(filter.numeric, place)}, {numeric: [predicate]}, {field: predicate.field}),
		),
		...(filter.search === '' ? [] : [left({search: ''}, {search: filter.search})]),
		...filter.tags.map((tag, place) => left({tags: without(filter.tags, place)}, {tags: [tag]})),
		...singles,
		...lists,
		...negated,
	];
}
