import {expect, test} from 'vitest';
import {PacedFetches} from '../../../source/store/activity/keep-fresh.ts';
import {ManualClock} from '../../support/manual-clock.ts';

test('a storm of hints becomes at most four fetches a second, and the last hint is not lost', () => {
	const clock = new ManualClock(0);
	const fetches = new PacedFetches({clock});
	const ran: {name: string; at: number; hint: number}[] = [];
	for (let hint = 0; hint < 5000; hint++) {
		const name = `thing ${hint % 7}`;
		fetches.wish(name, () => ran.push({name, at: clock.now(), hint}));
		clock.advance(1);
	}
	clock.advance(20_000);
	const perSecond = new Map<number, number>();
	for (const {at} of ran)
		perSecond.set(Math.floor(at / 1000), (perSecond.get(Math.floor(at / 1000)) ?? 0) + 1);
	expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(4);
	for (let thing = 0; thing < 7; thing++) {
		const last = ran.findLast(({name}) => name === `thing ${thing}`);
		expect(last?.hint).toBeGreaterThanOrEqual(4993);
	}
});

test('the same thing is fetched once in two seconds, the first time at once', () => {
	const clock = new ManualClock(0);
	const fetches = new PacedFetches({clock});
	const ran: number[] = [];
	for (let hint = 0; hint < 25; hint++) {
		fetches.wish('lake', () => ran.push(clock.now()));
		clock.advance(100);
	}
	clock.advance(5000);
	expect(ran).toEqual([0, 2000, 4000]);
});

test('nothing is fetched after the end', () => {
	const clock = new ManualClock(0);
	const fetches = new PacedFetches({clock});
	let ran = 0;
	fetches.wish('lake', () => ran++);
	fetches.stop();
	clock.advance(5000);
	expect(ran).toBe(0);
});
