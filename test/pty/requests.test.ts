import {expect, onTestFinished, test, vi} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {identity} from '../hosted-service/identity.ts';
import {firstProject, jobAt} from '../hosted-service/jobs.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {explore, goByProxy, isFresh} from './support.ts';

const home = programHome();

/** What a start may ask. */
const mostAtStart = 10;

/** The same is asked for again two seconds later at the soonest. */
const sameGapMs = 2000;

/** Waits until nothing has been asked for so long that whatever is asked for twice was: the rest is asked for at once. */
async function quiet(requests: readonly unknown[], ms = sameGapMs + 500): Promise<void> {
	let seen = requests.length;
	let since = performance.now();
	await vi.waitUntil(
		() => {
			if (requests.length !== seen) [seen, since] = [requests.length, performance.now()];
			return performance.now() - since > ms;
		},
		{timeout: 60_000, interval: 50},
	);
}

type Asked = {readonly method: string; readonly path: string; readonly body: unknown};

const named = (requests: readonly Asked[]) =>
	requests.map(({method, path, body}) =>
		[method, path, typeof body === 'string' ? body : JSON.stringify(body)].join(' ').trimEnd(),
	);

const explores = (requests: readonly Asked[]) => requests.filter(({path}) => path.includes('/explore'));

/** A service with more episodes than a page, and with more jobs than anybody needs to hear of at once. */
async function busyService(): Promise<HostedService> {
	const service = await startHostedService({episodes: 5000});
	onTestFinished(() => service.close());
	for (let nth = 10; nth < 50; nth++) {
		const id = identity('job', nth, 0);
		service.state.jobs.set(id, jobAt(id, nth === 49 ? 'running' : 'completed', 1));
		service.state.jobItems.push({job_id: id, project_id: firstProject});
	}
	return service;
}

test('a hosted service is asked ten things at a start, none of them twice, one for a filter, and once in two seconds for what events name', async () => {
	const service = await busyService();
	const {requests} = service;
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	await quiet(requests);
	expect(named(requests).slice(mostAtStart)).toEqual([]);
	expect(named(requests)).toEqual([...new Set(named(requests))]);

	let before = requests.length;
	explorer.press('/', ...'tier:retrainable');
	await explorer.until(({text}) => /tier:retrainable.*\d match/.test(text), 'the count');
	explorer.press('enter');
	await explorer.until(screen => isFresh(screen) && screen.text.includes('tier:retrainable'), 'the rows');
	await quiet(requests);
	const offsets = requests.slice(before).map(({path, body}) => [path, (body as {offset?: number})?.offset]);
	// Typed in one breath it is one text; a machine that is slow at it may take it for two.
	expect(offsets.length).toBeLessThanOrEqual(2);
	expect(offsets).toEqual(offsets.map(() => ['/v1/datasets/explore', 0]));
	const asked = requests.slice(before).map(({body}) => JSON.stringify(body));
	expect(new Set(asked).size).toBe(asked.length);

	before = requests.length;
	const ids = [...service.state.jobs.keys()];
	const beganAt = performance.now();
	const told = () => requests.slice(before);
	// As fast as they come, and the next ones as soon as the last ones have been heard of.
	for (let heard = 1; heard <= 3; heard++) {
		for (let nth = 0; nth < 30; nth++) {
			const job = {job_id: ids[(30 * heard + nth) % ids.length], status: 'running'};
			service.state.events.publish({data: nth % 2 === 0 ? job : {note: 'nothing is named here'}});
		}
		await vi.waitUntil(() => explores(told()).length >= heard, {timeout: 30_000, interval: 5});
	}
	const passed = performance.now() - beganAt;
	expect(explores(told()).length).toBeLessThanOrEqual(passed / sameGapMs + 1);
	// What does not show waits: jobs that are named are read one at a time.
	expect(told().length - explores(told()).length).toBeLessThanOrEqual(passed / 15_000 + 2);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 90_000);

test('of forty jobs only those on the screen are requested, and for an opened job without models no model list', async () => {
	const service = await busyService();
	const {requests} = service;
	const explorer = explore(home, [], {cols: 100, rows: 12, service});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	explorer.press('3');
	await explorer.until(({text}) => /Jobs/.test(text) && !text.includes('▢'), 'the jobs with their states');
	explorer.press('g', 'enter');
	await explorer.untilText('Phases');
	await quiet(requests);
	const statuses = requests.filter(({path}) => path.startsWith('/v1/finetune/'));
	expect(statuses.length).toBeGreaterThan(3);
	expect(statuses.length).toBeLessThanOrEqual(12);
	const lists = requests.map(({path}) => path).filter(path => path.endsWith('/list'));
	expect(lists.filter(path => path !== '/v1/jobs/list')).toEqual(['/v1/projects/list']);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 90_000);

test('an embedded service is asked ten things at a start, none of them twice, and one for a filter', async () => {
	const folder = home.at('recordings', 'cups');
	await writeLerobotDataset(folder);
	const lake = home.at('lake');
	const served = home.start(['serve', '--lake', lake], {LAKESCOPE_API_KEY: undefined});
	onTestFinished(() => {
		served.kill();
	});
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	const {requests} = await goByProxy(home);

	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	await quiet(requests);
	expect(requests.length).toBeGreaterThan(3);
	expect(named(requests).slice(mostAtStart)).toEqual([]);
	expect(named(requests)).toEqual([...new Set(named(requests))]);

	explorer.press('/');
	await quiet(requests);
	const before = requests.length;
	explorer.press(...'tier:retrainable');
	await explorer.until(({text}) => /tier:retrainable.*\d match/.test(text), 'the count');
	explorer.press('enter');
	await explorer.until(({rows}) => /\? help$/.test(rows.at(-1) ?? ''), 'the line closed');
	await quiet(requests);
	const asked = named(requests.slice(before));
	expect(asked.length).toBeLessThanOrEqual(2);
	expect(asked.every(each => each.includes('/explore'))).toBe(true);
	expect(new Set(asked).size).toBe(asked.length);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 90_000);
