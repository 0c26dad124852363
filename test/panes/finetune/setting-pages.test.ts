import {expect, test} from 'vitest';
import {allProblems, type FormRow, type Page} from '../../../source/panes/finetune/form-page.ts';
import {hyperparameterRows, trainingRows} from '../../../source/panes/finetune/setting-pages.ts';
import {stepGone} from '../../../source/store/finetune/finetune-form.ts';
import {requestOf} from '../../../source/store/finetune/request.ts';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';
import {explorerOf, until} from '../../store/support.ts';
import {hosted} from '../../support/hosted.ts';

/** The form of an explorer of a hosted service, on its page of hours. */
async function form() {
	const service = await hosted({episodes: 20});
	const {finetune: controller} = explorerOf(service);
	const [dataset] = service.state.datasets;
	if (dataset === undefined) throw new Error('no dataset');
	controller.openDataset(dataset);
	controller.change(before =>
		stepGone({...before, draft: {...before.draft, vlaType: 'act', hours: '2'}}, 'training'),
	);
	const page = (jobs: Page['jobs'] = []): Page => {
		const [state, known] = [controller.state.getState(), controller.facts.known.getState()];
		return {
			controller,
			state,
			known,
			jobs,
			canCompose: false,
			keyOf: () => undefined,
			...allProblems(controller, state, known),
		};
	};
	const row = (rows: readonly FormRow[], id: string) => rows.find(each => 'id' in each && each.id === id);
	const request = () => requestOf(controller.state.getState().form.draft, controller.known());
	return {controller, page, row, request};
}

const ids = (rows: readonly FormRow[]) => rows.flatMap(each => ('id' in each ? [each.id] : []));

test('reward-aware cloning stands behind "more", asks for its settings, and is sent as set', async () => {
	const {page, row, request} = await form();
	expect(ids(trainingRows(page()))).toEqual(['hours', 'batch_size', 'name', 'more']);
	expect(request()).not.toHaveProperty('use_rabc');
	const more = row(trainingRows(page()), 'more');
	if (more?.kind !== 'choice') throw new Error('no more');
	more.enter();
	const shown = trainingRows(page());
	expect(ids(shown)).not.toContain('sarm_reward_model_path');
	const rewards = row(shown, 'use_rabc');
	if (rewards?.kind !== 'cycle') throw new Error('no choice');
	expect(rewards.value).toBe('no');
	rewards.turn(1);
	for (const [id, text] of [
		['rabc_head_mode', 'dense'],
		['sarm_reward_model_path', '/models/reward'],
		['sarm_image_observation_key', 'observation.images.front'],
	] as const) {
		const field = row(trainingRows(page()), id);
		if (field?.kind !== 'text') throw new Error(`no ${id}`);
		field.set(text);
	}
	expect(request()).toMatchObject({
		use_rabc: true,
		rabc_head_mode: 'dense',
		sarm_reward_model_path: '/models/reward',
		sarm_image_observation_key: 'observation.images.front',
	});
	const again = row(trainingRows(page()), 'use_rabc');
	if (again?.kind === 'cycle') again.turn(1);
	expect(request()).not.toHaveProperty('use_rabc');
	expect(request()).not.toHaveProperty('sarm_reward_model_path');
});

test('hours say how many epochs they are where finished jobs tell it, and their bounds where none do', async () => {
	const {controller, page, row} = await form();
	const aside = (jobs?: Page['jobs']) => {
		const hours = row(trainingRows(page(jobs)), 'hours');
		return hours?.kind === 'text' ? hours.aside : undefined;
	};
	expect(aside()).toBe('more than 0, up to 168');
	controller.change(before => ({
		...before,
		draft: {...before.draft, dataset: {id: 'd', path: 'acme/cups', frames: 3200}, batchSize: '32'},
	}));
	const item = {status: 'completed', vla_type: 'act', steps_per_second: 2.5};
	expect(aside([jobEntry('j', {kind: 'fine-tune', item})])).toBe(
		'about 180 epochs at 2.5 steps a second, as 1 job here did',
	);
});

test('the defaults of one type are not shown for another, whose base model is still to be named', async () => {
	const {controller, page} = await form();
	await until(controller.facts.known, ({defaults}) => defaults.state === 'read');
	expect(ids(hyperparameterRows(page())).length).toBeGreaterThan(2);
	controller.change(before => ({...before, draft: {...before.draft, vlaType: 'smolvla'}}));
	expect(ids(hyperparameterRows(page()))).toEqual(['vla_hyper_spec']);
	expect(JSON.stringify(hyperparameterRows(page()))).toContain(
		'defaults of smolvla come from its base model',
	);
	controller.change(before => ({...before, draft: {...before.draft, vlaType: 'act'}}));
	await until(controller.facts.known, ({defaults}) => defaults.state === 'read');
});

test('a hyperparameter that is no JSON is told at its field, and the service is not asked about it', async () => {
	const {controller, page, row} = await form();
	await until(controller.facts.known, ({defaults}) => defaults.state === 'read');
	const [name = ''] =
		Object.entries(controller.known().defaults ?? {}).find(([, value]) => typeof value === 'number') ?? [];
	const id = `vla_hyper_spec.${name}`;
	const field = row(hyperparameterRows(page()), id);
	if (field?.kind !== 'text') throw new Error('no field');
	field.set('{fast');
	expect(row(hyperparameterRows(page()), id)).toMatchObject({
		isChanged: true,
		problem: expect.stringContaining('{fast is not JSON'),
	});
	expect(JSON.stringify(request(controller))).not.toContain('fast');
});

const request = (controller: Page['controller']) =>
	requestOf(controller.state.getState().form.draft, controller.known());
