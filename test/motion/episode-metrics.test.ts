import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {plainMetrics} from './plain-metrics.ts';

const value = fc.double({min: -200, max: 200, noNaN: true, noDefaultInfinity: true}).map(Math.fround);

/** Frames of an arm that sweeps, rests and shakes, so that pauses and both ends of the spectrum occur. */
const motion = fc
	.record({
		frames: fc.integer({min: 1, max: 140}),
		dims: fc.integer({min: 1, max: 5}),
		fps: fc.constantFrom(5, 10, 15, 24, 30, 50, 100),
		pace: fc.double({min: 0.01, max: 1, noNaN: true}),
		restFrom: fc.integer({min: 0, max: 140}),
		rest: fc.integer({min: 0, max: 40}),
		noise: fc.constantFrom(0, 0.001, 1),
		seed: fc.array(value, {minLength: 20, maxLength: 20}),
		late: fc.integer({min: 1, max: 139}),
		lateness: fc.constantFrom(0, 1, 2.4),
	})
	.map(({frames, dims, fps, pace, restFrom, rest, noise, seed, late, lateness}) => ({
		fps,
		action: Array.from({length: frames}, (_, frame) => {
			const at = frame < restFrom ? frame : Math.max(restFrom, frame - rest);
			return Array.from({length: dims}, (_, dim) => {
				const shake = noise * (seed[(at * 7 + dim * 3) % seed.length] ?? 0);
				return Math.fround(30 * Math.sin(at * pace * (dim + 1)) + shake);
			});
		}),
		timestamps: Array.from({length: frames}, (_, frame) =>
			Math.fround((frame + (frame >= late ? lateness : 0)) / fps),
		),
	}));

type Motion = {fps: number; action: number[][]; timestamps: number[]};

function measure({fps, action, timestamps}: Motion) {
	const dims = action[0]?.length ?? 0;
	return measureEpisode({
		frames: action.length,
		fps,
		action: {values: Float32Array.from(action.flat()), dims},
		state: {values: Float32Array.from(action.flat()), dims},
		telemetry: [],
		timestamps: Float64Array.from(timestamps),
		cameraSpans: [],
	});
}

describe('the metrics of an episode', () => {
	test('are those of the definitions, computed the plain way', () => {
		fc.assert(
			fc.property(motion, episode => {
				const {metrics} = measure(episode);
				const plain = plainMetrics(episode.action, episode.timestamps, episode.fps);
				for (const [field, expected] of Object.entries(plain)) {
					const found = metrics[field as keyof typeof metrics];
					if (expected === null || found === null) {
						expect([field, found]).toEqual([field, expected]);
					} else {
						expect(Math.abs(found - expected), `${field}: ${found}, plainly ${expected}`).toBeLessThanOrEqual(
							1e-7 * Math.max(1, Math.abs(expected)),
						);
					}
				}
			}),
			{numRuns: 150, seed: 20_261_120},
		);
	});

	test('hold no NaN and no Infinity, whatever the action', () => {
		const anything = fc.oneof(value, fc.constantFrom(0, Number.NaN, Infinity, -Infinity, 3e38, -3e38));
		fc.assert(
			fc.property(
				fc.array(fc.array(anything, {minLength: 3, maxLength: 3}), {minLength: 1, maxLength: 30}),
				action => {
					const {metrics} = measure({fps: 30, action, timestamps: action.map((_, frame) => frame / 30)});
					for (const figure of Object.values(metrics)) {
						expect(figure === null || Number.isFinite(figure)).toBe(true);
					}
				},
			),
			{numRuns: 200, seed: 20_261_121},
		);
	});

	test('of an episode that never moves are null where motion is needed, and count its frozen dims', () => {
		const {metrics} = measure({
			fps: 30,
			action: Array.from({length: 50}, () => [1, 2, 3]),
			timestamps: Array.from({length: 50}, (_, frame) => frame / 30),
		});
		expect(metrics).toMatchObject({
			frame_count: 50,
			duration_s: 50 / 30,
			speed_mean: 0,
			frozen_action_dims: 3,
			action_dims: 3,
			pause_fraction: null,
			pause_count: null,
			sparc: null,
			ldlj: null,
			psd_hf_ratio: null,
			quality_score: null,
		});
	});

	test('of a single frame are null where a difference is needed', () => {
		const {metrics} = measure({fps: 30, action: [[1, 2]], timestamps: [0]});
		expect(metrics).toMatchObject({
			frame_count: 1,
			speed_mean: null,
			speed_p50: null,
			jerk_mean: null,
			pause_fraction: null,
			dt_jitter_ms: null,
			dt_dropped_frames: null,
			sync_skew_max_ms: null,
			quality_score: null,
		});
	});

	test('are there for the other streams where the dataset has no action', () => {
		const measured = measureEpisode({
			frames: 3,
			fps: 10,
			action: undefined,
			state: {values: Float64Array.of(1, 2, 3), dims: 1},
			telemetry: [undefined, {values: Float32Array.of(4, 4, 4), dims: 1}],
			timestamps: undefined,
			cameraSpans: [{from: 1, to: 1.4}],
		});
		expect(measured.metrics).toMatchObject({
			action_dims: null,
			frozen_action_dims: null,
			state_dims: 1,
			frozen_state_dims: 0,
			speed_mean: null,
			dt_jitter_ms: null,
		});
		expect(measured.metrics.sync_skew_max_ms).toBeCloseTo(100, 9);
		expect(measured.metrics.sync_skew_ratio).toBeCloseTo(1 / 3, 9);
		expect(measured.action).toBeUndefined();
		expect(measured.telemetry[0]).toBeUndefined();
		expect(measured.telemetry[1]?.channels[0]).toEqual({max: 4, min: 4, mean: 4, std: 0});
	});
});
