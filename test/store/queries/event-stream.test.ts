import {expect, onTestFinished, test} from 'vitest';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {refused} from '../../hosted-service/faults.ts';
import {startFaultProxy} from '../../support/fault-proxy.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

const explore = 'POST /v1/datasets/explore';
const events = 'GET /v1/events';

const exploreCalls = (service: {requests: readonly {path: string}[]}) =>
	service.requests.filter(({path}) => path.endsWith('/explore')).length;

test('an event that names nothing known brings what is on the screen up to date', async () => {
	const service = await hosted({episodes: 60});
	const explorer = explorerOf(service);
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	await until(explorer.window.result, ({rowCount}) => rowCount === 60);
	service.setEpisodes(75);
	service.state.events.publish({event: 'nobody.knows', data: {}});
	await until(explorer.window.result, ({rowCount}) => rowCount === 75);
});

test('what happened while the stream was cut shows once it is back', async () => {
	const service = await hosted({episodes: 60});
	const proxy = await startFaultProxy(service.url);
	onTestFinished(() => proxy.close());
	const explorer = explorerOf({url: proxy.url, key: service.key});
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	await until(explorer.window.result, ({rowCount}) => rowCount === 60);
	service.setEpisodes(40);
	proxy.cutAll();
	await until(explorer.live.state, ({phase}) => phase !== 'live');
	explorer.live.refetch();
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	await until(explorer.live.state, ({phase}) => phase === 'live');
	const {entries} = await until(explorer.live.log.known, log =>
		log.entries.some(entry => entry.kind === 'mark' && entry.mark.what === 'missed'),
	);
	expect(entries.flatMap(entry => (entry.kind === 'mark' ? [entry.mark.what] : []))).toEqual([
		'live',
		'interrupted',
		'live',
		'missed',
	]);
});

test('a service without events is polled all the same, and the reason is kept', async () => {
	const service = await hosted({episodes: 20, faults: {[events]: refused(404, 'Not Found')}});
	const explorer = explorerOf(service);
	explorer.listen();
	const state = await until(explorer.live.state, ({phase}) => phase === 'stopped');
	expect(state).toMatchObject({reason: expect.stringMatching(/events/)});
	const before = exploreCalls(service);
	service.setEpisodes(30);
	explorer.refetch();
	await until(explorer.window.result, ({rowCount}) => rowCount === 30);
	expect(exploreCalls(service)).toBeGreaterThan(before);
});

test('the stream is not asked for before the first page is there', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	const paths = service.requests.map(({path}) => path);
	expect(paths.indexOf('/v1/datasets/explore')).toBeLessThan(paths.indexOf('/v1/events'));
});

test('when it is tried again is told, and stays what was told', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 20);
	service.setFault(explore, refused(500, 'the lake is being repaired'));
	explorer.refetch();
	const {freshness} = await until(
		explorer.window.result,
		({freshness: now}) => now.state === 'stale' && !now.isReading,
	);
	const nextAt = freshness.state === 'stale' ? freshness.nextAt : undefined;
	expect(nextAt).toBeGreaterThan(Date.now());
	explorer.window.show(0, 5);
	expect(explorer.window.result.getState().freshness).toMatchObject({nextAt});
});

test('a storm of events that names hundreds of operations asks for four things a second at most', async () => {
	const service = await hosted({episodes: 20});
	const ids = Array.from({length: 300}, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
	for (const id of ids) service.state.syncs.set(id, {phase: 'preparing', done: false});
	const explorer = explorerOf(service);
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	explorer.update(viewed('uploads'));
	await until(explorer.uploads.known, ({hasList}) => hasList === false);
	// What is read of jobs at the start is not of the storm.
	await until(explorer.jobs.known, ({isCurrent}) => isCurrent);
	const before = service.requests.length;
	const beganAt = Date.now();
	for (let round = 0; round < 10; round++)
		for (const operation_id of ids) service.state.events.publish({data: {operation_id, phase: 'preparing'}});
	await until(explorer.uploads.known, ({entries}) => entries.length >= 5);
	const seconds = (Date.now() - beganAt) / 1000;
	// The bound, and what was asked for before the storm came.
	expect(service.requests.length - before).toBeLessThanOrEqual(4 * seconds + 4);
	expect(explorer.live.log.known.getState().entries.length).toBeLessThanOrEqual(2000);
});
