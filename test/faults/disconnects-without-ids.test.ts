import type {ServerResponse} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {calmPaceMs} from '../../source/store/queries/polling.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {jobAt} from '../hosted-service/jobs.ts';
import {explorerOf} from '../store/support.ts';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {hosted} from '../support/hosted.ts';
import {openStream, serving} from './support/event-server.ts';
import {fakeTime} from './support/fake-time.ts';
import {follow} from './support/following.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const cuts = times(100, 1000);
const jobs = Array.from({length: 8}, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);

test(
	`${cuts} cuts, what happens in between told to nobody: a gap is told each time, and listing at gaps ends with what the service holds`,
	async () => {
		const random = randomFrom(42);
		/** What the service holds: a phase a job. It tells of changes without ids, to whoever listens just then. */
		const held = new Map<string, number>();
		const readers = new Set<ServerResponse>();
		const change = () => {
			const job_id = jobs[Math.floor(random() * jobs.length)] ?? '';
			held.set(job_id, (held.get(job_id) ?? 0) + 1);
			for (const reader of readers) reader.write(`data: ${JSON.stringify({job_id})}\n\n`);
		};
		const service = await serving(response => {
			readers.add(response);
			response.on('close', () => readers.delete(response));
			openStream(response);
			for (let count = 0; count < 10; count++) change();
		});
		const proxy = await startFaultProxy(service.url, nth =>
			nth > cuts ? {} : {cutAfter: Math.floor(random() * 400), reset: random() < 0.3},
		);
		/** What is shown: listed when the stream is first there and after every gap, fetched where an event names it. */
		const shown = new Map<string, number>();
		const list = () => {
			for (const [job, phase] of held) shown.set(job, phase);
		};
		let lives = 0;
		const following = follow(proxy.url, {
			random,
			onLive: () => {
				if (++lives === 1) list();
			},
			onGap: list,
			onEvent: ({hint}) => {
				for (const job of hint.jobs) shown.set(job, held.get(job) ?? 0);
			},
			// While nobody listens, things go on.
			onConnecting: () => {
				for (let count = 0; count < 2; count++) change();
			},
		});
		const timeout = patience(cuts, 50);
		await expect.poll(() => proxy.connections, {timeout, interval: 20}).toBeGreaterThan(cuts);
		await expect.poll(() => shown, {timeout}).toEqual(held);
		await proxy.close();
		expect(following.gaps).toBe(lives - 1);
		expect(lives).toBeGreaterThan(cuts / 3);
	},
	patience(cuts, 100),
);

const storeCuts = times(20, 200);

test(
	`${storeCuts} cuts, what happens in between told to nobody: the store is equal to the service within one polling period`,
	async () => {
		const random = randomFrom(43);
		const service = await hosted({episodes: 20});
		const [job = ''] = service.state.jobs.keys();
		const time = fakeTime();
		onTestFinished(() => time.end());
		const explorer = explorerOf(service);
		explorer.listen();
		await time.pass(2000);
		explorer.update(viewed('jobs'));
		await time.pass(2000);
		explorer.jobs.look([job]);
		await time.pass(5000);
		for (let cut = 1; cut <= storeCuts; cut++) {
			service.state.events.drop();
			const episodes = 20 + Math.floor(random() * 100);
			const held = jobAt(job, 'running', Math.floor(random() * 3));
			service.setEpisodes(episodes);
			service.state.jobs.set(job, held);
			await time.pass(calmPaceMs);
			const shown = explorer.jobs.known.getState().jobs.find(({id}) => id === job);
			expect([cut, explorer.window.result.getState().rowCount, shown?.phase]).toEqual([
				cut,
				episodes,
				held.current_phase,
			]);
		}
	},
	patience(storeCuts, 500),
);
