import fc from 'fast-check';
import {expect, test} from 'vitest';
import {defaultRetry, nextDelayMs, retryAfterSeconds} from '../../source/client/retry.ts';

test('a Retry-After holds seconds or a date', () => {
	const now = Date.parse('2026-05-01T12:00:00Z');
	expect(retryAfterSeconds('7', now)).toBe(7);
	expect(retryAfterSeconds('Fri, 01 May 2026 12:00:30 GMT', now)).toBe(30);
	expect(retryAfterSeconds('Fri, 01 May 2026 11:00:00 GMT', now)).toBe(0);
	expect(retryAfterSeconds('soon', now)).toBeUndefined();
	expect(retryAfterSeconds(undefined, now)).toBeUndefined();
});

test('waits double, never pass the cap, and differ from caller to caller', () => {
	const policy = {tries: 20, firstDelayMs: 100, maxDelayMs: 1000};
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 19}),
			fc.double({min: 0, max: 1, noNaN: true}),
			(failures, chance) => {
				const whole = Math.min(1000, 100 * 2 ** (failures - 1));
				expect(nextDelayMs(policy, {failures}, () => chance)).toBeCloseTo(whole * (0.5 + chance / 2), 6);
			},
		),
	);
});

test('a Retry-After is honoured, and ends the trying when it asks for too much', () => {
	expect(nextDelayMs(defaultRetry, {failures: 1, retryAfter: 3})).toBe(3000);
	expect(nextDelayMs(defaultRetry, {failures: 1, retryAfter: 0})).toBeGreaterThan(0);
	expect(nextDelayMs(defaultRetry, {failures: 1, retryAfter: 11})).toBeUndefined();
});

test('three tries are made in all', () => {
	expect(nextDelayMs(defaultRetry, {failures: 2})).toBeDefined();
	expect(nextDelayMs(defaultRetry, {failures: 3})).toBeUndefined();
});
