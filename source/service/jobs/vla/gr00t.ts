import {cameraSlots} from '../../../contract/camera-slots.ts';
import {actionStepsWithinChunk, amount, count, flag, nonNegative, positive} from './hyperparameter.ts';
import type {VlaTypeFacts} from './vla-type.ts';

export const gr00t: VlaTypeFacts = {
	policyType: 'groot',
	baseModel: 'nvidia/GR00T-N1.5-3B',
	needsModel: false,
	modelBy: 'base_model_path',
	cameras: cameraSlots.gr00t_n1_5,
	dims: {state: 'max_state_dim', action: 'max_action_dim'},
	hyperparameters: {
		n_obs_steps: count(1),
		chunk_size: count(50),
		n_action_steps: count(50),
		max_state_dim: count(64),
		max_action_dim: count(32),
		optimizer_lr: positive(1e-4),
		optimizer_weight_decay: nonNegative(1e-5),
		warmup_ratio: {kind: 'number', min: 0, max: 1, default: 0.05},
		tune_llm: flag(false),
		tune_visual: flag(false),
		tune_projector: flag(true),
		tune_diffusion_model: flag(true),
		lora_rank: amount(0),
	},
	rules: [actionStepsWithinChunk],
};
