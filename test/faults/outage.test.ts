import {isDeepStrictEqual} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {type Client, createClient} from '../../source/client/client.ts';
import {noFilter} from '../../source/query/filter.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/queries/query-client.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {programHome} from '../commands/support/program.ts';
import {refused} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from '../pty/support.ts';
import {hosted} from '../support/hosted.ts';
import {fakeTime} from './support/fake-time.ts';
import {patience, times} from './support/soak.ts';

const home = programHome();
const operation = '00000000-0000-4000-8000-000000000001';
const outageMs = 60_000;

/** The same client, which counts how often each of its functions is called. */
function counting(client: Client): {client: Client; calls: Map<string, number>} {
	const calls = new Map<string, number>();
	const counted = Object.fromEntries(
		Object.entries(client).map(([name, member]) => [
			name,
			typeof member !== 'function'
				? member
				: (...given: unknown[]) => {
						calls.set(name, (calls.get(name) ?? 0) + 1);
						return (member as (...given: unknown[]) => unknown)(...given);
					},
		]),
	);
	return {client: counted as Client, calls};
}

function explorerOf(service: HostedService) {
	const real = createClient({baseUrl: service.url, key: service.key});
	const {client, calls} = counting(real);
	const explorer = new Explorer({
		client,
		queries: createQueryClient(),
		state: initialState(noFilter, undefined),
	});
	onTestFinished(async () => {
		explorer.stop();
		await real.close();
	});
	return {explorer, calls};
}

/** Which function of the client asks what. */
const askedBy: ReadonlyArray<readonly [string, (path: string) => boolean]> = [
	['explore', path => path.endsWith('/explore')],
	['listJobs', path => path === '/v1/jobs/list'],
	['syncStatus', path => path.includes('/sync-status/')],
	['finetuneStatus', path => path.startsWith('/v1/finetune/')],
	['localDocument', path => path === '/local/v1'],
];

test(`${outageMs / 1000} s of 503 over all views: at most three tries a call, spread, and what was known stays`, async () => {
	const service = await hosted({episodes: 60});
	service.state.syncs.set(operation, {
		phase: 'preparing',
		done: false,
		progress_json: '{"done":3,"total":9}',
	});
	const time = fakeTime();
	onTestFinished(() => time.end());
	const several = Array.from({length: 4}, () => explorerOf(service));
	for (const {explorer} of several) {
		explorer.listen();
		await time.pass(1000);
		explorer.update(viewed('uploads'));
		explorer.follow('uploads', operation);
		await time.pass(1000);
		explorer.update(viewed('jobs'));
		await time.pass(2000);
		explorer.jobs.look(explorer.jobs.known.getState().jobs.map(({id}) => id));
		await time.pass(3000);
		explorer.update(viewed('explore'));
	}
	await time.pass(5000);

	const known = ({explorer}: (typeof several)[number]) => ({
		rows: explorer.window.result.getState().rowCount,
		first: explorer.window.result.getState().row(0),
		totals: explorer.window.result.getState().totals,
		jobs: explorer.jobs.known.getState().jobs.map(({id, status}) => [id, status]),
		uploads: explorer.uploads.known.getState().entries.map(({phase}) => phase),
		events: explorer.live.log.known.getState().entries.length > 0,
	});
	const before = several.map(known);
	expect(before[0]).toMatchObject({rows: 60, uploads: ['preparing'], events: true});
	expect(before[0]?.jobs.length).toBe(3);

	const heard: {at: number; path: string}[] = [];
	const calledBefore = several.map(({calls}) => new Map(calls));
	service.setFault('*', async ({request, ...exchange}) => {
		heard.push({at: Date.now(), path: request.path});
		await refused(503, 'The lake is being repaired')({request, ...exchange});
	});
	service.state.events.drop();
	const beganAt = Date.now();
	const byHand = new Set<number>();
	for (const view of ['explore', 'uploads', 'jobs', 'events', 'explore', 'uploads'] as const) {
		for (const {explorer} of several) {
			explorer.update(viewed(view));
			explorer.refetch();
		}
		byHand.add(Date.now());
		await time.pass(outageMs / 6);
	}
	expect(Date.now() - beganAt).toBeGreaterThanOrEqual(outageMs);

	for (const [name, isIts] of askedBy) {
		const calls = several.reduce(
			(sum, each, nth) => sum + (each.calls.get(name) ?? 0) - (calledBefore[nth]?.get(name) ?? 0),
			0,
		);
		const tries = heard.filter(({path}) => isIts(path)).length;
		expect([name, calls > 0]).toEqual([name, true]);
		// What was under way when it began, and what still waits for its next try at the end, make no more of it.
		expect([name, tries <= 3 * (calls + several.length)]).toEqual([name, true]);
		expect([name, tries >= 2 * (calls - several.length)]).toEqual([name, true]);
	}
	// Polls that fail double their pause: no view is asked for oftener than that allows.
	expect(heard.length / several.length).toBeLessThan(200);
	// A hand asked in all of them at once; what follows by itself does not come together.
	for (const wanted of ['/v1/events', '/v1/datasets/explore']) {
		const moments = heard.filter(({path, at}) => path === wanted && !byHand.has(at)).map(({at}) => at);
		expect(moments.length).toBeGreaterThan(2 * several.length);
		expect([wanted, new Set(moments).size]).toEqual([
			wanted,
			expect.toSatisfy(size => size > moments.length * 0.8),
		]);
	}

	expect(several.map(known)).toEqual(before);
	for (const {explorer} of several) {
		expect(explorer.window.result.getState().freshness).toMatchObject({
			state: 'stale',
			reason: expect.stringContaining('503: The lake is being repaired'),
			isTriedAgain: true,
		});
	}

	service.setFault('*');
	service.setEpisodes(80);
	const overAt = Date.now();
	await time.pass(90_000);
	for (const {explorer} of several) {
		expect(explorer.window.result.getState()).toMatchObject({rowCount: 80, freshness: {state: 'fresh'}});
		const marks = explorer.live.log.known.getState().entries.filter(({at}) => at > overAt);
		expect(marks).toContainEqual(expect.objectContaining({mark: expect.objectContaining({what: 'live'})}));
	}
});

const outages = times(1000, outageMs);

test(
	`${outages / 1000} s of 503: the rows stay on the screen, which says since when and takes keys`,
	async () => {
		const service = await hosted({episodes: 60});
		const explorer = explore(home, [], {cols: 120, rows: 30, service, deadlineMs: 15_000});
		const before = await explorer.until(
			screen => isFresh(screen) && screen.text.includes('● live'),
			'the lake',
		);
		const rowsOf = ({rows}: typeof before) => rows.slice(3, 12).map(row => row.slice(30));
		const hasRows = (screen: typeof before) => isDeepStrictEqual(rowsOf(screen), rowsOf(before));
		service.setFault('*', refused(503, 'The lake is being repaired'));
		service.state.events.drop();
		const beganAt = Date.now();
		explorer.press('r');
		await explorer.until(
			screen => /stale since/.test(screen.text) && screen.text.includes('being repaired') && hasRows(screen),
			'what went wrong, over the same rows',
		);
		do {
			for (const view of ['2', '3', '7']) {
				explorer.press(view);
				await explorer.until(screen => !hasRows(screen), `view ${view}`);
			}
			explorer.press('1', 'r');
			await explorer.until(hasRows, 'the same rows');
		} while (Date.now() - beganAt < outages);
		service.setFault('*');
		explorer.press('r');
		await explorer.until(({text}) => /● live|◐ polling/.test(text), 'the lake again');
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
	},
	patience(outages, 2),
);
