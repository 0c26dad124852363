import {expect, test} from 'vitest';
import {channelList, figure, range} from '../../../source/service/siblings/words.ts';

test.each([
	[41.2, '41'],
	[4.04, '4'],
	[4.26, '4.3'],
	[0.354, '0.35'],
	[0, '0'],
	[-0.2, '−0.20'],
	[9.96, '10'],
	[-12.5, '−13'],
	[0.0004, '0.00040'],
])('the figure %d is written %s', (value, text) => expect(figure(value)).toBe(text));

test('a range is a dash between figures, and words where there is a sign', () => {
	expect(range(14, 22.4)).toBe('14–22');
	expect(range(-40, -10)).toBe('−40 to −10');
	expect(range(3, 3.01)).toBe('3');
});

test('many channels are counted, and lose the ending that says nothing', () => {
	expect(channelList(['elbow_flex.pos'])).toBe('elbow_flex');
	expect(channelList(['a.pos', 'b.pos'])).toBe('a and b');
	expect(channelList(['a', 'b', 'c', 'd'])).toBe('a, b and 2 more');
});
