import {expect, test} from 'vitest';
import type {FieldProblem} from '../../../source/contract/errors.ts';
import {finetuneLimits} from '../../../source/contract/limits.ts';
import {lineField} from '../../../source/input/line-field.ts';
import {
	choiceOf,
	nextChoice,
	slotsFor,
	suggested,
	unfitReason,
} from '../../../source/store/finetune/cameras.ts';
import {
	type Draft,
	draftSchema,
	emptyDraft,
	withDataset,
	withType,
} from '../../../source/store/finetune/draft.ts';
import {
	cameraSaid,
	type FinetuneForm,
	hyperparameterTyped,
	openedForm,
	problemGone,
	redrafted,
	refusedBy,
	stepBack,
	stepForward,
	stillRefused,
} from '../../../source/store/finetune/finetune-form.ts';
import {type Judging, problemsOf, requestOf, wholeRequest} from '../../../source/store/finetune/request.ts';

const front = 'observation.images.front';
const wrist = 'observation.images.wrist';
const projectId = '00000000-0000-4000-8000-000000000001';

const facts: Judging = {
	images: {keys: [front, wrist], shapes: new Map()},
	defaults: {chunk_size: 100, optimizer_lr: 1e-5, vision_backbone: 'resnet18', temporal_ensemble_coeff: null},
};

const draft: Draft = {
	...emptyDraft,
	project: {id: projectId, name: 'tests'},
	dataset: {id: '00000000-0000-4000-8000-000000000002', path: 'local/cups', frames: 6000},
	vlaType: 'act',
	hours: '2',
	cameras: {front: {key: front, isConfirmed: true}, wrist: {key: null, isConfirmed: true}},
};

const wrongWith = (change: Partial<Draft>, known = facts) => problemsOf({...draft, ...change}, known);

test('a whole draft is the request that it reads as, and nothing is wrong with it', () => {
	expect(problemsOf(draft, facts)).toEqual([]);
	expect(wholeRequest(draft, facts)).toEqual({
		project_id: projectId,
		dataset_id: 'local/cups',
		vla_type: 'act',
		hours: 2,
		batch_size: 32,
		camera_mappings: {front},
	});
});

test.each([
	['hours', '0', 'must be above 0'],
	['hours', '-1', 'must be above 0'],
	['hours', '168.1', 'must be at most 168'],
	['hours', '1e9', 'must be at most 168'],
	['hours', 'two', 'must be a number'],
	['hours', ' ', 'enter the most hours it may train'],
	['batchSize', '0', 'must be at least 1'],
	['batchSize', '513', 'must be at most 512'],
	['batchSize', '2.5', 'must be a whole number'],
	['name', 'n'.repeat(finetuneLimits.name + 1), 'must have at most 255 characters'],
])('%s %s is told at its field and never sent', (field, typed, message) => {
	const name = field === 'batchSize' ? 'batch_size' : field;
	expect(wrongWith({[field]: typed})).toEqual([{field: name, message}]);
	expect(() => wholeRequest({...draft, [field]: typed}, facts)).toThrow();
});

test.each(['0.05', '168', ' 12 '])('%s hours are hours', typed => {
	expect(wrongWith({hours: typed})).toEqual([]);
});

test('a camera that is mapped to a key the dataset has not is told, with those that it has', () => {
	const cameras = {...draft.cameras, front: {key: 'observation.images.top', isConfirmed: true}};
	expect(wrongWith({cameras})).toEqual([
		{
			field: 'camera_mappings.front',
			message: `local/cups has no image key observation.images.top; its image keys are ${front}, ${wrist}`,
		},
	]);
});

test('a slot of another job that this dataset has no camera for is told, not dropped', () => {
	const cameras = {...draft.cameras, top: {key: 'observation.images.top', isConfirmed: true}};
	expect(slotsFor({...draft, cameras}, [front, wrist])).toEqual(['front', 'wrist', 'top']);
	expect(wrongWith({cameras}).map(({field}) => field)).toEqual(['camera_mappings.top']);
});

