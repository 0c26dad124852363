import {exploreLimits} from '../contract/limits.ts';
import {type Tier, tiers} from '../contract/vocabulary.ts';
import type {Filter, LeftOutValues} from '../query/filter.ts';
import type {FacetId} from './explorer-state.ts';

/** The values of a facet that the filter lets through; none means all. */
export function pickedValues(filter: Filter, facet: FacetId): readonly string[] {
	switch (facet) {
		case 'tag':
			return filter.tags;
		case 'task':
			return filter.tasks;
		case 'tier':
			return filter.tiers;
		case 'interface':
			return filter.interfaces;
		case 'marker':
			return filter.markers;
	}
}

/** Whether a request can ask for a value: tiers are a closed list there, though answers may hold others. */
export function canBePicked(facet: FacetId, value: string): boolean {
	return facet !== 'tier' || value === '' || (tiers as readonly string[]).includes(value);
}

const lists = {
	tag: 'tags',
	task: 'tasks',
	tier: 'tiers',
	interface: 'interfaces',
	marker: 'markers',
} as const satisfies Record<FacetId, keyof LeftOutValues>;

/** The filter without leaving these values of a facet out. */
function letIn(filter: Filter, facet: FacetId, values: readonly string[]): Filter {
	const {[lists[facet]]: out = [], ...others} = filter.not ?? {};
	const stays = (out as readonly string[]).filter(value => !values.includes(value));
	if (stays.length === out.length) return filter;
	const not = stays.length > 0 ? {...others, [lists[facet]]: stays} : others;
	return {...filter, not: Object.keys(not).length > 0 ? not : undefined};
}

/** The filter with exactly these values of a facet; what cannot be asked for is left out, as is what is too much. */
export function withPicked(before: Filter, facet: FacetId, values: readonly string[]): Filter {
	const filter = letIn(before, facet, values);
	const picked = values.filter(value => canBePicked(facet, value)).slice(0, exploreLimits.facetValues);
	switch (facet) {
		case 'tag':
			return {...filter, tags: picked};
		case 'task':
			return {...filter, tasks: picked};
		case 'tier':
			return {...filter, tiers: picked as (Tier | '')[]};
		case 'interface':
			return {...filter, interfaces: picked};
		case 'marker':
			return {...filter, markers: picked};
	}
}

/** Picks a value of a facet besides those picked, or lets it go. */
export function togglePicked(filter: Filter, facet: FacetId, value: string): Filter {
	const picked = pickedValues(filter, facet);
	const next = picked.includes(value) ? picked.filter(other => other !== value) : [...picked, value];
	return withPicked(filter, facet, next);
}

/** Picks this value alone; where it already is alone, lets it go. */
export function pickOnly(filter: Filter, facet: FacetId, value: string): Filter {
	const picked = pickedValues(filter, facet);
	return withPicked(filter, facet, picked.length === 1 && picked[0] === value ? [] : [value]);
}
