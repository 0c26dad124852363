import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {profileEpisode} from '../../source/motion/profile.ts';
import {type QualityInput, qualityScore, qualityWeights} from '../../source/motion/quality-score.ts';

const good: QualityInput = {
	frame_count: 300,
	duration_s: 10,
	longestPause: 0.5,
	profile: null,
	psd_hf_ratio: 0.02,
	pause_fraction: 0.1,
	frozen_action_dims: 0,
	action_dims: 6,
	dt_jitter_ms: 0,
	dt_dropped_frames: 0,
	sync_skew_ratio: 0,
};

const scoreOf = (input: QualityInput) => qualityScore(input)?.score ?? Number.NaN;

describe('the quality score', () => {
	test('has weights that add up to 1', () => {
		expect(Object.values(qualityWeights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
	});

	test('is 1 where every part is at its best and all but 0 where every part is at its worst', () => {
		expect(scoreOf(good)).toBe(1);
		expect(
			scoreOf({
				...good,
				longestPause: 10,
				psd_hf_ratio: 1,
				pause_fraction: 1,
				frozen_action_dims: 6,
				dt_jitter_ms: 100,
				dt_dropped_frames: 200,
				sync_skew_ratio: 0.5,
			}),
		).toBeCloseTo(0.02, 12);
	});

	test.each([
		['longestPause', 8],
		['psd_hf_ratio', 0.6],
		['pause_fraction', 0.9],
		['frozen_action_dims', 5],
		['dt_jitter_ms', 20],
		['dt_dropped_frames', 9],
		['sync_skew_ratio', 0.05],
	] as const)('falls with a worse %s', (field, worse) => {
		expect(scoreOf({...good, [field]: worse})).toBeLessThan(1);
	});

	test('is pulled down by one bad part further than good ones can hold it', () => {
		expect(scoreOf({...good, psd_hf_ratio: 0.95, pause_fraction: 1})).toBeLessThan(0.3);
	});

	test('leaves the weight of what is unknown to the rest', () => {
		expect(scoreOf({...good, sync_skew_ratio: null, dt_jitter_ms: null})).toBe(1);
	});

	test('is null without a motion', () => {
		expect(qualityScore({...good, pause_fraction: null})).toBeNull();
	});

	test('names the part that costs most', () => {
		expect(qualityScore({...good, pause_fraction: 1})?.worst).toBe('flow');
		expect(qualityScore(good)?.worst).toBeNull();
	});

	test.each([
		['a follower that is dead', (value: number) => value * 0],
		['a follower in other units', (value: number) => value / 57.3],
		['a follower on the other side', (value: number) => -value],
	])('falls with %s', (_, follow) => {
		const action = Float64Array.from({length: 300}, (_each, frame) => 40 * Math.sin(frame / 30));
		const scored = (state: Float64Array) => {
			const signals = {action: {values: action, dims: 1}, state: {values: state, dims: 1}};
			const profile = profileEpisode(signals.action, signals.state, [{action: 0, state: 0}], 60);
			return scoreOf({...good, profile});
		};
		expect(scored(action)).toBe(1);
		expect(scored(action.map(follow))).toBeLessThan(0.9);
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
					longestPause: figure,
					psd_hf_ratio: figure,
					pause_fraction: figure,
					dt_jitter_ms: figure,
					dt_dropped_frames: figure,
					sync_skew_ratio: figure,
				}),
				figures => {
					const score = qualityScore({...good, ...figures})?.score ?? 0;
					expect(score >= 0 && score <= 1).toBe(true);
				},
			),
			{numRuns: 200, seed: 17},
		);
	});
});
