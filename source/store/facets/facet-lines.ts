import type {FacetCount, LakeFacets} from '../../contract/explore.ts';
import {type FacetId, facetOf} from '../../contract/facets.ts';
import {type CountedFacet, countsOf, suspectTags} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import type {UserState} from '../state/user-state.ts';
import {type FacetLine, type FacetsState, facetIds, type KeptFacets} from './facets-state.ts';

export type FacetTitle = FacetLine & {readonly kind: 'title'};

type ShownFacet = CountedFacet & {readonly facet: FacetId};

type View = Pick<UserState, 'filter' | 'sort'> & Omit<FacetsState, 'facetCursor' | 'facetsOffset'>;

const ofSuspects: ReadonlySet<string> = new Set(suspectTags);

/**
 * The facets of an answer, those that the service left out apart. Where an order looks for the worst, tags come first, and
 * of these the ones that say what is suspect.
 */
function facetsOf(counted: LakeFacets, {sort}: Pick<View, 'sort'>): readonly ShownFacet[] {
	const isSuspect = ({value}: FacetCount) => ofSuspects.has(value);
	const order =
		sort === undefined ? facetIds : (['tag', ...facetIds.filter(id => id !== 'tag')] satisfies FacetId[]);
	return order.flatMap(facet => {
		const known = countsOf(facetOf(facet), counted);
		if (known === undefined) return [];
		if (sort === undefined || facet !== 'tag') return [{facet, ...known}];
		// Every episode may have its operator's tag: what is wrong with a few of them would be cut off below.
		const worstFirst = [...known.values.filter(isSuspect), ...known.values.filter(tag => !isSuspect(tag))];
		return [{facet, ...known, values: worstFirst}];
	});
}

/**
 * The lines of the facets pane. Where they are more than `height`, every facet lists as many values as its fair share
 * of the room, and a line that says how many more there are.
 */
export function facetLines(facets: LakeFacets, view: View, height: number): readonly FacetLine[] {
	const sections = facetsOf(facets, view).map(facet => section(facet, view));
	const {facetsKept, filter, sort} = view;
	if (facetsKept?.filter !== filter || facetsKept.sort !== sort) return laidOut(sections, height);
	const kept = keptLines(facetsKept, sections);
	const isKept = new Set(kept.map(({item}) => item.facet));
	const below = sections.filter(({title}) => !isKept.has(title.item.facet));
	return [...kept, ...laidOut(below, height - kept.length)];
}

/** The lines that stay: those of the facet that is picked from and of the ones above it, with what is known by now. */
function keptLines({facet, lines}: KeptFacets, sections: readonly FacetSection[]): readonly FacetLine[] {
	const end = lines.findLastIndex(({item}) => item.facet === facet) + 1;
	const now = new Map(sections.map(each => [each.title.item.facet, each]));
	const ofFacet = Map.groupBy(lines.slice(0, end), ({item}) => item.facet);
	return [...ofFacet].flatMap(([id, before]) => {
		const known = now.get(id);
		if (known === undefined) return [];
		const values = new Map(known.body.map(line => [line.item.value, line]));
		const shown = before.map((line): FacetLine => {
			if (line.kind === 'title') return known.title;
			if (line.kind === 'more')
				return {...line, hidden: Math.max(0, known.body.length - (before.length - 2))};
			return values.get(line.item.value) ?? {...line, ...gone};
		});
		// New values are added where nothing has to make room for them.
		if (id !== facet || before.some(({kind}) => kind === 'more')) return shown;
		const there = new Set(before.map(({item}) => item.value));
		return [...shown, ...known.body.filter(({item}) => !there.has(item.value))];
	});
}

/** A value that no episode is left with, and that is not picked. */
const gone = {count: 0, isPicked: false, share: 0};

/** The lines of facets, each with its fair share of the room. */
function laidOut(sections: readonly FacetSection[], height: number): readonly FacetLine[] {
	const shares = fairShares(
		sections.map(({body, isWhole}) => (isWhole ? 0 : body.length)),
		height - sections.reduce((sum, {body, isWhole}) => sum + 1 + (isWhole ? body.length + 1 : 0), 0),
	);
	return sections.flatMap(({title, body, isWhole}, place) => {
		const {facet} = title.item;
		if (isWhole) return [title, ...body, {kind: 'more', item: {facet, kind: 'more'}, hidden: 0, isWhole}];
		const share = Math.max(2, shares[place] ?? 0);
		if (body.length <= share) return [title, ...body];
		const hidden = body.length - (share - 1);
		return [
			title,
			...mostWanted(body, share - 1),
			{kind: 'more', item: {facet, kind: 'more'}, hidden, isWhole},
		];
	});
}

