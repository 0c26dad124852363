import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const operation = '00000000-0000-4000-8000-000000000001';
const repo = '00000000-0000-4000-8000-000000000008';

test('an upload goes through an unknown phase to its end, with the stream cut in between', async () => {
	const service = await startHostedService({episodes: 60});
	onTestFinished(() => service.close());
	const proxy = await startFaultProxy(service.url);
	onTestFinished(() => proxy.close());
	const explorer = explore(home, [], {cols: 120, rows: 30, service: {url: proxy.url, key: service.key}});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');

	explorer.press('2');
	await explorer.untilText('No uploads.');
	service.state.syncs.set(operation, {
		phase: 'reticulating',
		done: false,
		progress_json: '{"episodes_done":12,"total":40}',
	});
	service.state.events.publish({
		event: 'pipeline',
		data: {operation_id: operation, repo_id: repo, dataset_name: 'new-cups', phase: 'reticulating'},
	});
	const going = await explorer.untilText('12/40 episodes');
	expect(going.row('new-cups')).toContain('reticulating');

	proxy.cutAll();
	service.state.syncs.set(operation, {
		phase: 'finalized',
		done: true,
		generation: 3,
		episode_count: 40,
		total_frames: 12_000,
	});
	service.setEpisodes(100);
	await explorer.untilText('generation 3, 40 episodes, 12,000 frames');

	explorer.press('7');
	await explorer.untilText('interrupted');
	await explorer.untilText('listening again');
	explorer.press('1');
	await explorer.untilText('of 100');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('read-only, nothing is dismissed', async () => {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	service.state.syncs.set(operation, {phase: 'failed', done: true, message: 'the camera file is torn'});
	const explorer = explore(home, ['--read-only'], {cols: 100, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('2', 'f');
	await explorer.untilText('operation id:');
	explorer.press(...operation, 'enter');
	await explorer.untilText('the camera file is torn');
	explorer.press('x');
	await explorer.untilText('read-only');
	expect(service.requests.some(({path}) => path.endsWith('/dismiss'))).toBe(false);
}, 40_000);

test('a job goes through a retry to completed while it is open', async () => {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	const job = [...service.state.jobs.values()].find(({status}) => status === 'running');
	if (job === undefined) throw new Error('no job runs');
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	explorer.press('3');
	await explorer.untilText('● running');
	explorer.press('enter');
	await explorer.untilText('As reported by the service');

	const training = job.phases?.at(-1);
	training?.events?.push({timestamp: new Date().toISOString(), retry_attempt: 7});
	service.state.events.publish({data: {job_id: job.job_id}});
	await explorer.untilText('retry 7');

	if (training) training.status = 'completed';
	job.status = 'completed';
	service.state.events.publish({data: {job_id: job.job_id, status: 'completed'}});
	await explorer.until(
		({text}) => !text.includes('● running') && /status +✓ completed/.test(text),
		'its end',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('an augmentation is cancelled after a question that names what is lost, and only then', async () => {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	const job = [...service.state.augmentations.values()].find(({status}) => status === 'running');
	if (job === undefined) throw new Error('no augmentation runs');
	const cancels = () => service.requests.filter(({path}) => path.endsWith('/cancel')).length;
	const explorer = explore(home, [], {cols: 100, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('3', 'f');
	await explorer.untilText('job id:');
	explorer.press(...job.job_id, 'enter');
	await explorer.until(
		({text}) => /▸.*● running/.test(text) && text.includes('x cancel'),
		'the augmentation',
	);
	explorer.press('x');
	await explorer.untilText('no dataset results');
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('no dataset results'), 'the question gone');
	expect(cancels()).toBe(0);
	explorer.press('x', 'y');
	await explorer.untilText('✗ cancelled');
	expect(cancels()).toBe(1);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);
