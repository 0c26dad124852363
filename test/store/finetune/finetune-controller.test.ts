import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import type {Explorer} from '../../../source/store/explorer.ts';
import type {Draft} from '../../../source/store/finetune/draft.ts';
import {problemsOf} from '../../../source/store/finetune/request.ts';
import {filtered} from '../../../source/store/state/transitions.ts';
import {refused} from '../../hosted-service/faults.ts';
import type {HostedService} from '../../hosted-service/server.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

beforeEach(async () => {
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-launch-'));
	vi.stubEnv('XDG_STATE_HOME', home);
	vi.stubEnv('XDG_CACHE_HOME', home);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, {recursive: true, force: true});
	});
});

const create = 'POST /v1/finetune';

const sent = ({requests}: HostedService) =>
	requests
		.filter(({method, path: at}) => method === 'POST' && at === '/v1/finetune')
		.map(({body}) => body as Record<string, unknown>);

function datasetOf(service: HostedService) {
	const dataset = service.state.datasets.find(({subtype}) => subtype === 'lerobot_v3');
	if (dataset === undefined) throw new Error('no dataset');
	return dataset;
}

/** Fills the form in, for the first dataset and project. */
async function filledIn(explorer: Explorer, service: HostedService, change: Partial<Draft> = {}) {
	const controller = explorer.finetune;
	controller.openDataset(datasetOf(service));
	const [[id = '', name = ''] = []] = service.state.projects;
	controller.change(form => ({...form, draft: {...form.draft, project: {id, name}, vlaType: 'act'}}));
	await until(
		controller.facts.known,
		({images, defaults}) => images.state === 'read' && defaults.state === 'read',
	);
	const cameras = {
		front: {key: 'observation.images.front', isConfirmed: true},
		wrist: {key: null, isConfirmed: true},
	};
	controller.change(form => ({
		...form,
		draft: {
			...form.draft,
			cameras,
			hours: '12',
			batchSize: '8',
			name: 'tried',
			further: '{"steps": 9}',
			...change,
		},
	}));
	expect(problemsOf(controller.state.getState().form.draft, controller.known())).toEqual([]);
	return controller;
}

test('a trial asks for the same but 0.05 hours, and the real one is then sent from the same draft', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	const controller = await filledIn(explorer, service);
	const {draft} = controller.state.getState().form;
	const jobs: string[] = [];
	await controller.launch({isTrial: true}, id => jobs.push(id));
	expect(controller.state.getState().form).toMatchObject({draft, stage: {at: 'editing'}});
	await controller.launch({isTrial: false}, id => jobs.push(id));
	const [trial, real] = sent(service);
	expect(real).toMatchObject({hours: 12, batch_size: 8, name: 'tried', vla_hyper_spec: {steps: 9}});
	expect(trial).toEqual({...real, hours: 0.05});
	expect(sent(service)).toHaveLength(2);
	expect(jobs).toHaveLength(2);
	expect(explorer.remembered.state.getState().launches.map(({jobId, hours}) => [jobId, hours])).toEqual([
		[jobs[0], 0.05],
		[jobs[1], 12],
	]);
	expect(controller.state.getState().form.draft.hours).toBe('');
});

test('a trial writes a checkpoint within its minutes, however seldom the whole of it is to', async () => {
	const service = await hosted({episodes: 20});
	const controller = await filledIn(explorerOf(service), service, {
		further: '{"save_freq": 5000, "steps": 9}',
	});
	await controller.launch({isTrial: true}, () => undefined);
	await controller.launch({isTrial: false}, () => undefined);
	expect(sent(service).map(({vla_hyper_spec}) => vla_hyper_spec)).toEqual([
		{save_freq: 54, steps: 9},
		{save_freq: 5000, steps: 9},
	]);
});

test('a trial of what is shorter anyhow is no longer than that', async () => {
	const service = await hosted({episodes: 20});
	const controller = await filledIn(explorerOf(service), service, {hours: '0.01'});
	await controller.launch({isTrial: true}, () => undefined);
	expect(sent(service)).toMatchObject([{hours: 0.01}]);
});

test('a project that was deleted meanwhile brings the form back to the projects, as they are now, with nothing lost', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	const controller = await filledIn(explorer, service);
	const {draft} = controller.state.getState().form;
	service.state.projects.clear();
	await controller.launch({isTrial: false}, () => undefined);
	expect(controller.state.getState().form).toMatchObject({
		step: 'project',
		stage: {at: 'editing'},
		draft,
		refused: {problems: [{field: 'project_id', message: 'Unknown project'}]},
	});
	const {projects} = await until(controller.facts.known, known => known.projects.state === 'read');
	expect(projects).toEqual({state: 'read', value: []});
	expect(explorer.outbox.underWay).toEqual([]);
});

