import {expect, test} from 'vitest';
import {findPauses, withoutEndPauses} from '../../source/motion/pauses.ts';

/** Speeds of 1 with stretches of 0 where the plan has a dot. */
const speeds = (plan: string) => Float64Array.from(plan, sign => (sign === '.' ? 0 : 1));

test('a rest of exactly a quarter second is a pause, a shorter one is not', () => {
	// At 20 frames a second five still frames last 0.25 s.
	expect(findPauses(speeds('-----.....-----....---'), 1, 20)).toEqual({
		fraction: 9 / 22,
		count: 1,
		longest: 5,
	});
});

test('a rest at the very end counts', () => {
	expect(findPauses(speeds('-----........'), 1, 30)?.count).toBe(1);
});

test('a frame at exactly 5 % of the fast ones is not still', () => {
	expect(findPauses(Float64Array.of(1, 0.05, 1), 1, 30)?.fraction).toBe(0);
});

test('where nothing moves there are no pauses to speak of', () => {
	expect(findPauses(new Float64Array(100), 0, 30)).toBeNull();
});

test('the pauses at both ends can be cut off, down to the frames where the motion begins and ends', () => {
	// 22 speeds are 23 frames; speed k lies between the frames k and k + 1.
	expect(withoutEndPauses(speeds('.....--....-----......'), 1, 20)).toEqual({from: 5, until: 17});
	expect(withoutEndPauses(speeds('....-----......'), 1, 20)).toEqual({from: 0, until: 10});
	expect(withoutEndPauses(speeds('.....-----....'), 1, 20)).toEqual({from: 5, until: 15});
	expect(withoutEndPauses(speeds('---'), 1, 20)).toEqual({from: 0, until: 4});
});

test('nothing is cut off where nothing moves, or where that cannot be told', () => {
	expect(withoutEndPauses(new Float64Array(100), 0, 30)).toEqual({from: 0, until: 101});
	expect(withoutEndPauses(new Float64Array(100).fill(Number.NaN), Number.NaN, 30)).toEqual({
		from: 0,
		until: 101,
	});
	expect(withoutEndPauses(new Float64Array(0), Number.NaN, 30)).toEqual({from: 0, until: 1});
});
