import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {facetLines} from '../../../source/store/facets/facet-lines.ts';
import {
	facetCursorMoved,
	facetFolded,
	facetJumped,
	facetListed,
	facetSearched,
} from '../../../source/store/facets/facets-state.ts';
import {movedBy} from '../../../source/store/state/list-location.ts';

const start = initialState(noFilter, undefined);
const lines = facetLines(
	{
		by_task: [
			{value: 'fold', count: 3},
			{value: 'wipe', count: 2},
		],
		by_tier: [{value: 'retrainable', count: 5}],
		by_interface_hash: [{value: 'arm', count: 5}],
		by_task_total_values: 2,
		by_tier_total_values: 1,
		by_interface_hash_total_values: 1,
	},
	start,
	40,
);

test('the cursor walks the facets’ lines and jumps from title to title', () => {
	const next = facetCursorMoved((position, here) => movedBy(position, 1, here), lines, 40);
	expect(next(start).facetCursor).toEqual({facet: 'task', kind: 'value', value: 'fold'});
	const jump = facetJumped(1, lines, 40);
	expect(jump(start).facetCursor).toEqual({facet: 'tier', kind: 'title'});
	expect(jump(jump(jump(start))).facetCursor.facet).toBe('interface');
	expect(facetJumped(-1, lines, 40)(jump(start)).facetCursor.facet).toBe('task');
});

test('folding puts the cursor on the title', () => {
	const inside = {...start, facetCursor: {facet: 'task', kind: 'value', value: 'wipe'} as const};
	const folded = facetFolded('task', true)(inside);
	expect(folded.facetCursor).toEqual({facet: 'task', kind: 'title'});
	expect([...folded.foldedFacets]).toContain('task');
	expect([...facetFolded('task', false)(folded).foldedFacets]).not.toContain('task');
});

test('a facet is listed whole and narrowed by itself', () => {
	expect([...facetListed('marker', true)(start).wholeFacets]).toEqual(['marker']);
	const narrowed = facetSearched('task', 'tow')(start);
	expect(narrowed.facetSearch).toEqual({task: 'tow'});
	expect(facetSearched('task', undefined)(narrowed).facetSearch).toEqual({});
});
