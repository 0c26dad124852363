import {expect, test} from 'vitest';
import {reasonLines} from '../../../source/panes/export/compose-form.tsx';

const reasons = [['a b', 'c'], ['d'], ['e', 'f'], ['g']];

test('as many reasons are shown as there is room for, whole, and how many more there are', () => {
	const lines = (room: number) => reasonLines(reasons, {room, ellipsis: '…'});
	expect(lines(6)).toEqual(['a b', 'c', 'd', 'e', 'f', 'g']);
	expect(lines(5)).toEqual(['a b', 'c', 'd', '… and 2 more']);
	expect(lines(2)).toEqual(['… and 4 more']);
	expect(lines(0)).toEqual([]);
});

test('a reason that is long hides none of those after it', () => {
	const long = ['1', '2', '3', '4', '5'];
	expect(reasonLines([long, ['6']], {room: 9, ellipsis: '…'})).toEqual(['1', '2', '3', '4', '…', '6']);
});
