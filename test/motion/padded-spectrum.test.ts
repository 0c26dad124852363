import fc from 'fast-check';
import {expect, test} from 'vitest';
import {paddedLength, paddedPower} from '../../source/motion/padded-spectrum.ts';

test('the padded spectrum is the sum of its definition at every bin, for every length', () => {
	const signal = fc.array(fc.double({min: -100, max: 100, noNaN: true}), {minLength: 1, maxLength: 70});
	fc.assert(
		fc.property(signal, samples => {
			const length = paddedLength(samples.length);
			const power = paddedPower(Float64Array.from(samples), length / 2);
			const scale = samples.reduce((sum, x) => sum + Math.abs(x), 0) ** 2;
			for (let bin = 0; bin <= length / 2; bin++) {
				let re = 0;
				let im = 0;
				for (const [n, x] of samples.entries()) {
					re += x * Math.cos((2 * Math.PI * n * bin) / length);
					im += x * Math.sin((2 * Math.PI * n * bin) / length);
				}
				expect(Math.abs((power[bin] ?? Number.NaN) - (re * re + im * im))).toBeLessThanOrEqual(1e-12 * scale);
			}
		}),
		{numRuns: 60, seed: 7},
	);
});

test.each([
	[1, 16],
	[2, 32],
	[200, 4096],
	[256, 4096],
	[257, 8192],
])('%i samples are padded to %i', (samples, length) => {
	expect(paddedLength(samples)).toBe(length);
});
