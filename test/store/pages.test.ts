import {expect, test} from 'vitest';
import {pagesAround} from '../../source/store/pages.ts';

test('at the beginning the first page shows and the second is ahead', () => {
	expect(pagesAround(0, 30, {total: 5000})).toEqual({shown: [0], ahead: [1]});
});

test('rows that lie on two pages want both, and one more on each side', () => {
	expect(pagesAround(190, 210, {total: 5000})).toEqual({shown: [1, 2], ahead: [3, 0]});
});

test('who reads upwards gets the page above first', () => {
	expect(pagesAround(500, 530, {total: 5000, forward: false})).toEqual({shown: [5], ahead: [4, 6]});
});

test('there is no page behind the last', () => {
	expect(pagesAround(4990, 4999, {total: 5000})).toEqual({shown: [49], ahead: [48]});
	expect(pagesAround(0, 30, {total: 0})).toEqual({shown: [0], ahead: []});
});

test('before the total is known nothing is read ahead', () => {
	expect(pagesAround(0, 30)).toEqual({shown: [0], ahead: []});
});

test('a service with smaller pages is asked for those', () => {
	expect(pagesAround(95, 105, {total: 1000, pageSize: 50})).toEqual({shown: [1, 2], ahead: [3, 0]});
});
