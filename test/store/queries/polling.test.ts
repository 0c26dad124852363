import {expect, test} from 'vitest';
import {NetworkError, ServiceError} from '../../../source/client/errors.ts';
import {
	busyPaceMs,
	calmPaceMs,
	livePaceMs,
	nextPollMs,
	paceFor,
	pauseAfter,
	sharedPaceMs,
} from '../../../source/store/queries/polling.ts';

test('while all is well the pace is kept', () => {
	expect(nextPollMs(calmPaceMs, 0)).toBe(calmPaceMs);
});

test('failures double the pause, up to two minutes and a quarter more', () => {
	const pauses = [1, 2, 3, 4, 5, 50].map(failures => nextPollMs(15_000, failures, () => 0));
	expect(pauses).toEqual([15_000, 30_000, 60_000, 120_000, 120_000, 120_000]);
	expect(nextPollMs(15_000, 50, () => 1)).toBe(150_000);
});

test('the pause varies, so that many explorers do not come back at once', () => {
	const pauses = new Set([0, 0.3, 0.9].map(random => nextPollMs(15_000, 1, () => random)));
	expect(pauses.size).toBe(3);
});

test('a service that asks to be left alone for longer is, but not for ever', () => {
	const pause = (retryAfterSeconds?: number) =>
		pauseAfter(
			new ServiceError('busy', {status: 503, retryAfterSeconds}),
			{paceMs: 15_000, failures: 1},
			() => 0,
		);
	// However slow the pace is, the first pauses are short.
	expect(pause()).toBe(2000);
	expect(pause(2)).toBe(2000);
	expect(pause(90)).toBe(90_000);
	// Beyond 2^31 ms a timer would run out at once.
	expect(pause(1e12)).toBe(86_400_000);
	expect(pauseAfter(new NetworkError('gone'), {paceMs: 15_000, failures: 2}, () => 0)).toBe(4000);
});

test('what moves is read quickly, what events tell of slowly', () => {
	const isShown = true;
	expect(paceFor({isLive: true, isMoving: true, isShown})).toBe(busyPaceMs);
	expect(paceFor({isLive: true, isMoving: false, isShown})).toBe(livePaceMs);
	expect(paceFor({isLive: false, isMoving: false, isShown})).toBe(calmPaceMs);
	expect(paceFor({isLive: true, isMoving: false, isShown: false})).toBeGreaterThan(livePaceMs);
});

test('many things polled side by side are four readings a second together', () => {
	expect(sharedPaceMs(1500, 3)).toBe(1500);
	expect(sharedPaceMs(1500, 200)).toBe(50_000);
});