test('without a job list, by which a lost answer would be settled, nothing is sent', async () => {
	const service = await hosted({episodes: 20});
	const controller = await filledIn(explorerOf(service), service);
	service.setFault('GET /v1/jobs/list', refused(403, 'not for you'));
	await controller.launch({isTrial: false}, () => undefined);
	expect(sent(service)).toEqual([]);
	expect(controller.state.getState().form.refused?.problems[0]?.message).toMatch(/^Nothing was sent: /);
});

test('a form that is opened before the earlier run’s draft is read waits for it, and loses nothing of it', async () => {
	const service = await hosted({episodes: 20});
	const first = explorerOf(service, {}, {lake: 'a lake'});
	first.listen();
	await expect.poll(() => first.remembered.isRecalled).toBe(true);
	await filledIn(first, service);
	await first.remembered.keep();
	const next = explorerOf(service, {}, {lake: 'a lake'});
	next.finetune.openDataset(datasetOf(service));
	expect(next.finetune.state.getState().form.stage).toEqual({at: 'opening'});
	const {form} = await until(next.finetune.state, state => state.form.stage.at === 'editing');
	expect(form.draft).toMatchObject({hours: '12', batchSize: '8', name: 'tried', vlaType: 'act'});
	await next.remembered.keep();
	const last = explorerOf(service, {}, {lake: 'a lake'});
	last.finetune.openDraft();
	last.finetune.close();
	last.finetune.openDraft();
	await until(last.finetune.state, state => state.form.draft.hours === '12');
});

test('what is not listed when the next run looks is called unknown, and found as soon as it is', async () => {
	const service = await hosted({episodes: 20});
	const first = explorerOf(service, {}, {lake: 'a lake'});
	first.listen();
	const controller = await filledIn(first, service);
	const hidden = [...service.state.jobItems];
	service.setFault(create, async ({settle}) => {
		await settle();
		service.setFault('GET /v1/jobs/list', ({send}) => send({status: 200, json: {items: hidden}}));
		await new Promise(() => undefined);
	});
	void controller.launch({isTrial: false}, () => undefined);
	await until(first.remembered.state, ({orders}) => orders.length === 1);
	await expect.poll(() => service.state.jobItems.length).toBe(hidden.length + 1);
	first.stop();

	const next = explorerOf(service, {}, {lake: 'a lake'});
	next.listen();
	await until(next.finetune.state, ({form}) => form.stage.at === 'settling');
	expect(next.finetune.state.getState().form).toMatchObject({
		step: 'request',
		draft: {hours: '12', name: 'tried'},
	});
	expect(next.finetune.hasDraft).toBe(true);
	service.setFault('GET /v1/jobs/list');
	const {launches} = await until(next.remembered.state, state => state.launches.length === 1);
	expect(launches[0]).toMatchObject({jobId: service.state.jobItems.at(-1)?.job_id, hours: 12, name: 'tried'});
	expect(sent(service)).toHaveLength(1);
	await until(next.state, ({notices}) => notices.some(({text}) => text.includes('It was launched: job:')));
});

test('what is no demonstrations is not trained on, and that is said', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	const progress = service.state.datasets.find(({subtype}) => subtype === 'sarm_progress');
	if (progress === undefined) throw new Error('no such dataset');
	explorer.finetune.openDataset(progress);
	const {overlay, notices} = explorer.state.getState();
	expect(overlay).toBeUndefined();
	expect(notices.map(({text}) => text)).toEqual([
		expect.stringMatching(/^acme\/progress-of-folding is sarm_progress, .*of type lerobot_v3\.$/),
	]);
});

test('why episodes cannot be composed is told field by field, a line each, and the name stays to be changed', async () => {
	const service = await hosted({episodes: 200});
	const explorer = explorerOf(service);
	const controller = explorer.finetune;
	explorer.update(filtered(filterOf('index:3')));
	controller.openSelected();
	await until(controller.state, ({subject}) => subject !== undefined);
	const differences = ['robot_type is "a" in one and "b" in two', 'fps is 30 in one and 50 in two'];
	const detail = differences.map(each => ({
		loc: ['body', 'episode_ids'],
		msg: `Layouts differ: ${each}`,
		type: 'value_error',
	}));
	service.setFault('*', async ({request, settle, send}) =>
		send(request.path === '/local/v1/compose' ? {status: 422, json: {detail}} : await settle()),
	);
	controller.compose('mixed');
	const {trouble, form} = await until(controller.state, state => state.trouble !== undefined);
	expect(trouble?.split('\n')).toEqual([
		expect.stringMatching(/^These episodes have 2 layouts: /),
		'Layouts differ:',
		...differences,
	]);
	expect(form).toMatchObject({step: 'dataset', stage: {at: 'editing'}});
	expect(form.draft.composing).toBeUndefined();
});
