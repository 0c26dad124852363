import {expect, onTestFinished, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {noFilter} from '../../source/query/filter.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/queries/query-client.ts';
import type {ViewId} from '../../source/store/state/user-state.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {startCountingProxy} from '../support/counting-proxy.ts';
import {hosted} from '../support/hosted.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {type FakeTime, fakeTime} from './support/fake-time.ts';

const home = serviceHome();
const operation = '00000000-0000-4000-8000-000000000001';
const minutes = 30;
const mostAMinute = 2;

/** An explorer of a service whose stream is live, with time in the test's hands. */
async function watching(
	service: {readonly url: string; readonly key: string},
	isOwn: boolean,
): Promise<{explorer: Explorer; client: Client; time: FakeTime}> {
	const time = fakeTime();
	onTestFinished(() => time.end());
	const client = createClient({baseUrl: service.url, key: service.key});
	const explorer = new Explorer({
		client,
		queries: createQueryClient(),
		state: initialState(noFilter, undefined),
		isOwn,
	});
	onTestFinished(async () => {
		explorer.stop();
		await client.close();
	});
	explorer.window.show(0, 20);
	explorer.listen();
	await time.pass(5000);
	expect(explorer.live.state.getState().phase).toBe('live');
	return {explorer, client, time};
}

/** How many requests a minute there are while nobody does anything in a view. */
async function idle(
	{explorer, time}: {explorer: Explorer; time: FakeTime},
	view: ViewId,
	requests: readonly unknown[],
): Promise<number> {
	explorer.update(viewed(view));
	if (view === 'jobs') explorer.jobs.look(explorer.jobs.known.getState().jobs.map(({id}) => id));
	// What is read because the view was opened.
	await time.pass(20_000);
	const before = requests.length;
	await time.pass(minutes * 60_000);
	expect(explorer.window.result.getState().freshness.state).toBe('fresh');
	return (requests.length - before) / minutes;
}

test('a hosted service with a job and an upload under way gets at most two requests a minute while no key is pressed', async () => {
	const service = await hosted({episodes: 500});
	service.state.syncs.set(operation, {phase: 'preparing', done: false});
	const seen = await watching(service, false);
	expect(seen.explorer.follow('uploads', operation)).toBe(true);
	for (const view of ['explore', 'uploads', 'jobs', 'datasets', 'models', 'events'] as const)
		expect([view, await idle(seen, view, service.requests)]).toEqual([
			view,
			expect.toSatisfy(rate => rate > 0 && rate <= mostAMinute),
		]);
	const paths = service.requests.map(({path}) => path);
	expect(paths.filter(path => path === '/local/v1')).toHaveLength(1);
});

test('an embedded service gets at most two requests a minute while no key is pressed', async () => {
	const lake = home.lake();
	const joined = await home.join(lake);
	const folder = `${home.root}/cups`;
	await writeLerobotDataset(folder);
	await call(joined, '/local/v1/ingests', {body: {folder}});
	await expect
		.poll(async () => {
			const {items} = (await call(joined, '/local/v1/ingests')).json<{items: {status: {done: boolean}}[]}>();
			return items.map(({status}) => status.done);
		})
		.toEqual([true]);
	const proxy = await startCountingProxy(joined.url);
	const seen = await watching({url: proxy.url, key: joined.key}, true);
	for (const view of ['explore', 'uploads', 'jobs', 'datasets'] as const)
		expect([view, await idle(seen, view, proxy.requests)]).toEqual([
			view,
			expect.toSatisfy(rate => rate > 0 && rate <= mostAMinute),
		]);
});

test('an upload and a job that have ended are not requested again, however often their view is opened', async () => {
	const service = await hosted({episodes: 20});
	service.state.syncs.set(operation, {phase: 'finalized', done: true, episode_count: 5});
	const ended = [...service.state.jobs.values()].find(({status}) => status === 'completed')?.job_id ?? '';
	const {explorer, time} = await watching(service, false);
	expect(explorer.follow('uploads', operation)).toBe(true);
	explorer.jobs.look([ended]);
	const asked = () =>
		service.requests.filter(({path}) => path.endsWith(operation) || path.endsWith(ended)).length;
	await time.pass(5000);
	for (const view of ['jobs', 'uploads', 'explore', 'jobs', 'uploads'] as const) {
		explorer.update(viewed(view));
		await time.pass(5000);
		service.state.events.publish({data: {operation_id: operation}});
		service.state.events.publish({data: {job_id: ended}});
		await time.pass(120_000);
	}
	expect(asked()).toBe(2);
	expect(explorer.uploads.known.getState().entries).toMatchObject([{phase: 'finalized'}]);
});
