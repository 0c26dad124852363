import {expect, onTestFinished, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {noFilter} from '../../source/query/filter.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/query-client.ts';
import {viewed} from '../../source/store/view-transitions.ts';
import {refused} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted, until} from '../store/support.ts';
import {ManualClock} from '../support/manual-clock.ts';

const isStill = ({freshness}: {freshness: {state: string; isReading?: boolean}}) =>
	freshness.state === 'stale' && freshness.isReading === false;

/** An explorer whose client waits by a clock of the test's own. */
async function shown(): Promise<{service: HostedService; explorer: Explorer; clock: ManualClock}> {
	const service = await hosted({episodes: 60});
	const clock = new ManualClock();
	const client = createClient({baseUrl: service.url, key: service.key, clock});
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
	await until(explorer.live.state, ({phase}) => phase === 'live');
	await until(
		explorer.window.result,
		({rowCount, freshness}) => rowCount === 60 && freshness.state === 'fresh',
	);
	return {service, explorer, clock};
}

/** All that may have something read again: a hand, an event, another view, another filter. */
function askInEveryWay(explorer: Explorer, service: HostedService): void {
	service.state.events.publish({data: {}});
	for (const view of ['uploads', 'jobs', 'explore'] as const) {
		explorer.update(viewed(view));
		explorer.refresh();
	}
	explorer.filterBy({...noFilter, search: 'cups'});
	explorer.filterBy(noFilter);
	for (let presses = 0; presses < 20; presses++) explorer.refresh();
}

const dateIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

test.each([
	['seconds', '120', 119],
	['a date', dateIn(120), 110],
])('a 429 that asks to wait until %s: no earlier request, whatever asks', async (_, retryAfter, waitS) => {
	const {service, explorer, clock} = await shown();
	service.setFault('*', refused(429, 'Slow down', retryAfter));
	explorer.refresh();
	await until(explorer.window.result, isStill);
	// What was under way before the answer came arrives meanwhile.
	askInEveryWay(explorer, service);
	await until(explorer.window.result, isStill);
	const before = service.requests.length;
	for (let minute = 0; minute < 2; minute++) {
		askInEveryWay(explorer, service);
		// Every ask was answered, in one way or the other.
		await until(explorer.window.result, isStill);
		clock.advance((waitS * 1000) / 2);
	}
	expect(service.requests.length).toBe(before);
	expect(explorer.window.result.getState()).toMatchObject({rowCount: 60, freshness: {state: 'stale'}});
	expect(explorer.window.result.getState().freshness).toMatchObject({
		reason: expect.stringMatching(/asked to wait \d+ s more \(429: Slow down\)/),
	});
	service.setFault('*');
	clock.advance(15_000);
	explorer.refresh();
	await until(explorer.window.result, ({freshness}) => freshness.state === 'fresh');
	expect(service.requests.length).toBeGreaterThan(before);
});

test.each(['soon', '-5', '1.5e99', 'Wed, 99 Foo 2026'])(
	'a 429 with "%s" asks for nothing: it is tried as ever',
	async junk => {
		const {service, explorer} = await shown();
		service.setFault('POST /v1/datasets/explore', refused(429, 'Slow down', junk));
		const tries = () => service.requests.filter(({path}) => path.endsWith('/explore')).length;
		const before = tries();
		explorer.refresh();
		await expect.poll(tries).toBeGreaterThan(before);
		service.setFault('POST /v1/datasets/explore');
		explorer.refresh();
		await until(explorer.window.result, ({freshness}) => freshness.state === 'fresh');
	},
);
