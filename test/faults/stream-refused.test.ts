import {setImmediate as soon} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {type Behaviour, json} from '../client/wire-server.ts';
import {openStream, serving} from './support/event-server.ts';
import {follow} from './support/following.ts';

const day = 86_400_000;

const status =
	(code: number): Behaviour =>
	response =>
		response.writeHead(code).end();

const page: Behaviour = response => {
	response.writeHead(200, {'content-type': 'text/html'});
	// Left open: what is no stream of events is not read to an end that may never come.
	response.write('<!doctype html>');
};

test('204 stops the stream for good, in words', async () => {
	const words = 'has no events (204)';
	const service = await serving(status(204));
	const following = follow(service.url, {hasty: false});
	await following.ended;
	following.refetch();
	following.clock.advance(day);
	await soon();
	expect(service.heard).toHaveLength(1);
	expect(following.states.at(-1)).toEqual({phase: 'stopped', until: undefined, reason: following.reason});
	expect(following.reason).toContain(words);
});

test.each([
	['401', 'No such key'],
	['403', 'Not yours'],
])(
	'a key that is refused once with %s does not end the stream: it is looked for again, ever more rarely',
	async (code, detail) => {
		const refusing = json({detail}, {status: Number(code)});
		let works = false;
		const service = await serving((response, heard, nth) => {
			if (works) openStream(response);
			else refusing(response, heard, nth);
		});
		const following = follow(service.url, {hasty: false, random: () => 0});
		for (let attempt = 1; attempt <= 8; attempt++) {
			await expect.poll(() => following.pauses.length).toBe(attempt);
			expect(following.states.at(-1)?.phase).toBe('stopped');
			expect(following.reason).toContain(`refused the key (${code}: ${detail})`);
			if (attempt < 8) following.clock.advance(following.pauses.at(-1) ?? 0);
		}
		expect(following.pauses).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
		works = true;
		following.refetch();
		await expect.poll(() => following.states.at(-1)?.phase).toBe('live');
	},
);

test.each([
	['404', json({detail: 'Not Found'}, {status: 404}), 'with 404: Not Found'],
	['405', json({detail: 'No'}, {status: 405}), 'with 405: No'],
	['501', json({detail: 'Not in this version'}, {status: 501}), 'with 501'],
	['a page for people', page, 'expected text/event-stream, found text/html'],
	['JSON', json({items: []}), 'expected text/event-stream, found application/json'],
	[
		'a compressed stream',
		(response => {
			response.writeHead(200, {'content-type': 'text/event-stream', 'content-encoding': 'gzip'});
			response.write('x');
		}) satisfies Behaviour,
		'found the coding gzip',
	],
] as const)('%s stops the stream, and it is looked for again rarely', async (_, behaviour, words) => {
	const service = await serving(behaviour);
	const following = follow(service.url, {hasty: false});
	for (let attempt = 1; attempt <= 4; attempt++) {
		await expect.poll(() => following.pauses.length).toBe(attempt);
		expect(following.states.at(-1)?.phase).toBe('stopped');
		expect(following.reason).toContain(words);
		expect(service.heard).toHaveLength(attempt);
		const pause = following.pauses.at(-1) ?? 0;
		expect(pause).toBeGreaterThanOrEqual(600_000);
		following.clock.advance(pause - 1);
		await soon();
		expect(following.states.at(-1)?.phase).toBe('stopped');
		following.clock.advance(1);
	}
});

test('a stream that becomes available is followed after a refresh by key', async () => {
	const service = await serving((response, heard, nth) => {
		if (nth === 1) json({detail: 'Not Found'}, {status: 404})(response, heard, nth);
		else openStream(response);
	});
	const following = follow(service.url, {hasty: false});
	await expect.poll(() => following.states.at(-1)?.phase).toBe('stopped');
	following.refetch();
	await expect.poll(() => following.states.at(-1)?.phase).toBe('live');
	expect(following.gaps).toBe(0);
});

test('a service that keeps failing is retried more and more rarely, down to once a minute', async () => {
	const service = await serving(json({detail: 'Down'}, {status: 503}));
	const following = follow(service.url, {random: () => 0});
	await expect.poll(() => following.pauses.length).toBeGreaterThanOrEqual(8);
	expect(following.pauses.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 40_000, 40_000]);
});