test('no camera is taken that nobody confirmed, and unused has to be said', () => {
	expect(wrongWith({cameras: {}}).map(({field}) => field)).toEqual([
		'camera_mappings.front',
		'camera_mappings.wrist',
	]);
	const said = cameraSaid(openedForm({...draft, cameras: {}}), 'front', {key: front, isConfirmed: false});
	expect(requestOf(said.draft, facts).camera_mappings).toEqual({});
});

test('a dataset without cameras serves no type that needs one, and says why', () => {
	const none = {...facts, images: {keys: [], shapes: new Map()}};
	expect(wrongWith({vlaType: 'pi0', modelId: 'lerobot/pi0_base', cameras: {}}, none)).toEqual([
		{field: 'vla_type', message: 'pi0 needs at least one camera, and the dataset has no image key'},
	]);
	expect(unfitReason('gr00t_n1_5', none.images)).toContain('no image key');
	expect(wrongWith({cameras: {}}, none)).toEqual([]);
});

test.each([
	['optimizer_lr', 'fast', 'fast is not JSON'],
	['optimizer_lr', '', 'nothing is not JSON'],
	['chunk_size', '{', '{ is not JSON'],
])('the hyperparameter %s as %j is told at its field', (name, text, message) => {
	const [problem] = wrongWith({hyperparameters: {[name]: text}});
	expect(problem).toEqual({field: `vla_hyper_spec.${name}`, message: expect.stringContaining(message)});
});

test.each(['steps: 3', '[1]', '3', '"x"'])('further hyperparameters as %s are no object', further => {
	expect(wrongWith({further}).map(({field}) => field)).toEqual(['vla_hyper_spec']);
});

test('changed hyperparameters are sent as what they are, those at their default are not', () => {
	let form = openedForm(draft);
	form = hyperparameterTyped(form, 'optimizer_lr', '3e-5', '0.00001');
	form = hyperparameterTyped(form, 'vision_backbone', 'resnet50', 'resnet18');
	form = hyperparameterTyped(form, 'chunk_size', '50', '100');
	form = hyperparameterTyped(form, 'chunk_size', '100', '100');
	form = {...form, draft: {...form.draft, further: '{"steps": 20000}'}};
	expect(requestOf(form.draft, facts).vla_hyper_spec).toEqual({
		steps: 20_000,
		optimizer_lr: 3e-5,
		vision_backbone: 'resnet50',
	});
});

test('what was pasted with a line end is one line, and its ends are no part of it', () => {
	const {text: modelId} = lineField('lerobot/pi0_base\n');
	expect(requestOf({...draft, vlaType: 'pi0', modelId}, facts).model_id).toBe('lerobot/pi0_base');
});

test('a type that needs a base model is not sent without', () => {
	const {form} = {form: redrafted(openedForm(draft), before => withType(before, 'smolvla'))};
	expect(problemsOf(form.draft, facts).map(({field}) => field)).toContain('model_id');
});

test('a project that was deleted meanwhile brings the form back to the projects with the service’s words', () => {
	const problem = {field: 'project_id', message: 'There is no project 0001.'};
	const form = refusedBy({...openedForm(draft), stage: {at: 'sending', isTrial: false}}, sentAs(problem));
	expect(form).toMatchObject({step: 'project', stage: {at: 'editing'}, draft});
	expect(refusedNow(form)).toEqual([problem]);
	const other = redrafted(form, before => ({...before, project: {id: '2', name: 'other'}}));
	expect(refusedNow(other)).toEqual([]);
});

const sentAs = (...problems: FieldProblem[]) => ({request: requestOf(draft, facts), problems});
const refusedNow = (form: FinetuneForm) => stillRefused(form, requestOf(form.draft, facts));

