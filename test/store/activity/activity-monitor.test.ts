import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {Explorer} from '../../../source/store/explorer.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import type {HostedService} from '../../hosted-service/server.ts';
import {hosted} from '../../support/hosted.ts';
import {clientOf, rememberedOf, until} from '../support.ts';

const operation = '00000000-0000-4000-8000-000000000001';

beforeEach(async () => {
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-lookout-'));
	vi.stubEnv('XDG_STATE_HOME', path.join(home, 'state'));
	vi.stubEnv('XDG_CACHE_HOME', path.join(home, 'cache'));
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, {recursive: true, force: true});
	});
});

/** An explorer as a run of the program has it; `end` keeps what the next run is to know. */
function run(service: Pick<HostedService, 'url' | 'key'>) {
	const queries = createQueryClient();
	const remembered = rememberedOf('a lake');
	const state = initialState(noFilter, undefined);
	const explorer = new Explorer({client: clientOf(service), queries, remembered, state});
	void remembered.recall(queries);
	explorer.listen();
	onTestFinished(() => explorer.stop());
	const end = async () => {
		explorer.activityMonitor.looked();
		const kept = [remembered.keepAnswers(queries), remembered.keep()];
		explorer.stop();
		await Promise.all(kept);
	};
	const said = (text: string) =>
		until(explorer.notices.messages, messages => messages.some(message => message.text.includes(text)));
	return {explorer, end, said};
}

const isLookedOut = ({explorer}: ReturnType<typeof run>) =>
	Promise.all([
		until(explorer.uploads.known, ({isCurrent}) => isCurrent),
		until(explorer.jobs.known, ({isCurrent}) => isCurrent),
	]);

test('what ends while another view shows is told, and what ends under one’s eyes is not', async () => {
	const service = await hosted({episodes: 20});
	const job = [...service.state.jobs.values()].find(({status}) => status === 'running');
	if (job === undefined) throw new Error('no job runs');
	service.state.syncs.set(operation, {phase: 'preparing', done: false});
	const first = run(service);
	const {explorer} = first;
	await until(explorer.live.state, ({phase}) => phase === 'live');
	await isLookedOut(first);
	service.state.events.publish({data: {operation_id: operation, dataset_name: 'cups', phase: 'preparing'}});
	await until(explorer.uploads.known, ({entries}) => entries.length === 1);
	expect(explorer.activityMonitor.state.getState().underWay).toBeGreaterThanOrEqual(2);

	service.state.syncs.set(operation, {phase: 'finalized', done: true, generation: 2, episode_count: 5});
	service.state.events.publish({data: {operation_id: operation, phase: 'finalized'}});
	await first.said('cups is in the lake: generation 2, 5 episodes.');

	explorer.update(viewed('jobs'));
	const {ended} = explorer.activityMonitor.state.getState();
	job.status = 'completed';
	service.state.events.publish({data: {job_id: job.job_id, status: 'completed'}});
	await until(explorer.activityMonitor.state, state => state.ended > ended);
	expect(explorer.notices.messages.getState().some(({text}) => text.includes('has completed'))).toBe(false);
});

test('the next run says what is new, shows the last state while the service is away, and comes alive', async () => {
	const service = await hosted({episodes: 20});
	service.state.syncs.set(operation, {phase: 'preparing', done: false});
	const first = run(service);
	await isLookedOut(first);
	expect(first.explorer.follow('uploads', operation)).toBe(true);
	await until(first.explorer.uploads.known, ({entries}) => entries[0]?.phase === 'preparing');
	const {jobs} = first.explorer.jobs.known.getState();
	first.explorer.update(viewed('datasets'));
	const {datasets} = first.explorer.catalog;
	const listed = await until(datasets.known, ({names}) => names.length > 0);
	await first.end();

	service.state.syncs.set(operation, {phase: 'finalized', done: true, generation: 2, episode_count: 5});
	service.setEpisodes(27);
	const away = {url: 'http://127.0.0.1:1', key: service.key};
	const second = run(away);
	const stale = await until(second.explorer.jobs.known, ({freshness}) => freshness.state === 'offline');
	expect(stale.jobs.map(({id, status}) => [id, status])).toEqual(jobs.map(({id, status}) => [id, status]));
	expect(stale.freshness).toMatchObject({since: expect.any(Number)});
	const {entries} = await until(second.explorer.uploads.known, known => known.entries.length === 1);
	expect(entries).toMatchObject([{operationId: operation, phase: 'preparing'}]);
	const old = second.explorer.catalog.datasets.known.getState();
	expect(old.names).toEqual(listed.names);
	expect(old.freshness).toMatchObject({state: 'stale', isFromLastSession: true});
	await second.end();

	const third = run(service);
	await third.said('New since you last looked: 7 episodes, 1 upload ingested.');
});
