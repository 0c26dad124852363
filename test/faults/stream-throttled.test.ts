import {setImmediate as soon} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {json} from '../client/wire-server.ts';
import {serving} from './support/event-server.ts';
import {follow} from './support/following.ts';

async function throttled(status: number, retryAfter: string, random = 0) {
	const headers = {'retry-after': retryAfter};
	const service = await serving(json({detail: 'Slow down'}, {status, headers}));
	const following = follow(service.url, {hasty: false, random: () => random});
	await expect.poll(() => following.pauses.length).toBe(1);
	return {service, following, pause: following.pauses[0] ?? 0};
}

test.each([429, 503])(
	'%i with a Retry-After in seconds: no earlier request from any part of the program',
	async status => {
		const {service, following, pause} = await throttled(status, '120');
		expect(pause).toBeGreaterThanOrEqual(120_000);
		expect(pause).toBeLessThanOrEqual(121_000);
		following.refetch();
		following.clock.advance(119_999);
		await soon();
		expect(service.heard).toHaveLength(1);
		following.clock.advance(1001);
		await expect.poll(() => service.heard.length).toBe(2);
	},
);

test('a Retry-After as a date is waited for', async () => {
	const date = new Date(Date.now() + 300_000);
	const {following} = await throttled(429, date.toUTCString());
	const state = following.states.at(-1);
	const until = state?.phase === 'waiting' ? (state.until ?? 0) : 0;
	// A date of the header has whole seconds.
	expect(until).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000 - 50);
	expect(until).toBeLessThanOrEqual(date.getTime() + 10_000);
});

test.each(['soon', '-5', '1.5e99', '', 'Wed, 99 Foo 2026'])(
	'"%s" is no Retry-After: the usual pause',
	async junk => {
		const {pause} = await throttled(429, junk);
		expect(pause).toBeGreaterThanOrEqual(1000);
		expect(pause).toBeLessThanOrEqual(60_000);
	},
);

test('a Retry-After of a hundred years is waited for a day', async () => {
	const {pause} = await throttled(429, '3155760000', 1);
	expect(pause).toBe(86_401_000);
});
