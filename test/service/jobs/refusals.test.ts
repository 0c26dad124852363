import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {ownImageKeys} from '../../../source/contract/image-keys.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {
	frontKey,
	type OrderFields,
	order,
	started,
	trainingHome,
	until,
	wristKey,
} from '../support/training-home.ts';

const home = trainingHome();
const lake = home.lake();
let service: JoinedService;

beforeAll(async () => {
	const first = await home.serve({lake});
	await home.ingest(first, 'blind', {cameras: []});
	await home.ingest(first, 'many-joints', {names: Array.from({length: 40}, (_, joint) => `joint-${joint}`)});
	await home.ingest(first, 'mixed', {
		edit: info => {
			const features = info.features as Record<string, {shape: number[]}>;
			if (features[wristKey]) features[wristKey].shape = [240, 320, 3];
		},
	});
	first.leave();
});

beforeEach(async () => {
	service = await home.serve({lake});
});

const base = {model_id: 'lerobot/smolvla_base', vla_type: 'smolvla', camera_mappings: {camera1: frontKey}};
const none = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';

describe('4.3 POST /v1/finetune refuses, with a detail that names the field and what would fit', () => {
	const cases: ReadonlyArray<[string, OrderFields, number, RegExp]> = [
		['an unknown project', {project_id: none}, 404, /^project_id: there is no project 0b7d.* tests;/],
		[
			'an unknown dataset',
			{dataset_id: 'local/cup'},
			404,
			/^dataset_id: there is no dataset "local\/cup"\. The lake holds .*local\/cups/,
		],
		[
			'an image key that the dataset has not',
			{camera_mappings: {front: 'observation.images.top'}},
			400,
			/^camera_mappings\.front: cups has no image key "observation\.images\.top"; its image keys are observation\.images\.front, observation\.images\.wrist\.$/,
		],
		[
			'a slot that the type has not',
			{...base, camera_mappings: {camera4: frontKey}},
			400,
			/^camera_mappings\.camera4: smolvla has no camera slot "camera4"; its slots are camera1, camera2, camera3\.$/,
		],
		[
			'a slot of another type',
			{...base, vla_type: 'pi0'},
			400,
			/camera_mappings\.camera1: pi0 has no camera slot .*base_0_rgb, left_wrist_0_rgb, right_wrist_0_rgb/,
		],
		[
			'a slot that is mapped twice',
			{...base, camera_mappings: {camera1: frontKey, 'observation.images.camera1': wristKey}},
			400,
			/camera1 is mapped twice/,
		],
		[
			'one key for two slots',
			{...base, camera_mappings: {camera1: frontKey, camera2: frontKey}},
			400,
			/^camera_mappings\.camera2: "observation\.images\.front" is mapped to camera1 already/,
		],
		[
			'no camera where the type needs one',
			{...base, camera_mappings: {}},
			400,
			/^camera_mappings: smolvla needs at least one of its slots/,
		],
		[
			'no image for act',
			{dataset_id: 'blind', camera_mappings: {}},
			400,
			/^camera_mappings: act needs at least one image; .*blind, which has none/,
		],
		[
			'no image for gr00t_n1_5',
			{vla_type: 'gr00t_n1_5', camera_mappings: {}},
			400,
			/^camera_mappings: gr00t_n1_5 needs at least one image/,
		],
		[
			'a base model left out',
			{...base, model_id: undefined},
			400,
			/^model_id: smolvla needs a base model, as lerobot\/smolvla_base is\.$/,
		],
		[
			'an empty base model',
			{...base, vla_type: 'pi05', model_id: '', camera_mappings: {base_0_rgb: frontKey}},
			400,
			/^model_id: pi05 needs a base model, as lerobot\/pi05_base/,
		],
		[
			'a base model that is no name',
			{model_id: 'a\u0000b'},
			400,
			/^model_id: it must be 1 to 1024 characters without control characters/,
		],
		[
			'an unknown hyperparameter',
			{vla_hyper_spec: {learning_rate: 1}},
			400,
			/^vla_hyper_spec\.learning_rate: act has no such hyperparameter; it has .*optimizer_lr/,
		],
		[
			'a hyperparameter of the wrong kind',
			{vla_hyper_spec: {chunk_size: '100'}},
			400,
			/^vla_hyper_spec\.chunk_size: must be a whole number, and is "100"/,
		],
		[
			'hyperparameters at odds',
			{vla_hyper_spec: {chunk_size: 50}},
			400,
			/^vla_hyper_spec\.n_action_steps: must be at most chunk_size, which is 50, and is 100/,
		],
		[
			'more dimensions than the model has room for',
			{...base, dataset_id: 'many-joints'},
			400,
			/max_state_dim: many-joints has 40 state dimensions, and max_state_dim is 32.*max_action_dim/,
		],
		[
			'a reward model without its image',
			{vla_type: 'sarm', camera_mappings: {}},
			400,
			/^sarm_image_observation_key: sarm needs the image key.*cups has observation\.images\.front/,
		],
		[
			'a reward model’s image that is not there',
			{vla_type: 'sarm', camera_mappings: {}, sarm_image_observation_key: 'top'},
			400,
			/^sarm_image_observation_key: cups has no image key "top"/,
		],
		[
			'a reward model’s image said twice',
			{vla_type: 'sarm', camera_mappings: {image_key: frontKey}, sarm_image_observation_key: wristKey},
			400,
			/looks at one image/,
		],
		[
			'a reward model’s other slot',
			{vla_type: 'sarm', camera_mappings: {camera1: frontKey}, sarm_image_observation_key: frontKey},
			400,
			/^camera_mappings\.camera1: sarm looks at one image and has no slot but image_key/,
		],
		[
			'reward-aware cloning of a reward model',
			{vla_type: 'sarm', camera_mappings: {image_key: frontKey}, use_rabc: true, sarm_reward_model_path: 'x'},
			400,
			/use_rabc: sarm has no chunk_size/,
		],
		[
			'a head mode that no training takes',
			{use_rabc: true, rabc_head_mode: 'both'},
			400,
			/^rabc_head_mode: a training takes sparse or dense, not "both"/,
		],
		[
			'reward-aware cloning without a reward',
			{use_rabc: true},
			400,
			/^sarm_reward_model_path: use_rabc needs a reward model.*cups has no sarm_progress\.parquet/,
		],
		[
			'a reward model that the trainer cannot use itself',
			{use_rabc: true, sarm_reward_model_path: 'x/y'},
			400,
			/^sarm_reward_model_path: the trainer of this machine takes the progress.*sarm_progress\.parquet/,
		],
	];

	test.each(cases)('%s', async (_, fields, status, detail) => {
		const answer = await order(service, fields);
		expect([answer.status, answer.json()]).toEqual([status, {detail: expect.stringMatching(detail)}]);
	});

	test('all that is wrong at once', async () => {
		const answer = await order(service, {...base, model_id: undefined, camera_mappings: {top: 'x'}});
		const {detail} = answer.json<{detail: string}>();
		expect(detail.match(/model_id|camera_mappings\.top/g)).toEqual([
			'model_id',
			'camera_mappings.top',
			'camera_mappings.top',
		]);
	});

	test('what breaks a bound, as every malformed request is', async () => {
		const answer = await order(service, {hours: 0, batch_size: 513, vla_type: 'rt2'});
		const fields = answer.json<{detail: Array<{loc: string[]}>}>().detail.map(({loc}) => loc.at(-1));
		expect([answer.status, fields.sort()]).toEqual([422, ['batch_size', 'hours', 'vla_type']]);
	});

	test.each(['', '\u0000', 'cups\u0000', '\ud800', 'local/', '../cups', 'x'.repeat(100_000)])(
		'a dataset named %j',
		async dataset_id => {
			const answer = await order(service, {dataset_id});
			expect([answer.status, answer.text.slice(0, 24)]).toEqual([404, '{"detail":"dataset_id: t']);
			const path = encodeURIComponent(dataset_id.toWellFormed().slice(0, 2000));
			const keys = await call(service, `/v1/datasets/${path}/image-keys`);
			expect(keys.status).toBe(404);
		},
	);

	test('and starts nothing', async () => {
		expect((await call(service, '/v1/jobs/list')).json()).toMatchObject({
			items: [],
			page_info: {total_count: 0},
		});
	});
});

