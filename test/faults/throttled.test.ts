import {expect, onTestFinished, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {noFilter} from '../../source/query/filter.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/queries/query-client.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {refused} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import {type FakeTime, fakeTime} from './support/fake-time.ts';

/** An explorer, with time in the test's hands. */
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
	expect(explorer.window.result.getState()).toMatchObject({rowCount: 60, freshness: {state: 'fresh'}});
	return {service, explorer, time};
}

/** All that may have something read again: a hand, an event, another view, another filter. */
function askInEveryWay(explorer: Explorer, service: HostedService): void {
	service.state.events.publish({data: {}});
	for (const view of ['uploads', 'jobs', 'explore'] as const) {
		explorer.update(viewed(view));
		explorer.refetch();
	}
	explorer.filterBy({...noFilter, search: 'cups'});
	explorer.filterBy(noFilter);
	for (let presses = 0; presses < 20; presses++) explorer.refetch();
}

const afterSeconds = () => '120';
const asDate = () => new Date(Date.now() + 120_000).toUTCString();

test.each([
	['seconds', afterSeconds],
	['a date', asDate],
])('a 429 that asks to wait, in %s: no earlier request, whatever asks', async (_, retryAfter) => {
	const {service, explorer, time} = await shown();
	const asked = retryAfter();
	service.setFault('*', refused(429, 'Slow down', asked));
	const askedAt = Date.now();
	explorer.refetch();
	await time.pass(100);
	const before = service.requests.length;
	const spent = () => Date.now() - askedAt;
	while (spent() < 90_000) {
		askInEveryWay(explorer, service);
		await time.pass(10_000);
		expect([spent() < 119_000, service.requests.length]).toEqual([true, before]);
	}
	const {rowCount, freshness} = explorer.window.result.getState();
	expect([rowCount, freshness.state]).toEqual([60, 'stale']);
	expect('reason' in freshness && freshness.reason).toMatch(/429|asked to wait/);
	// From here on the service would answer: it is asked once its time has come.
	service.setFault('*');
	await time.pass(60_000);
	explorer.refetch();
	await time.pass(5000);
	expect(explorer.window.result.getState().freshness.state).toBe('fresh');
	expect(service.requests.length).toBeGreaterThan(before);
});

test.each(['soon', '-5', '1.5e99', 'Wed, 99 Foo 2026'])(
	'a 429 with the invalid Retry-After "%s" is retried after the usual pause',
	async junk => {
		const {service, explorer, time} = await shown();
		service.setFault('POST /v1/datasets/explore', refused(429, 'Slow down', junk));
		const tries = () => service.requests.filter(({path}) => path.endsWith('/explore')).length;
		const before = tries();
		explorer.refetch();
		await time.pass(2000);
		// Three tries a call, and the next call by itself two seconds after the last of them.
		expect(tries()).toBe(before + 3);
		await time.pass(2500);
		expect(tries()).toBe(before + 6);
		service.setFault('POST /v1/datasets/explore');
		explorer.refetch();
		await time.pass(1000);
		expect(explorer.window.result.getState().freshness.state).toBe('fresh');
	},
);
