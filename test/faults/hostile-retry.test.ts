import {expect, test} from 'vitest';
import {openStream, serving} from './support/event-server.ts';
import {follow} from './support/following.ts';

const attempts = 12;

/** A stream that asks for a wait, brings an event or none, and ends. */
async function pausesAfter(retry: string, text: string, random: number): Promise<readonly number[]> {
	const service = await serving(response => {
		openStream(response);
		response.end(`retry: ${retry}\n\n${text}`);
	});
	const following = follow(service.url, {random: () => random});
	await expect.poll(() => following.pauses.length, {interval: 5}).toBeGreaterThanOrEqual(attempts);
	following.stop();
	return following.pauses;
}

test.each(['0', '99999999999', '-5', '1e3', '', '9'.repeat(400)])(
	'a stream that asks to wait "%.12s" is reconnected after 1 to 60 s, however often',
	async retry => {
		for (const text of ['', 'data: x\n\n']) {
			for (const random of [0, 0.5, 1]) {
				const pauses = await pausesAfter(retry, text, random);
				expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
				expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
			}
		}
	},
);

test('a reasonable requested wait is kept while events come, and grows while none do', async () => {
	const [first = 0, ...others] = await pausesAfter('5000', 'data: x\n\n', 0);
	expect([first, ...others].every(pause => pause === 5000)).toBe(true);
	const idle = await pausesAfter('5000', '', 0);
	expect(idle.slice(0, 5)).toEqual([5000, 10_000, 20_000, 40_000, 40_000]);
});
