import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {initialState} from '../../../source/store/state/explorer-state.ts';
import {facetLines} from '../../../source/store/state/facet-lines.ts';
import {movedBy, movedTo, pagedBy} from '../../../source/store/state/list-location.ts';
import {
	columnsChosen,
	columnsShifted,
	detailScrolled,
	facetCursorMoved,
	facetFolded,
	facetJumped,
	facetListed,
	facetSearched,
	filtered,
	moved,
	noticesChanged,
	overlaid,
	zoomed,
} from '../../../source/store/state/transitions.ts';

const start = initialState(noFilter, undefined);
const extent = {count: 50, height: 10};
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

test('another filter begins at the first row, and the detail at its top', () => {
	const scrolled = {...start, position: {selected: 40, offset: 35}, detailOffset: 7};
	expect(filtered({...noFilter, search: 'x'})(scrolled)).toMatchObject({
		position: {selected: 0, offset: 0},
		detailOffset: 0,
	});
});

test('another episode’s detail begins at its top, the same one’s stays where it was', () => {
	const scrolled = {...start, detailOffset: 7};
	expect(moved(position => movedBy(position, 1, extent))(scrolled).detailOffset).toBe(0);
	expect(moved(position => position)(scrolled)).toBe(scrolled);
});

test('the detail scrolls until its last line stands at the foot', () => {
	const down = detailScrolled((position, here) => movedTo(position, Number.MAX_SAFE_INTEGER, here), {
		count: 30,
		height: 12,
	});
	expect(down(start).detailOffset).toBe(18);
	const page = detailScrolled((position, here) => pagedBy(position, 1, here), {count: 30, height: 12});
	expect(page(start).detailOffset).toBe(11);
	const short = detailScrolled((position, here) => movedBy(position, 1, here), {count: 5, height: 12});
	expect(short(start)).toBe(start);
});

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

test('columns scroll no further than to the last, and a choice begins at the first', () => {
	const shifted = [1, 1, 1, 1, 1].reduce((state, by) => columnsShifted(by, 4)(state), start);
	expect(shifted.columnShift).toBe(2);
	expect(columnsShifted(-9, 4)(shifted).columnShift).toBe(0);
	expect(columnsChosen(['index'])(shifted)).toMatchObject({columns: ['index'], columnShift: 0});
});

test('sentences that stay the same leave the state the same', () => {
	expect(noticesChanged(notices => notices)(start)).toBe(start);
	expect(noticesChanged(() => [{id: 1, kind: 'error', text: 'no'}])(start).notices).toHaveLength(1);
});

test('an overlay and the zoom leave everything else alone', () => {
	expect(overlaid('help')(start)).toEqual({...start, overlay: 'help'});
	expect(overlaid(undefined)(start)).toBe(start);
	expect(zoomed(true)(start)).toEqual({...start, zoomed: true});
});
