import {describe, expect, test} from 'vitest';
import type {LakeFacets} from '../../../source/contract/explore.ts';
import type {FacetId} from '../../../source/contract/facets.ts';
import {noFilter} from '../../../source/query/filter.ts';
import {print} from '../../../source/query/print.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {facetLines, fairShares, pickOnly, togglePicked} from '../../../source/store/facets/facet-lines.ts';
import {cursorPlace} from '../../../source/store/facets/facets-state.ts';

const values = (name: string, count: number) =>
	Array.from({length: count}, (_, index) => ({value: `${name} ${index}`, count: 1000 - index}));

const facets: LakeFacets = {
	by_task: values('task', 24),
	by_tier: [
		{value: 'retrainable', count: 900},
		{value: '', count: 100},
	],
	by_interface_hash: values('arm', 3),
	by_marker_signature: values('reach', 2),
	by_task_total_values: 3210,
	by_tier_total_values: 2,
	by_interface_hash_total_values: 3,
	by_marker_signature_total_values: 2,
	marker_signature_unknown: 77,
};

const view = {
	filter: noFilter,
	sort: undefined,
	foldedFacets: new Set<FacetId>(),
	wholeFacets: new Set<FacetId>(),
	facetSearch: {},
	facetsKept: undefined,
};

const kinds = (lines: ReturnType<typeof facetLines>) => lines.map(({kind, item}) => `${item.facet} ${kind}`);

describe('the lines of the facets', () => {
	test('with room for all, every value is listed, and those without one are counted', () => {
		const lines = facetLines(facets, view, 60);
		expect(lines.filter(({kind}) => kind === 'title')).toHaveLength(4);
		expect(lines.filter(({kind}) => kind === 'value')).toHaveLength(24 + 2 + 3 + 2);
		expect(lines.at(-1)).toMatchObject({kind: 'unknown', count: 77});
	});

	test('tags are a facet where a service counts them, and what is no count of tags is none', () => {
		const tags = {by_tag: [{value: 'suspect', count: 7}], by_tag_total_values: 1};
		const [title, value] = facetLines({...facets, ...tags}, view, 60).slice(-2);
		expect(title).toMatchObject({kind: 'title', item: {facet: 'tag'}, total: 1});
		expect(value).toMatchObject({kind: 'value', value: 'suspect', count: 7});
		// Who looks for the worst finds them first.
		const triage = {...view, sort: {by: 'doubt', direction: 'desc'} as const};
		expect(facetLines({...facets, ...tags}, triage, 60)[0]).toEqual(title);
		for (const by_tag of ['suspect', [{tag: 'suspect'}], null]) {
			expect(facetLines({...facets, by_tag, by_tag_total_values: 1}, view, 60)[0]?.item.facet).toBe('task');
		}
	});

	test('who looks for the worst finds what is suspect before the tags that all episodes have', () => {
		const by_tag = [
			{value: 'operator-ana', count: 90},
			{value: 'lab', count: 80},
			{value: 'suspect', count: 7},
			{value: 'too-long', count: 4},
		];
		const tagged = {...facets, by_tag, by_tag_total_values: 4};
		const shown = (sort: {by: 'doubt'; direction: 'desc'} | undefined, height: number) =>
			facetLines(tagged, {...view, sort}, height).flatMap(line =>
				line.kind === 'value' && line.item.facet === 'tag' ? [line.value] : [],
			);
		expect(shown({by: 'doubt', direction: 'desc'}, 60)).toEqual([
			'suspect',
			'too-long',
			'operator-ana',
			'lab',
		]);
		expect(shown({by: 'doubt', direction: 'desc'}, 16)).toEqual(['suspect', 'too-long']);
		expect(shown(undefined, 60)).toEqual(['operator-ana', 'lab', 'suspect', 'too-long']);
	});

	test('a title says how many of all values are listed', () => {
		expect(facetLines(facets, view, 60)[0]).toMatchObject({listed: 24, total: 3210, found: 24});
	});

	test('without room for all, every facet keeps some, and says how many more there are', () => {
		const lines = facetLines(facets, view, 21);
		expect(lines).toHaveLength(21);
		expect(kinds(lines).filter(kind => kind === 'tier value')).toHaveLength(2);
		const more = lines.find(({kind}) => kind === 'more');
		const shown = kinds(lines).filter(kind => kind === 'task value').length;
		expect(more).toMatchObject({item: {facet: 'task'}, hidden: 24 - shown});
	});

	test('a facet listed whole lists everything, whatever the room', () => {
		const lines = facetLines(facets, {...view, wholeFacets: new Set(['task'])}, 21);
		expect(kinds(lines).filter(kind => kind === 'task value')).toHaveLength(24);
		expect(lines.find(({kind}) => kind === 'more')).toMatchObject({isWhole: true});
	});

	test('a folded facet is its title', () => {
		const lines = facetLines(facets, {...view, foldedFacets: new Set(['task', 'marker'])}, 60);
		expect(kinds(lines).filter(kind => kind.startsWith('task'))).toEqual(['task title']);
		expect(kinds(lines).filter(kind => kind.startsWith('marker'))).toEqual(['marker title']);
	});

	test('a search narrows one facet, whatever the case of its letters', () => {
		const lines = facetLines(facets, {...view, facetSearch: {task: 'TASK 2'}}, 60);
		expect(lines[0]).toMatchObject({search: 'TASK 2', found: 5, listed: 24});
		expect(kinds(lines).filter(kind => kind === 'task value')).toHaveLength(5);
	});

	test('a picked value stays where it is, and in sight even when the list is cut', () => {
		const filter = togglePicked(noFilter, 'task', 'task 20');
		const lines = facetLines(facets, {...view, filter}, 21).filter(({item}) => item.facet === 'task');
		const shown = lines.flatMap(line => (line.kind === 'value' ? [line.value] : []));
		expect(shown.at(-1)).toBe('task 20');
		expect(shown[0]).toBe('task 0');
		expect(lines[0]).toMatchObject({picked: 1});
	});

	test('the lines stay where they are while values of a facet are picked, and follow the counts once it is left', () => {
		const tagged = (...by_tag: {value: string; count: number}[]) => ({
			...facets,
			by_tag,
			by_tag_total_values: by_tag.length,
		});
		const tag = (value: string, count: number) => ({value, count});
		const before = facetLines(tagged(tag('lab', 9), tag('long', 4), tag('short', 2)), view, 60);
		const filter = togglePicked(noFilter, 'tag', 'short');
		const fewer = {...tagged(tag('lab', 2), tag('short', 2)), by_task: values('task', 1)};
		const facetsKept = {facet: 'tag', lines: before, filter, sort: undefined} as const;
		const after = facetLines(fewer, {...view, filter, facetsKept}, 60);
		expect(after.map(({item}) => item)).toEqual(before.map(({item}) => item));
		const found = (value: string) => after.find(({item}) => item.value === value);
		expect(found('short')).toMatchObject({isPicked: true, count: 2});
		expect(found('long')).toMatchObject({isPicked: false, count: 0});
		const left = facetLines(fewer, {...view, filter}, 60);
		expect(left.length).toBeLessThan(before.length);
		const another = facetLines(fewer, {...view, filter: {...filter, search: 'x'}, facetsKept}, 60);
		expect(another.length).toBeLessThan(before.length);
		const task = facetLines(
			fewer,
			{...view, filter, facetsKept: {facet: 'task', lines: before, filter, sort: undefined}},
			60,
		);
		expect(task.map(({item}) => item.facet).lastIndexOf('task')).toBe(24);
		expect(task.slice(25)).toEqual(left.slice(2));
	});

	test('a picked value that no episode is left with can still be let go', () => {
		const filter = togglePicked(noFilter, 'task', 'gone');
		expect(facetLines(facets, {...view, filter}, 60)[1]).toMatchObject({
			value: 'gone',
			count: 0,
			isPicked: true,
		});
	});

	test('a facet that the service leaves out is not there', () => {
		const {by_marker_signature: _, ...others} = facets;
		expect(kinds(facetLines(others, view, 60)).some(kind => kind.startsWith('marker'))).toBe(false);
	});

	test('the cursor is found again by what it stood on, else on the title of its facet', () => {
		const lines = facetLines(facets, view, 60);
		const place = cursorPlace(lines, {facet: 'tier', kind: 'value', value: ''});
		expect(lines[place]).toMatchObject({value: '', count: 100});
		const gone = cursorPlace(lines, {facet: 'tier', kind: 'value', value: 'gold'});
		expect(lines[gone]).toMatchObject({kind: 'title', item: {facet: 'tier'}});
	});
});