test.each<[string, string, (draft: Draft) => Draft]>([
	[
		'all cameras',
		'camera_mappings',
		before => ({...before, cameras: {...before.cameras, wrist: {key: wrist, isConfirmed: true}}}),
	],
	[
		'a slot',
		'camera_mappings.front',
		before => ({...before, cameras: {...before.cameras, front: {key: wrist, isConfirmed: true}}}),
	],
	[
		'a slot the type has not',
		'camera_mappings.top',
		before => ({...before, cameras: {front: {key: wrist, isConfirmed: true}}}),
	],
	['a hyperparameter', 'vla_hyper_spec.steps', before => ({...before, further: '{"steps": 5}'})],
	[
		'a camera of another dataset',
		'camera_mappings.front',
		before => withDataset(before, {id: '3', path: 'local/plates'}),
	],
	['the whole of it', '', before => ({...before, hours: '3'})],
	['a field that the form does not know', 'quota', before => ({...before, name: 'other'})],
])('what was said of %s goes as soon as that is another', (_, field, change) => {
	const problem = {field, message: 'no'};
	const form = refusedBy(openedForm(draft), sentAs(problem));
	expect(refusedNow(form)).toEqual([problem]);
	expect(refusedNow(redrafted(form, change))).toEqual([]);
});

test('what was said of one field stays while another is mended', () => {
	const [hours, cameras] = [
		{field: 'hours', message: 'too many'},
		{field: 'camera_mappings', message: 'not these'},
	];
	const form = refusedBy(openedForm(draft), sentAs(hours, cameras));
	expect(refusedNow(redrafted(form, before => ({...before, hours: '1'})))).toEqual([cameras]);
});

test('a field that is hidden shows when the service speaks of it', () => {
	expect(problemGone(openedForm(draft), {field: 'rabc_head_mode', message: 'no'})).toMatchObject({
		step: 'training',
		at: 'rabc_head_mode',
		showsMore: true,
	});
});

test('pages follow each other, what is chosen already is not asked again, and every page can be gone back from', () => {
	const onDataset = openedForm({...emptyDraft, dataset: draft.dataset}, 'dataset');
	expect(stepForward(onDataset).step).toBe('project');
	expect(stepForward({...onDataset, step: 'project'}).step).toBe('type');
	expect(stepBack({...onDataset, step: 'type'})?.step).toBe('dataset');
	expect(stepBack({...onDataset, step: 'project'})).toBeUndefined();
	expect(stepForward({...onDataset, step: 'request'}).step).toBe('request');
});

test('another dataset asks for its cameras anew, the same one keeps them', () => {
	const dataset = {id: '3', path: 'local/plates', name: 'plates'};
	expect(withDataset(draft, dataset)).toMatchObject({dataset, cameras: {}, filter: 'dataset:plates'});
	if (draft.dataset === undefined) throw new Error('no dataset');
	expect(withDataset(draft, draft.dataset).cameras).toEqual(draft.cameras);
});

test('a draft reads back as it was written, and what is none is no draft', () => {
	expect(draftSchema.parse(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
	expect(draftSchema.safeParse({hours: 3}).success).toBe(false);
});

test('cameras are offered by their names, each once; what no name fits is offered nothing', () => {
	const keys = ['observation.images.right_wrist', 'observation.images.top', 'observation.images.left_wrist'];
	expect(suggested('pi0', keys)).toEqual({
		base_0_rgb: 'observation.images.top',
		left_wrist_0_rgb: 'observation.images.left_wrist',
		right_wrist_0_rgb: 'observation.images.right_wrist',
	});
	expect(suggested('pi0', ['observation.images.left_wrist'])).toEqual({
		left_wrist_0_rgb: 'observation.images.left_wrist',
	});
	expect(suggested('smolvla', [front, wrist])).toEqual({camera1: front, camera2: wrist});
	expect(suggested('act', [front, wrist])).toEqual({front, wrist});
	expect(suggested('sarm', [wrist, front])).toEqual({image_key: front});
});

test('a slot goes through the image keys and unused, and has to be confirmed again', () => {
	const first = nextChoice([front, wrist], undefined, 1);
	expect(first).toEqual({key: front, isConfirmed: false});
	expect(nextChoice([front, wrist], {key: wrist, isConfirmed: true}, 1)).toEqual({
		key: null,
		isConfirmed: false,
	});
	expect(nextChoice([front, wrist], {key: null, isConfirmed: true}, 1).key).toBe(front);
	expect(choiceOf({cameras: {}}, 'front', {})).toBeUndefined();
});