type FacetSection = {
	readonly title: FacetTitle;
	readonly body: readonly FacetLine[];
	readonly isWhole: boolean;
};

function section(facet: ShownFacet, {filter, foldedFacets, wholeFacets, facetSearch}: View): FacetSection {
	const {facet: id, values, total, unknown} = facet;
	const search = facetSearch[id];
	const isFolded = foldedFacets.has(id);
	const picked = pickedValues(filter, id);
	const found = valueLines(id, values, picked, search);
	const body = isFolded ? [] : found;
	const hasUnknown = unknown !== undefined && Number(unknown) > 0 && !isFolded && search === undefined;
	return {
		title: {
			kind: 'title',
			item: {facet: id, kind: 'title'},
			isFolded,
			picked: picked.length,
			listed: values.length,
			total,
			search,
			found: found.length,
		},
		body: hasUnknown
			? [...body, {kind: 'unknown', item: {facet: id, kind: 'unknown'}, count: unknown}]
			: body,
		isWhole: wholeFacets.has(id) && !isFolded,
	};
}

/** The first lines, where picked values go before others; in the order that they had. */
function mostWanted(lines: readonly FacetLine[], count: number): readonly FacetLine[] {
	const isPicked = (line: FacetLine) => 'isPicked' in line && line.isPicked;
	const wanted = new Set(
		[...lines.filter(isPicked), ...lines.filter(line => !isPicked(line))].slice(0, count),
	);
	return lines.filter(line => wanted.has(line));
}

/**
 * In the order that the service gave them, which a pick does not change: a facet is counted without its own filter.
 * Picked values that it did not list come first, so that they can be let go.
 */
function valueLines(
	facet: FacetId,
	values: readonly FacetCount[],
	picked: readonly string[],
	search: string | undefined,
): readonly FacetLine[] {
	const greatest = values.reduce((most, {count}) => Math.max(most, Number(count)), 1);
	const counts = new Map(values.map(({value, count}) => [value, count]));
	const line = (value: string, count: Count): FacetLine => ({
		kind: 'value',
		item: {facet, kind: 'value', value},
		value,
		count,
		isPicked: picked.includes(value),
		share: Number(count) / greatest,
	});
	const unlisted = picked.filter(value => !counts.has(value)).map(value => line(value, 0));
	const wanted = search?.toLocaleLowerCase();
	const found = values.filter(
		({value}) => wanted === undefined || value.toLocaleLowerCase().includes(wanted),
	);
	return [...unlisted, ...found.map(({value, count}) => line(value, count))];
}

/** Shares `room` lines fairly: none gets more than it wants, and what one does not need goes to the others. */
export function fairShares(wants: readonly number[], room: number): readonly number[] {
	const shares = wants.map(() => 0);
	let left = Math.max(0, room);
	let hungry = wants.map((_, place) => place).filter(place => (wants[place] ?? 0) > 0);
	while (left > 0 && hungry.length > 0) {
		const each = Math.max(1, Math.floor(left / hungry.length));
		for (const place of hungry) {
			const given = Math.min(each, left, (wants[place] ?? 0) - (shares[place] ?? 0));
			shares[place] = (shares[place] ?? 0) + given;
			left -= given;
		}
		hungry = hungry.filter(place => (shares[place] ?? 0) < (wants[place] ?? 0));
	}
	return shares;
}

/** The values of a facet that the filter lets through; none means all. */
export function pickedValues(filter: Filter, facet: FacetId): readonly string[] {
	return filter[facetOf(facet).list];
}

/** True if a request can ask for a value: tiers are a closed list there, though answers may hold others. */
export function canBePicked(facet: FacetId, value: string): boolean {
	const {values} = facetOf(facet);
	return values === undefined || value === '' || values.includes(value);
}

/** The filter without leaving these values of a facet out. */
function letIn(filter: Filter, facet: FacetId, values: readonly string[]): Filter {
	const {list} = facetOf(facet);
	const {[list]: out = [], ...others} = filter.not ?? {};
	const stays = (out as readonly string[]).filter(value => !values.includes(value));
	if (stays.length === out.length) return filter;
	const not = stays.length > 0 ? {...others, [list]: stays} : others;
	return {...filter, not: Object.keys(not).length > 0 ? not : undefined};
}

/** The filter with exactly these values of a facet; what cannot be asked for is left out, as is what is too much. */
export function withPicked(before: Filter, facet: FacetId, values: readonly string[]): Filter {
	const filter = letIn(before, facet, values);
	const {list, most} = facetOf(facet);
	return {...filter, [list]: values.filter(value => canBePicked(facet, value)).slice(0, most)};
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
