import {expect, test} from 'vitest';
import {measureTiming} from '../../source/motion/timing.ts';

test('a gap of two frames and one of one are three dropped frames', () => {
	const frames = [0, 1, 2, 5, 6, 8, 9];
	const timing = measureTiming(
		Float64Array.from(frames, frame => Math.fround(frame / 30)),
		30,
	);
	expect(timing.droppedFrames).toBe(3);
	expect(timing.jitterMs).toBeGreaterThan(10);
});

test('timestamps that tick evenly have no jitter worth the name', () => {
	const timing = measureTiming(
		Float64Array.from({length: 1000}, (_, frame) => Math.fround(frame / 30)),
		30,
	);
	expect(timing.droppedFrames).toBe(0);
	expect(timing.jitterMs).toBeLessThan(0.001);
});

test('timestamps that are not numbers leave both figures undefined', () => {
	expect(measureTiming(Float64Array.of(0, Number.NaN, 2), 1)).toEqual({jitterMs: null, droppedFrames: null});
});
