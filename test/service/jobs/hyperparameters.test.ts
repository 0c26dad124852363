import {beforeAll, describe, expect, test} from 'vitest';
import {hyperparameterDefaults, hyperparameterValidation} from '../../../source/contract/hyperparameters.ts';
import {vlaTypes} from '../../../source/contract/vocabulary.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(home.lake());
});

async function defaultsOf(query: string) {
	const answer = await call(service, `/v1/finetune/hyperparams/defaults?${query}`);
	expect(answer.status).toBe(200);
	return hyperparameterDefaults.parse(answer.json());
}

async function validate(type: string, body: Record<string, unknown>) {
	const answer = await call(service, `/v1/finetune/hyperparams/validate?vla_type=${type}`, {body});
	expect(answer.status).toBe(200);
	return hyperparameterValidation.parse(answer.json());
}

/** The reference trainer's values, type by type. */
const reference: Record<string, Record<string, unknown>> = {
	act: {
		chunk_size: 100,
		n_action_steps: 100,
		optimizer_lr: 1e-5,
		optimizer_weight_decay: 1e-4,
		kl_weight: 10,
		dropout: 0.1,
		use_vae: true,
		dim_model: 512,
		vision_backbone: 'resnet18',
	},
	smolvla: {
		chunk_size: 50,
		n_action_steps: 50,
		optimizer_lr: 1e-4,
		optimizer_weight_decay: 1e-10,
		optimizer_grad_clip_norm: 10,
		scheduler_warmup_steps: 1000,
		scheduler_decay_steps: 30_000,
		scheduler_decay_lr: 2.5e-6,
		max_state_dim: 32,
		max_action_dim: 32,
		freeze_vision_encoder: true,
		train_expert_only: true,
		tokenizer_max_length: 48,
	},
	pi0: {
		chunk_size: 50,
		n_action_steps: 50,
		optimizer_lr: 2.5e-5,
		optimizer_weight_decay: 0.01,
		optimizer_grad_clip_norm: 1,
		scheduler_decay_lr: 2.5e-6,
		dtype: 'float32',
		tokenizer_max_length: 48,
		max_action_dim: 32,
	},
	pi05: {optimizer_lr: 2.5e-5, optimizer_weight_decay: 0.01, tokenizer_max_length: 200, chunk_size: 50},
	gr00t_n1_5: {
		chunk_size: 50,
		optimizer_lr: 1e-4,
		optimizer_weight_decay: 1e-5,
		warmup_ratio: 0.05,
		max_state_dim: 64,
		max_action_dim: 32,
		tune_llm: false,
		tune_visual: false,
		tune_projector: true,
		tune_diffusion_model: true,
		lora_rank: 0,
	},
	sarm: {
		annotation_mode: 'single_stage',
		n_obs_steps: 8,
		frame_gap: 30,
		hidden_dim: 768,
		dropout: 0.1,
		max_state_dim: 32,
	},
};

describe('4.14 GET /v1/finetune/hyperparams/defaults', () => {
	test.each(vlaTypes)('gives LeRobot’s values of %s, which 4.13 finds valid', async type => {
		const {data, message} = await defaultsOf(`vla_type=${type}&model_id=acme/base`);
		expect(data).toMatchObject(reference[type] ?? {});
		expect(message).toContain(type);
		expect(await validate(type, data)).toEqual({valid: true, issues: null});
	});

	test.each(['smolvla', 'pi0', 'pi05'])('refuses %s without a model_id', async type => {
		const answer = await call(service, `/v1/finetune/hyperparams/defaults?vla_type=${type}`);
		expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('model_id')]);
	});

	test.each(['act', 'gr00t_n1_5', 'sarm'])('names the base model of %s where none is given', async type => {
		expect((await defaultsOf(`vla_type=${type}`)).message).toContain('Base model: ');
	});
});

describe('4.13 POST /v1/finetune/hyperparams/validate', () => {
	const cases: ReadonlyArray<[string, Record<string, unknown>, string, RegExp]> = [
		['act', {n_action_steps: 101}, 'n_action_steps', /at most chunk_size, which is 100, and is 101/],
		['act', {chunk_size: 20}, 'n_action_steps', /at most chunk_size, which is 20, and is 100/],
		['act', {n_obs_steps: 2}, 'n_obs_steps', /must be 1/],
		['act', {vision_backbone: 'vit_b_16'}, 'vision_backbone', /must begin with "resnet"/],
		['act', {temporal_ensemble_coeff: 0.01}, 'temporal_ensemble_coeff', /needs n_action_steps = 1/],
		['pi0', {dtype: 'float16'}, 'dtype', /one of float32, bfloat16/],
		['pi05', {dtype: 16}, 'dtype', /one of float32, bfloat16/],
		['sarm', {annotation_mode: 'sparse_only'}, 'annotation_mode', /single_stage, dense_only, dual/],
		['sarm', {chunk_size: 50}, 'chunk_size', /sarm has no such hyperparameter/],
		['smolvla', {optimizer_lr: 0}, 'optimizer_lr', /greater than 0/],
		['smolvla', {freeze_vision_encoder: 1}, 'freeze_vision_encoder', /true or false/],
		['gr00t_n1_5', {lora_rank: 1.5}, 'lora_rank', /a whole number, and is 1.5/],
		['gr00t_n1_5', {warmup_ratio: 1.1}, 'warmup_ratio', /at most 1/],
		['act', {steps: 0}, 'steps', /at least 1/],
		['act', {__proto__x: 1, constructor: 2}, '__proto__x', /no such hyperparameter/],
		['act', {dropout: null}, 'dropout', /must be a number, and is null/],
	];

	test.each(cases)('%s %j: %s', async (type, body, field, message) => {
		const {valid, issues} = await validate(type, body);
		expect(valid).toBe(false);
		expect(issues?.[0]).toEqual({field, message: expect.stringMatching(message)});
	});

	test.each([
		['act', {temporal_ensemble_coeff: 0.01, n_action_steps: 1}],
		['act', {chunk_size: 20, n_action_steps: 20, vision_backbone: 'resnet50'}],
		['pi0', {dtype: 'bfloat16', steps: 5, save_freq: 1, seed: 7}],
		['sarm', {annotation_mode: 'dual', image_key: 'observation.images.top'}],
		['act', {}],
	])('%s %j is valid', async (type, body) => {
		expect(await validate(type, body)).toEqual({valid: true, issues: null});
	});

	test('says all that is wrong', async () => {
		const {issues} = await validate('act', {steps: -1, dropout: 2, nonsense: true});
		expect(issues?.map(({field}) => field)).toEqual(['steps', 'dropout', 'nonsense']);
	});

	test('refuses a type that does not exist, naming those that do', async () => {
		const answer = await call(service, '/v1/finetune/hyperparams/validate?vla_type=rt2', {body: {}});
		expect([answer.status, answer.json()]).toEqual([
			400,
			{detail: expect.stringContaining('act, smolvla, pi0, pi05, gr00t_n1_5, sarm')},
		]);
	});
});
