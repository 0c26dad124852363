import {expect, test} from 'vitest';
import {pagesAround} from '../../../source/store/episodes/pages.ts';

test('who looks at the top of a result has its first page alone read, however tall the screen is', () => {
	expect(pagesAround(0, 30, {total: 5000})).toEqual({shown: [0], ahead: []});
	expect(pagesAround(0, 90, {total: 5000})).toEqual({shown: [0], ahead: []});
});

test('a page is read ahead once its rows are half a page away', () => {
	expect(pagesAround(19, 49, {total: 5000})).toEqual({shown: [0], ahead: []});
	expect(pagesAround(20, 50, {total: 5000})).toEqual({shown: [0], ahead: [1]});
	expect(pagesAround(149, 155, {total: 5000})).toEqual({shown: [1], ahead: [2, 0]});
	expect(pagesAround(150, 155, {total: 5000})).toEqual({shown: [1], ahead: [2]});
});

test('who reads upwards gets the page above first', () => {
	expect(pagesAround(545, 575, {total: 5000, forward: false})).toEqual({shown: [5], ahead: [4, 6]});
});

test('there is no page behind the last', () => {
	expect(pagesAround(4940, 4999, {total: 5000})).toEqual({shown: [49], ahead: [48]});
	expect(pagesAround(0, 30, {total: 0})).toEqual({shown: [0], ahead: []});
});

test('before the total is known nothing is read ahead', () => {
	expect(pagesAround(0, 30)).toEqual({shown: [0], ahead: []});
});

test('a service with smaller pages is asked for those', () => {
	expect(pagesAround(70, 130, {total: 1000, pageSize: 50})).toEqual({shown: [1, 2], ahead: [3, 0]});
});
