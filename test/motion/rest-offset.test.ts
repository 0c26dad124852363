import {expect, test} from 'vitest';
import {aggregateChannels} from '../../source/motion/channel-aggregates.ts';
import {restOffsets} from '../../source/motion/rest-offset.ts';

const fps = 30;

/** Holds each angle of the leader for a second; the follower trails by a tenth of a second, plus what `read` says. */
function offsetOf(
	angles: readonly number[],
	read: (state: number, place: number) => number,
): number | undefined {
	const action = Float32Array.from(angles.flatMap(angle => Array<number>(fps).fill(angle)));
	let at = action[0] ?? 0;
	const state = Float32Array.from(action, (target, frame) => {
		at += 0.3 * (target - at);
		return read(at, Math.floor(frame / fps));
	});
	const ranges = aggregateChannels(action, 1).channels;
	return restOffsets({values: action, dims: 1}, {values: state, dims: 1}, ranges, fps)[0];
}

test('a follower that reads a constant angle less is off by that at rest', () => {
	expect(offsetOf([0, 40, 10], state => state - 6)).toBeCloseTo(6, 0);
	expect(offsetOf([0, 40, 10], state => state + 6)).toBeCloseTo(-6, 0);
});

test('a hand that stops at what it holds is not off: it is not so when it holds nothing', () => {
	expect(offsetOf([40, 0, 40], state => Math.max(15, state))).toBeCloseTo(0, 3);
});

test('a follower that only trails is not off', () => {
	expect(Math.abs(offsetOf([0, 80, 0, 80, 0], state => state) ?? Number.NaN)).toBeLessThan(0.1);
});

test('where the leader never rests nothing can be told', () => {
	const action = Float32Array.from({length: 90}, (_, frame) => frame);
	const ranges = aggregateChannels(action, 1).channels;
	const signal = {values: action, dims: 1};
	expect(restOffsets(signal, signal, ranges, fps)[0]).toBeNaN();
});
