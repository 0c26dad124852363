import {expect, test} from 'vitest';
import {withDataset, withType} from '../../../source/store/finetune/draft.ts';
import {redrafted} from '../../../source/store/finetune/finetune-form.ts';
import {draftLike, untold} from '../../../source/store/finetune/like-job.ts';
import {type Judging, problemsOf, requestOf} from '../../../source/store/finetune/request.ts';
import {type JobEntry, jobEntry} from '../../../source/store/jobs/job-entry.ts';
import {asked, viewed} from '../../../source/store/state/view-transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

const project = '00000000-0000-4000-8000-000000000001';
const front = 'observation.images.front';

const request = {
	project_id: project,
	dataset_id: 'local/cups',
	vla_type: 'act',
	model_id: 'acme/base',
	hours: 12.5,
	batch_size: 8,
	name: 'act on cups',
	camera_mappings: {front},
	vla_hyper_spec: {optimizer_lr: 3e-5, vision_backbone: 'resnet50', steps: 20_000},
	use_rabc: true,
	rabc_head_mode: 'dense',
	sarm_reward_model_path: '/models/reward',
	sarm_image_observation_key: front,
	instance_type: 'large',
	region: 'eu',
};

const facts: Judging = {
	images: {keys: [front], shapes: new Map()},
	defaults: {optimizer_lr: 1e-5, vision_backbone: 'resnet18', steps: 100_000},
};

const names = (id: string) => (id === project ? 'tests' : undefined);
const launched = {jobId: 'j1', at: 0, dataset: 'local/cups', filter: 'task:fold', request};

/** A fine-tune as the embedded service lists it. */
const listed = {
	project_id: project,
	name: 'act on cups',
	vla_type: 'act',
	model_id: 'acme/base',
	dataset_id: '00000000-0000-4000-8000-0000000000c1',
	dataset_path: 'local/cups',
	hours: 12.5,
	batch_size: 8,
	use_rabc: true,
};

const job = (parts: Partial<Parameters<typeof jobEntry>[1]>): JobEntry =>
	jobEntry('j1', {kind: 'fine-tune', ...parts});

test.each([
	[
		'launched from here, of which the service tells its project alone',
		{item: {project_id: project}, launch: launched},
	],
	['launched from here, on the embedded service', {item: listed, launch: launched}],
	['launched elsewhere, whose request the service tells', {item: {...listed, request}}],
])('one like a job that was %s is the same request again', (_, parts) => {
	const draft = draftLike(job(parts), names);
	expect(untold(job(parts))).toEqual([]);
	expect(draft.project).toEqual({id: project, name: 'tests'});
	expect(problemsOf(draft, facts)).toEqual([]);
	expect(requestOf(draft, facts)).toEqual(request);
});

test('a slot that the request left unused is unused again, until another dataset or type is chosen', () => {
	const wrist = 'observation.images.wrist';
	const both = {...facts, images: {keys: [front, wrist], shapes: new Map()}};
	const draft = draftLike(job({item: listed, launch: launched}), names);
	expect(problemsOf(draft, both)).toEqual([]);
	expect(requestOf(draft, both)).toEqual(request);
	const asked = ['camera_mappings.front', 'camera_mappings.wrist'];
	const fields = (other: typeof draft) => problemsOf(other, both).map(({field}) => field);
	expect(fields(withDataset(draft, {id: 'other', path: 'local/plates'}))).toEqual(asked);
	expect(fields(withType(draft, 'gr00t_n1_5'))).toEqual(asked);
});

test('of a job that is only listed the cameras and hyperparameters are said to be missing, and nothing is made up', () => {
	const draft = draftLike(job({item: listed}), names);
	expect(untold(job({item: listed}))).toEqual(['cameras', 'hyperparameters']);
	expect(draft).toMatchObject({
		hours: '12.5',
		batchSize: '8',
		vlaType: 'act',
		cameras: {},
		hyperparameters: {},
	});
	expect(problemsOf(draft, facts).map(({field}) => field)).toEqual(['camera_mappings.front']);
});

