import {expect, test} from 'vitest';
import {ServiceError} from '../../source/client/errors.ts';
import {HoldOff, heldOff} from '../../source/client/hold-off.ts';
import {endpoints} from '../../source/contract/endpoints.ts';
import {ManualClock} from '../support/manual-clock.ts';

const {explore, listJobs} = endpoints;

const asking = (status: number, retryAfterSeconds: number | undefined) =>
	new ServiceError('not now', {status, detail: 'Slow down', retryAfterSeconds});

test('429 holds every endpoint, 503 its own, and both end with the time that was asked for', () => {
	const clock = new ManualClock(0);
	const holdOff = new HoldOff({clock, random: () => 0});
	holdOff.note(explore, asking(503, 20));
	expect([holdOff.of(explore)?.ms, holdOff.of(listJobs)]).toEqual([20_000, undefined]);
	holdOff.note(listJobs, asking(429, 5));
	expect([holdOff.of(explore)?.ms, holdOff.of(listJobs)?.ms]).toEqual([20_000, 5000]);
	clock.advance(5000);
	expect([holdOff.of(explore)?.ms, holdOff.of(listJobs)]).toEqual([15_000, undefined]);
	clock.advance(15_000);
	expect(holdOff.of(explore)).toBeUndefined();
});

test('what asks for nothing holds nothing, and nobody is held for longer than a day', () => {
	const clock = new ManualClock(0);
	const holdOff = new HoldOff({clock, random: () => 1});
	for (const error of [asking(429, undefined), asking(429, 0), new Error('broken'), undefined]) {
		holdOff.note(explore, error);
		expect(holdOff.of(explore)).toBeUndefined();
	}
	holdOff.note(explore, asking(429, 3_155_760_000));
	expect(holdOff.of(explore)?.ms).toBe(86_400_250);
});

test('a call that was not sent says so, who asked for it, and how long it takes', () => {
	const error = heldOff(explore, {ms: 29_200, error: asking(429, 30)}, 'https://lake.test');
	expect(error).toMatchObject({
		name: 'ServiceError',
		status: 429,
		detail: 'Slow down',
		retryAfterSeconds: 29.2,
	});
	expect(error.message).toBe(
		'POST /v1/datasets/explore was not sent: https://lake.test asked to wait 30 s more (429: Slow down).',
	);
});
