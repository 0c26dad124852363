import fc from 'fast-check';
import {expect, test} from 'vitest';
import {percentiles} from '../../source/motion/percentiles.ts';
import {percentile} from './plain-metrics.ts';

test('selected percentiles are those of the sorted values, ties and all', () => {
	const values = fc.array(
		fc.oneof(fc.integer({min: 0, max: 5}), fc.double({noNaN: true, min: 0.001, max: 1e6})),
		{
			minLength: 1,
			maxLength: 300,
		},
	);
	fc.assert(
		fc.property(values, numbers => {
			const shares = [0, 0.1, 0.5, 0.9, 0.95, 1];
			expect(percentiles(Float64Array.from(numbers), shares)).toEqual(
				shares.map(share => percentile(numbers, share)),
			);
		}),
		{numRuns: 300, seed: 11},
	);
});

test('percentiles of nothing are not a number', () => {
	expect(percentiles(new Float64Array(0), [0.5])).toEqual([Number.NaN]);
});
