import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {ingestSubject} from '../../source/commands/ingest-subject.ts';
import {Watch} from '../../source/commands/status-command.ts';
import {empty, html, refused, reset} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {ManualClock} from '../support/manual-clock.ts';

const id = '00000000-0000-4000-8000-000000000001';
const route = 'GET /v1/datasets/sync-status/{operation_id}';
const stop = new AbortController();

let service: HostedService;
let client: Client;
let clock: ManualClock;

beforeEach(async () => {
	service = await startHostedService({episodes: 1});
	clock = new ManualClock();
	client = createClient({baseUrl: service.url, key: service.key, retry: {tries: 1}, clock});
	service.state.syncs.set(id, {phase: 'queued', done: false});
});

afterEach(async () => {
	await client.close();
	await service.close();
});

const looks = () => service.requests.filter(({path}) => path.includes('sync-status')).length;

/** Follows the operation with time in the test's hands. */
function following() {
	const phases: string[] = [];
	const troubles: string[] = [];
	let recoveries = 0;
	const watch = new Watch(ingestSubject(id), {
		onStatus: async ({phase}) => void phases.push(phase),
		onTrouble: sentence => troubles.push(sentence),
		onRecovery: () => recoveries++,
		clock,
	});
	/** Goes on in time until something is so. */
	const until = async (is: () => boolean, step = 100) =>
		expect
			.poll(
				() => {
					if (is()) return true;
					clock.advance(step);
					return false;
				},
				{interval: 5, timeout: 10_000},
			)
			.toBe(true);
	return {clock, phases, troubles, until, watch, recoveries: () => recoveries};
}

test('a re-ingest is followed through a phase that nobody knows to its end, each status told once', async () => {
	const {watch, phases, until} = following();
	const end = watch.run(client, stop.signal);
	await until(() => phases.length === 1 && looks() > 2);
	service.state.syncs.set(id, {phase: 'polishing', done: false});
	await until(() => phases.length === 2);
	service.state.syncs.set(id, {phase: 'finalized', done: true, generation: 2});
	await until(() => phases.length === 3);
	expect(await end).toMatchObject({phase: 'finalized', generation: 2});
	expect(phases).toEqual(['queued', 'polishing', 'finalized']);
});

test('what stands still is looked at ever more rarely, and an event that names it wakes', async () => {
	const {watch, clock, phases, until} = following();
	const end = watch.run(client, stop.signal);
	await until(() => looks() >= 12, 1000);
	await expect.poll(() => service.state.events.subscribers).toBe(1);
	const before = clock.now();
	const looked = looks();
	await until(() => looks() === looked + 1, 500);
	expect(clock.now() - before).toBeGreaterThan(5000);
	service.state.syncs.set(id, {phase: 'failed', done: true, message: 'no'});
	service.state.events.publish({data: {job_id: '00000000-0000-4000-8000-00000000000f'}});
	service.state.events.publish({data: {nested: [{operationId: id.toUpperCase()}]}});
	const woken = clock.now();
	await until(() => phases.length === 2, 10);
	expect(clock.now() - woken).toBeLessThan(5000);
	expect(await end).toMatchObject({phase: 'failed'});
});

test('a burst of events costs a look each fifth of a second at most', async () => {
	const {watch, clock, until} = following();
	const stopping = new AbortController();
	const end = watch.run(client, stopping.signal).catch(() => undefined);
	await expect.poll(() => service.state.events.subscribers).toBe(1);
	await until(() => looks() >= 2);
	const before = clock.now();
	const looked = looks();
	for (let burst = 0; burst < 20; burst++) {
		for (let nth = 0; nth < 50; nth++) service.state.events.publish({data: {operation_id: id}});
		await until(() => looks() > looked + burst, 20);
	}
	expect((looks() - looked) / ((clock.now() - before) / 1000)).toBeLessThanOrEqual(5.5);
	stopping.abort();
	await end;
});

test.each([
	['an outage', refused(503)],
	['a connection that breaks', reset],
])('%s is waited out, told once, and what followed is told after it', async (_, fault) => {
	const {watch, phases, troubles, until, recoveries} = following();
	const end = watch.run(client, stop.signal);
	await until(() => phases.length === 1);
	service.setFault('*', fault);
	const looked = looks();
	await until(() => looks() >= looked + 5, 500);
	expect(troubles).toHaveLength(1);
	service.state.syncs.set(id, {phase: 'finalized', done: true});
	service.setFault('*');
	await until(() => phases.length === 2, 500);
	await end;
	expect([phases, recoveries()]).toEqual([['queued', 'finalized'], 1]);
});

test('a throttled look comes no sooner than was asked', async () => {
	const {watch, clock, phases, until} = following();
	const end = watch.run(client, stop.signal);
	await until(() => phases.length === 1);
	service.setFault(route, refused(429, 'Slow down', 30));
	const looked = looks();
	await until(() => looks() === looked + 1);
	const at = clock.now();
	service.setFault(route);
	service.state.syncs.set(id, {phase: 'finalized', done: true});
	await until(() => phases.length === 2, 500);
	expect(clock.now() - at).toBeGreaterThanOrEqual(29_900);
	await end;
});

test.each([
	['a refused key', refused(401, 'No'), 'refused the key'],
	['an operation that is gone', refused(404, 'Unknown operation'), 'Unknown operation'],
	['a page for people', html(), 'with HTML where JSON was expected'],
	['nothing', empty(), 'with nothing where JSON was expected'],
])('%s ends it in words', async (_, fault, words) => {
	const {watch, phases, until} = following();
	const end = watch.run(client, stop.signal).catch((error: Error) => error.message);
	await until(() => phases.length === 1);
	service.setFault(route, fault);
	const looked = looks();
	await until(() => looks() > looked);
	expect(await end).toContain(words);
});

test('a service that cannot be reached at the first look is a failure', async () => {
	service.setFault('*', reset);
	await expect(following().watch.run(client, stop.signal)).rejects.toThrow('closed the connection');
});

test('the lines of a watch tell how much is done, one a tenth, and what came of it at the end', () => {
	const {news} = ingestSubject(id);
	const at = (done: number) => ({
		phase: 'preparing',
		done: false,
		progress_json: JSON.stringify({step: 'reading', done, total: 100, unit: 'episodes'}),
	});
	const [first] = news({phase: 'queued', done: false}, at(3), 0);
	expect(first).toMatch(/ preparing, reading: 3\/100 episodes$/);
	expect(news(at(3), at(9), 0)).toEqual([]);
	expect(news(at(9), at(41), 0)).toEqual([expect.stringMatching(/: 41\/100 episodes$/)]);
	const ended = {phase: 'finalized', done: true, message: 'done', episode_count: 100, total_frames: 4000};
	expect(news(at(99), ended, 0)).toEqual([
		expect.stringMatching(/finalized: done · 100 episodes, 4,000 frames$/),
	]);
});
