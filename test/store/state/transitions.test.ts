import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {movedBy, movedTo, pagedBy} from '../../../source/store/state/list-location.ts';
import {
	detailScrolled,
	filtered,
	moved,
	noticesChanged,
	overlaid,
	zoomed,
} from '../../../source/store/state/transitions.ts';

const start = initialState(noFilter, undefined);
const extent = {count: 50, height: 10};
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

test('sentences that stay the same leave the state the same', () => {
	expect(noticesChanged(notices => notices)(start)).toBe(start);
	expect(noticesChanged(() => [{id: 1, kind: 'error', text: 'no'}])(start).notices).toHaveLength(1);
});

test('an overlay and the zoom leave everything else alone', () => {
	expect(overlaid('help')(start)).toEqual({...start, overlay: 'help'});
	expect(overlaid(undefined)(start)).toBe(start);
	expect(zoomed(true)(start)).toEqual({...start, zoomed: true});
});
