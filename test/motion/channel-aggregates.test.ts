import fc from 'fast-check';
import {expect, test} from 'vitest';
import {aggregateChannels} from '../../source/motion/channel-aggregates.ts';
import {deviation, mean} from './plain-metrics.ts';

test('each channel has the extremes, the mean and the population deviation of its own values', () => {
	const frames = fc.array(
		fc.tuple(fc.double({min: -1e3, max: 1e3, noNaN: true}), fc.integer({min: -3, max: 3})),
		{
			minLength: 1,
			maxLength: 60,
		},
	);
	fc.assert(
		fc.property(frames, fc.constantFrom(0, 1e6), (rows, offset) => {
			const shifted = rows.map(row => row.map(value => value + offset));
			const {channels, finite} = aggregateChannels(Float64Array.from(shifted.flat()), 2);
			expect(finite).toBe(true);
			for (const dim of [0, 1]) {
				const values = shifted.map(row => row[dim] ?? Number.NaN);
				const channel = channels[dim];
				expect(channel?.max).toBe(Math.max(...values));
				expect(channel?.min).toBe(Math.min(...values));
				expect(channel?.mean).toBeCloseTo(mean(values), 6);
				expect(channel?.std).toBeCloseTo(deviation(values), 6);
			}
		}),
		{numRuns: 200, seed: 13},
	);
});

test('values that are no finite number are left out and told of; a channel of nothing else has no figures', () => {
	const values = Float32Array.of(1, Number.NaN, 3, Number.NaN, Infinity, Number.NaN);
	expect(aggregateChannels(values, 2)).toEqual({
		channels: [{max: 3, min: 1, mean: 2, std: 1}, null],
		finite: false,
	});
});

test('a channel that never changes deviates by exactly 0', () => {
	const {channels} = aggregateChannels(new Float32Array(999).fill(0.1), 1);
	expect(channels[0]?.std).toBe(0);
});