test('room is shared fairly: nobody gets more than wanted, and none is left over', () => {
	expect(fairShares([24, 3, 3, 3], 20)).toEqual([11, 3, 3, 3]);
	expect(fairShares([10, 10, 10], 9)).toEqual([3, 3, 3]);
	expect(fairShares([2, 0, 2], 100)).toEqual([2, 0, 2]);
	expect(fairShares([5, 5], -3)).toEqual([0, 0]);
});

test('robots and datasets begin folded, below the others, and are left out where a service does not count them', () => {
	const begun = {...view, foldedFacets: initialState(noFilter, undefined).foldedFacets};
	const counted: LakeFacets = {
		...facets,
		by_robot_type: [{value: 'so101_follower', count: 3}],
		by_robot_type_total_values: 1,
		by_dataset: [{value: 'cups', count: 3}],
		by_dataset_total_values: 1,
	};
	const titles = (of: LakeFacets) => facetLines(of, begun, 30).filter(({kind}) => kind === 'title');
	expect(titles(counted).slice(-2)).toMatchObject([
		{item: {facet: 'robot'}, isFolded: true, total: 1},
		{item: {facet: 'dataset'}, isFolded: true, total: 1},
	]);
	expect(titles(facets).map(({item}) => item.facet)).not.toContain('robot');
	expect(titles({...facets, by_robot_type: 'anything'}).map(({item}) => item.facet)).not.toContain('robot');
	expect(print(pickOnly(noFilter, 'robot', 'so101_follower'))).toBe('robot:so101_follower');
	expect(print(pickOnly(noFilter, 'dataset', 'cups'))).toBe('dataset:cups');
});
