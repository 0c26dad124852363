import {expect, test} from 'vitest';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {lastIdOf, openStream, serving} from './support/event-server.ts';
import {follow} from './support/following.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const cuts = times(100, 1000);

/** An event of a history, as it stands on the wire. */
function blockOf(id: number): string {
	const comment = id % 5 === 0 ? ': alive\n\n' : '';
	const lineEnd = id % 3 === 0 ? '\r\n' : '\n';
	const lines = ['event: job.phase', `id: ${id}`, `data: {"n": ${id},`, 'data: "phase": "träining"}', ''];
	return comment + lines.map(line => line + lineEnd).join('');
}

test(
	`${cuts} cuts at random bytes: the right Last-Event-ID each time, and each event applied once`,
	async () => {
		const random = randomFrom(41);
		// Two or three events fit between two cuts, after the head of the answer: history outlasts the cuts.
		const newest = cuts * 4;
		const heard: string[] = [];
		const service = await serving((response, request) => {
			const lastId = lastIdOf(request);
			heard.push(lastId);
			openStream(response);
			// One who comes back may be given again what came before.
			const after = Math.max(0, Number(lastId) - (random() < 0.3 ? 2 : 0));
			for (let id = after + 1; id <= newest; id++) response.write(blockOf(id));
		});
		const proxy = await startFaultProxy(service.url, nth =>
			nth > cuts
				? {}
				: {
						cutAfter: Math.floor(random() * 600),
						reset: random() < 0.3,
						...(random() < 0.5 && {pieceBytes: 40}),
					},
		);
		const applied: number[] = [];
		const asked: string[] = [];
		const following = follow(proxy.url, {
			random,
			onConnecting: lastId => asked.push(lastId),
			onEvent: ({data}) => applied.push((JSON.parse(data) as {n: number}).n),
		});
		try {
			await expect.poll(() => applied.length, {timeout: patience(cuts, 50), interval: 20}).toBe(newest);
		} finally {
			await proxy.close();
		}
		expect(applied).toEqual(Array.from({length: newest}, (_, index) => index + 1));
		expect(proxy.connections).toBeGreaterThan(cuts);
		expect(heard).toEqual(asked.slice(0, heard.length));
		// Where it goes on is known by an id, once there was one: nothing was missed.
		expect(heard.filter(id => id === '').length - 1).toBe(following.gaps);
	},
	patience(cuts, 100),
);
