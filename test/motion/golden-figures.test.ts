import {expect, test} from 'vitest';
import {type SpeedSpectrum, spectralArcLength, speedSpectrum} from '../../source/motion/spectrum.ts';
import {logDimensionlessJerk} from '../../source/motion/speed-jerk.ts';

/** exp(−5 t²) for t in [−1, 1) at 100 Hz, whose figures the reference implementation publishes. */
const bell = Float64Array.from({length: 200}, (_, sample) => Math.exp(-5 * (-1 + sample / 100) ** 2));

test('SPARC of the reference profile is the published −1.41403', () => {
	expect(spectralArcLength(speedSpectrum(bell, 100) as SpeedSpectrum)).toBeCloseTo(-1.41403, 5);
});

test('LDLJ of the reference profile is the published −5.81636', () => {
	expect(logDimensionlessJerk(bell)).toBeCloseTo(-5.81636, 5);
});
