import {expect, onTestFinished, test} from 'vitest';
import {createClient} from '../../../source/client/client.ts';
import {noFilter} from '../../../source/query/filter.ts';
import {Explorer} from '../../../source/store/explorer.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {type FakeTime, fakeTime} from '../../faults/support/fake-time.ts';
import {refused} from '../../hosted-service/faults.ts';
import type {HostedService} from '../../hosted-service/server.ts';
import {hosted} from '../../support/hosted.ts';

const lake = 'POST /v1/datasets/explore';
const events = 'GET /v1/events';
const jobs = 'GET /v1/jobs/list';

/** An explorer whose lake shows, live, with time in the test's hands. */
async function shown(): Promise<{service: HostedService; explorer: Explorer; time: FakeTime}> {
	const service = await hosted({episodes: 60});
	const time = fakeTime();
	onTestFinished(() => time.end());
	const client = createClient({baseUrl: service.url, key: service.key});
	const explorer = new Explorer({
		client,
		queries: createQueryClient(),
		state: initialState(noFilter, undefined),
	});
	onTestFinished(async () => {
		explorer.stop();
		await client.close();
	});
	explorer.listen();
	await time.pass(5000);
	expect(explorer.live.state.getState().phase).toBe('live');
	return {service, explorer, time};
}

const freshness = ({window}: Explorer) => window.result.getState().freshness;
const countOf = ({requests}: HostedService, path: string) =>
	requests.filter(request => request.path.endsWith(path)).length;

test('a single 401 ends neither the stream nor the polling: both are back by themselves', async () => {
	const {service, explorer, time} = await shown();
	service.setFault('*', refused(401, 'Invalid API key'));
	service.state.events.drop();
	explorer.refetch();
	await time.pass(5000);
	expect(explorer.live.state.getState()).toMatchObject({phase: 'stopped', until: expect.any(Number)});
	expect(freshness(explorer)).toMatchObject({state: 'stale', isTriedAgain: true});
	service.setFault('*');
	await time.pass(60_000);
	expect(explorer.live.state.getState().phase).toBe('live');
	expect(freshness(explorer).state).toBe('fresh');
});

test('a key that is refused on and on is hardly ever asked with', async () => {
	const {service, explorer, time} = await shown();
	service.setFault('*', refused(401, 'Invalid API key'));
	service.state.events.drop();
	explorer.refetch();
	const before = service.requests.length;
	await time.pass(3_600_000);
	expect(service.requests.length - before).toBeLessThan(45);
});

test('the stream comes back at once after the key has worked again for anything', async () => {
	const {service, explorer, time} = await shown();
	service.setFault(events, refused(401, 'Invalid API key'));
	service.state.events.drop();
	// Refused so often that the next try is minutes away.
	await time.pass(400_000);
	expect(explorer.live.state.getState().phase).toBe('stopped');
	service.setFault(lake, refused(401, 'Invalid API key'));
	explorer.refetch();
	await time.pass(1000);
	service.setFault('*');
	service.setFault(events);
	service.setFault(lake);
	explorer.refetch();
	await time.pass(1500);
	expect(freshness(explorer).state).toBe('fresh');
	expect(explorer.live.state.getState().phase).toBe('live');
});

test('after a few seconds of 503 all is fresh again within seconds, not a minute', async () => {
	const {service, explorer, time} = await shown();
	explorer.update(viewed('datasets'));
	await time.pass(2000);
	service.setFault('*', refused(503, 'The lake is being repaired'));
	service.state.events.drop();
	explorer.refetch();
	await time.pass(4000);
	expect(freshness(explorer)).toMatchObject({state: 'stale'});
	service.setFault('*');
	await time.pass(6000);
	expect(freshness(explorer).state).toBe('fresh');
	expect(explorer.catalog.datasets.known.getState().freshness.state).toBe('fresh');
	expect(explorer.live.state.getState().phase).toBe('live');
});

test('one answer wakes everything that waits for its next try', async () => {
	const {service, explorer, time} = await shown();
	explorer.update(viewed('jobs'));
	await time.pass(2000);
	service.setFault('*', refused(503, 'The lake is being repaired'));
	service.state.events.drop();
	explorer.refetch();
	// By now the pauses are minutes long.
	await time.pass(300_000);
	expect(freshness(explorer).state).toBe('stale');
	expect(explorer.jobs.known.getState().freshness.state).toBe('stale');
	service.setFault('*');
	explorer.filterBy({...noFilter, search: 'towel'});
	await time.pass(1500);
	expect(explorer.window.result.getState()).toMatchObject({question: {search: 'towel'}, isPrevious: false});
	expect(explorer.jobs.known.getState().freshness.state).toBe('fresh');
	expect(explorer.live.state.getState().phase).toBe('live');
});

test('what fails by itself is not asked for whenever something else is answered', async () => {
	const {service, explorer, time} = await shown();
	explorer.update(viewed('jobs'));
	await time.pass(2000);
	service.setFault(jobs, refused(500, 'The scheduler is away'));
	explorer.refetch();
	await time.pass(300_000);
	const before = countOf(service, '/jobs/list');
	for (let nth = 0; nth < 60; nth++) {
		explorer.filterBy({...noFilter, search: `towel ${nth}`});
		await time.pass(2000);
	}
	expect(countOf(service, '/jobs/list') - before).toBeLessThan(8);
});

test.each([429, 503])(
	'a filter typed while a %i asks to wait is applied as soon as that is over, before anything else is asked',
	async status => {
		const {service, explorer, time} = await shown();
		explorer.update(viewed('jobs'));
		await time.pass(2000);
		explorer.update(viewed('explore'));
		service.setFault('*', refused(status, 'Slow down', '40'));
		service.state.events.drop();
		explorer.refetch();
		const askedAt = Date.now();
		await time.pass(0);
		expect(Date.now() - askedAt).toBeLessThan(30_000);
		const before = service.requests.length;
		explorer.filterBy({...noFilter, search: 'towel'});
		// From here on it would answer, but has asked not to be asked yet.
		service.setFault('*');
		while (Date.now() - askedAt < 40_300) await time.pass(1);
		expect(explorer.window.result.getState()).toMatchObject({question: {search: 'towel'}, isPrevious: false});
		expect(freshness(explorer).state).toBe('fresh');
		const first = service.requests
			.slice(before)
			.find(({path}) => status === 429 || path.endsWith('/explore'));
		expect(first).toMatchObject({path: '/v1/datasets/explore', body: {search: 'towel'}});
	},
);
