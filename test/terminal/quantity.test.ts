import {describe, expect, test} from 'vitest';
import {
	age,
	counted,
	grouped,
	measure,
	measureBeside,
	percent,
	score,
	scoreMeasure,
	span,
} from '../../source/terminal/quantity.ts';

test.each([
	[0, '0'],
	[999, '999'],
	[2_612_330, '2,612,330'],
	[18_446_744_073_709_551_615n, '18,446,744,073,709,551,615'],
	[-1234, '-1,234'],
])('%s is grouped as %s', (count, shown) => {
	expect(grouped(count)).toBe(shown);
});

test('a noun follows its count', () => {
	expect([counted(1, 'dataset'), counted(1n, 'episode'), counted(5000, 'episode')]).toEqual([
		'1 dataset',
		'1 episode',
		'5,000 episodes',
	]);
});

test.each([
	[0, '0.0 s'],
	[41.2, '41.2 s'],
	[59.96, '1 m 0 s'],
	[192, '3 m 12 s'],
	[87_060, '24 h 11 m'],
	[1_000_000, '11 d 13 h'],
	[Number.POSITIVE_INFINITY, '—'],
])('%s seconds are %s', (seconds, shown) => {
	expect(span(seconds)).toBe(shown);
});

describe('measured values keep the digits that say something', () => {
	test.each([
		[0, '0'],
		[3, '3'],
		[0.4372, '0.4372'],
		[9.778, '9.778'],
		[-23.13, '-23.13'],
		[576.74, '576.7'],
		[21_565.3, '21,565'],
		[0.00000031, '3.10e-7'],
		[9_007_199_254_740_993n, '9,007,199,254,740,993'],
		[1e300, '1.000e+300'],
	])('%s as %s', (value, shown) => {
		expect(measure(value)).toBe(shown);
	});
});

test('shares and scores are short', () => {
	expect([percent(0.444), percent(0), percent(1)]).toEqual(['44%', '0%', '100%']);
	expect([score(0.31), score(0), score(1), score(-0.5)]).toEqual(['.31', '.00', '1.0', '-.50']);
});

test('ages are coarse', () => {
	expect([3000, 45_000, 400_000, 8_000_000, 400_000_000].map(age)).toEqual([
		'now',
		'40 s',
		'6 m',
		'2 h',
		'4 d',
	]);
});

test('a score is rounded', () => {
	expect([score(0.9172), score(0.7863), score(0.7949), score(0.004), score(-0.5)]).toEqual([
		'.92',
		'.79',
		'.79',
		'.00',
		'-.50',
	]);
	expect([scoreMeasure(0.91726), scoreMeasure(0.72599)]).toEqual(['0.9173', '0.7260']);
});

test('a score below a bound is never shown as the bound', () => {
	expect([score(0.896), score(0.8999999), score(0.9), score(0.29), score(0.796), score(0.999)]).toEqual([
		'.89',
		'.89',
		'.90',
		'.29',
		'.79',
		'.99',
	]);
	expect([scoreMeasure(0.89996), scoreMeasure(0.9), scoreMeasure(1), scoreMeasure(0.7587)]).toEqual([
		'0.8999',
		'0.9000',
		'1',
		'0.7587',
	]);
});

test('a value beside another has the digits that tell them apart', () => {
	expect(measureBeside(61.25, 50)).toBe('61.25');
	expect(measureBeside(50.000_04, 50.000_01)).toBe('50.00004');
	expect(measureBeside(50, 50)).toBe('50');
});