test('a hosted job tells its project: the rest is asked for', () => {
	const hostedJob = job({item: {job_id: 'j1', project_id: project, use_rabc: false}});
	expect(untold(hostedJob)).toEqual(['dataset', 'VLA type', 'cameras', 'hours', 'hyperparameters']);
	const {dataset, vlaType, hours} = draftLike(hostedJob, () => undefined);
	expect([dataset, vlaType, hours]).toEqual([undefined, undefined, '']);
});

test('fields of another shape than the request’s are no part of it, and a value that is wrong is told', () => {
	const item = {...listed, vla_type: 'gpt', hours: 'two', camera_mappings: ['front'], vla_hyper_spec: 'none'};
	const draft = draftLike(job({item}), names);
	expect(draft).toMatchObject({cameras: {}, hyperparameters: {}, hours: 'two'});
	expect(problemsOf(draft, facts).map(({field}) => field)).toEqual(['vla_type', 'hours']);
	expect(draft.vlaType).toBeUndefined();
});

test('what a dataset was composed of for the job comes along', () => {
	const picked = {datasetId: 'd1', episodes: 7};
	expect(draftLike(job({item: listed, launch: {...launched, picked}}), names)).toMatchObject({
		picked: 7,
		filter: 'task:fold',
	});
});

test('against a hosted service the form opens where something is missing, and says what nobody tells', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	explorer.update(viewed('jobs'));
	const {jobs} = await until(explorer.jobs.known, known => known.jobs.length > 0);
	const [first] = jobs;
	if (first === undefined) throw new Error('no job');
	explorer.finetune.openLike(await explorer.jobs.actions.withLocalFields(first));
	const {form} = explorer.finetune.state.getState();
	expect(form).toMatchObject({step: 'dataset', draft: {project: {id: first.projectId}, hours: ''}});
	expect(explorer.state.getState().notices.map(({text}) => text)).toContainEqual(
		expect.stringContaining('dataset, VLA type, cameras, hours, hyperparameters'),
	);
});

test('a dataset that is not listed any more is said so, and stays to be seen', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	explorer.finetune.openLike(job({item: {project_id: project}, launch: launched}));
	const {form, trouble} = await until(explorer.finetune.state, state => state.trouble !== undefined);
	expect(trouble).toContain('local/cups is no longer listed');
	expect(form).toMatchObject({step: 'training', draft: {dataset: {path: 'local/cups'}}});
});

test('a draft makes room for one like a job after a question alone, and stays where that is denied', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	const {finetune} = explorer;
	const like = job({item: listed, launch: launched});
	const typed = (text: string) =>
		finetune.change(form => redrafted(form, draft => ({...draft, hours: text})));
	const now = () => {
		const {overlay, question} = explorer.state.getState();
		return {overlay, lines: question?.lines, hours: finetune.state.getState().form.draft.hours};
	};
	finetune.openDraft();
	finetune.close();
	finetune.openLike(like);
	expect(now(), 'a form that was only opened').toEqual({overlay: 'launch', hours: '12.5'});
	finetune.close();
	finetune.openLike(like);
	expect(now(), 'one like the same job').toEqual({overlay: 'launch', hours: '12.5'});
	typed('3');
	finetune.close();
	finetune.openLike(like);
	const lines = [
		'The draft is not launched: act on cups, act on local/cups, 3 h.',
		'The settings of act on cups replace it; the draft is lost.',
	];
	expect(now()).toEqual({overlay: 'question', lines, hours: '3'});
	explorer.update(asked(undefined));
	finetune.openDraft();
	expect(now().hours).toBe('3');
	finetune.close();
	finetune.openLike(like);
	const {question} = explorer.state.getState();
	explorer.update(asked(undefined));
	question?.agree();
	expect(now()).toEqual({overlay: 'launch', hours: '12.5'});
});
