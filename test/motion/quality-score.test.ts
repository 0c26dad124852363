import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {type QualityInput, qualityScore, qualityWeights} from '../../source/motion/quality-score.ts';

const good: QualityInput = {
	frame_count: 300,
	duration_s: 10,
	sparc: -3,
	psd_hf_ratio: 0.02,
	pause_fraction: 0.1,
	frozen_action_dims: 0,
	action_dims: 6,
	dt_jitter_ms: 0,
	dt_dropped_frames: 0,
	sync_skew_ratio: 0,
};

describe('the quality score', () => {
	test('has weights that add up to 1', () => {
		expect(Object.values(qualityWeights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
	});

	test('is 1 where every part is at its best and all but 0 where every part is at its worst', () => {
		expect(qualityScore(good)).toBe(1);
		expect(
			qualityScore({
				...good,
				sparc: -20,
				psd_hf_ratio: 0.9,
				pause_fraction: 1,
				frozen_action_dims: 6,
				dt_jitter_ms: 100,
				dt_dropped_frames: 200,
				sync_skew_ratio: 0.5,
			}),
		).toBeCloseTo(0.02, 12);
	});

	test.each([
		['sparc', -8],
		['psd_hf_ratio', 0.3],
		['pause_fraction', 0.6],
		['frozen_action_dims', 5],
		['dt_jitter_ms', 20],
		['dt_dropped_frames', 9],
		['sync_skew_ratio', 0.05],
	] as const)('falls with a worse %s', (field, worse) => {
		expect(qualityScore({...good, [field]: worse})).toBeLessThan(1);
	});

	test('is pulled down by one bad part further than good ones can hold it', () => {
		expect(qualityScore({...good, psd_hf_ratio: 0.5})).toBeLessThan(0.5);
	});

	test('leaves the weight of what is unknown to the rest', () => {
		expect(qualityScore({...good, sync_skew_ratio: null, dt_jitter_ms: null})).toBe(1);
	});

	test.each(['sparc', 'psd_hf_ratio', 'pause_fraction'] as const)('is null without %s', field => {
		expect(qualityScore({...good, [field]: null})).toBeNull();
	});

	test('is the same in degrees and in radians', () => {
		const sweep = (scale: number) =>
			measureEpisode({
				frames: 120,
				fps: 30,
				action: {
					values: Float64Array.from(
						{length: 240},
						(_, at) => scale * Math.sin(at / 9) + (scale * (at % 7)) / 50,
					),
					dims: 2,
				},
				state: undefined,
				telemetry: [],
				timestamps: undefined,
				cameraSpans: [],
			}).metrics.quality_score as number;
		expect(sweep(Math.PI / 180)).toBeCloseTo(sweep(1), 9);
	});

	test('stays within 0 and 1', () => {
		const figure = fc.oneof(fc.constant(null), fc.double({min: -100, max: 1e4, noNaN: true}));
		fc.assert(
			fc.property(
				fc.record({
					sparc: figure,
					psd_hf_ratio: figure,
					pause_fraction: figure,
					dt_jitter_ms: figure,
					dt_dropped_frames: figure,
					sync_skew_ratio: figure,
				}),
				figures => {
					const score = qualityScore({...good, ...figures});
					expect(score === null || (score >= 0 && score <= 1)).toBe(true);
				},
			),
			{numRuns: 200, seed: 17},
		);
	});
});
