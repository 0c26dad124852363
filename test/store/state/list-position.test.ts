import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	listStart,
	movedBy,
	movedTo,
	pagedBy,
	settled,
	shownRows,
} from '../../../source/store/state/list-location.ts';

const extent = {count: 100, height: 10};

describe('moving through a list', () => {
	test('a step inside the screen scrolls nothing', () => {
		expect(movedBy({selected: 3, offset: 0}, 1, extent)).toEqual({selected: 4, offset: 0});
	});

	test('a step past the last row on the screen scrolls by one', () => {
		expect(movedBy({selected: 9, offset: 0}, 1, extent)).toEqual({selected: 10, offset: 1});
	});

	test('it stops at both ends', () => {
		expect(movedBy(listStart, -1, extent)).toEqual(listStart);
		expect(movedBy({selected: 99, offset: 90}, 1, extent)).toEqual({selected: 99, offset: 90});
	});

	test('a page keeps one row of the last screen in sight', () => {
		expect(pagedBy(listStart, 1, extent)).toEqual({selected: 9, offset: 9});
		expect(pagedBy({selected: 9, offset: 9}, -1, extent)).toEqual(listStart);
	});

	test('half a page is half the screen', () => {
		expect(pagedBy(listStart, 0.5, extent)).toEqual({selected: 5, offset: 5});
	});

	test('the last row of a very long list is one step away, at the foot of the screen', () => {
		const long = {count: 200_000, height: 20};
		expect(movedTo(listStart, Number.MAX_SAFE_INTEGER, long)).toEqual({selected: 199_999, offset: 199_980});
	});

	test('a screen that became smaller still shows the selected row', () => {
		expect(settled({selected: 9, offset: 0}, {count: 100, height: 4})).toEqual({selected: 9, offset: 6});
	});

	test('a list that became shorter shows its end', () => {
		expect(settled({selected: 80, offset: 75}, {count: 12, height: 10})).toEqual({selected: 11, offset: 2});
	});

	test('an empty list shows nothing', () => {
		expect(shownRows({selected: 5, offset: 5}, {count: 0, height: 10})).toEqual({from: 0, to: 0});
	});
});

test('wherever it is moved, the selected row is there and on the screen, which is full where it can be', () => {
	fc.assert(
		fc.property(
			fc.nat({max: 500}),
			fc.integer({min: 1, max: 60}),
			fc.integer({min: -50, max: 600}),
			fc.integer({min: -50, max: 600}),
			fc.integer({min: -700, max: 700}),
			(count, height, selected, offset, by) => {
				const here = {count, height};
				for (const position of [
					settled({selected, offset}, here),
					movedBy({selected, offset}, by, here),
					pagedBy({selected, offset}, by < 0 ? -1 : 0.5, here),
				]) {
					const {from, to} = shownRows(position, here);
					expect(position.selected).toBeGreaterThanOrEqual(0);
					expect(position.selected).toBeLessThan(Math.max(1, count));
					if (count > 0) {
						expect(position.selected).toBeGreaterThanOrEqual(from);
						expect(position.selected).toBeLessThan(to);
					}
					expect(to - from).toBe(Math.min(count, height));
				}
			},
		),
	);
});