test('4.3 accepts a dataset by its id, its path and its name', async () => {
	const answer = await call(service, '/v1/datasets/local%2Fcups/image-keys');
	const keys = ownImageKeys.parse(answer.json());
	for (const dataset_id of [keys.dataset_id.toUpperCase(), keys.path, 'cups']) {
		const jobId = await started(service, {dataset_id, name: 'waits at 1'});
		expect((await until(service, jobId, () => true)).dataset_path).toBe('local/cups');
		await call(service, `/local/v1/jobs/${jobId}/stop`, {method: 'POST'});
	}
});

test('4.3 GET /v1/datasets/{dataset_id}/image-keys gives the keys that a mapping may hold', async () => {
	const byName = await call(service, '/v1/datasets/cups/image-keys');
	expect(ownImageKeys.parse(byName.json())).toEqual({
		dataset_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		path: 'local/cups',
		image_keys: [frontKey, wristKey],
		features: [
			{key: frontKey, dtype: 'video', shape: [480, 640, 3]},
			{key: wristKey, dtype: 'video', shape: [480, 640, 3]},
		],
	});
	const blind = await call(service, '/v1/datasets/blind/image-keys');
	expect(blind.json()).toMatchObject({image_keys: []});
	const unknown = await call(service, '/v1/datasets/local%2Fnone/image-keys');
	expect([unknown.status, unknown.json()]).toEqual([404, {detail: expect.stringContaining('"local/none"')}]);
});
