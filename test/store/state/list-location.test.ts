import {expect, test} from 'vitest';
import {
	listLocationStart,
	movedBy,
	movedIn,
	movedTo,
	positionOf,
	rowOfLocation,
} from '../../../source/store/state/list-location.ts';

const down =
	(by: number) => (position: Parameters<typeof movedBy>[0], extent: Parameters<typeof movedBy>[2]) =>
		movedBy(position, by, extent);

test('rows that come above the selected one do not take it away', () => {
	const place = movedIn(listLocationStart, down(2), ['a', 'b', 'c', 'd'], 3);
	expect(rowOfLocation(place, ['x', 'y', 'a', 'b', 'c', 'd'])).toBe(4);
});

test('who looks at the first row keeps looking at the first row', () => {
	const there = movedIn(listLocationStart, down(2), ['a', 'b', 'c'], 3);
	const back = movedIn(there, (at, extent) => movedTo(at, 0, extent), ['a', 'b', 'c'], 3);
	expect(rowOfLocation(back, ['x', 'a', 'b', 'c'])).toBe(0);
});

test('where the selected row is gone, the one that stands there now is selected', () => {
	const place = movedIn(listLocationStart, down(2), ['a', 'b', 'c', 'd'], 10);
	expect(rowOfLocation(place, ['a', 'b', 'd'])).toBe(2);
	expect(rowOfLocation(place, ['a'])).toBe(0);
	expect(positionOf(place, [], 10)).toEqual({selected: 0, offset: 0});
});
