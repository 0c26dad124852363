import {cameraSlots} from '../../../contract/camera-slots.ts';
import {actionStepsWithinChunk, amount, count, flag, nonNegative, positive} from './hyperparameter.ts';
import type {VlaTypeFacts} from './vla-type.ts';

export const smolvla: VlaTypeFacts = {
	policyType: 'smolvla',
	baseModel: 'lerobot/smolvla_base',
	needsModel: true,
	modelBy: 'path',
	cameras: cameraSlots.smolvla,
	dims: {state: 'max_state_dim', action: 'max_action_dim'},
	hyperparameters: {
		n_obs_steps: count(1),
		chunk_size: count(50),
		n_action_steps: count(50),
		max_state_dim: count(32),
		max_action_dim: count(32),
		optimizer_lr: positive(1e-4),
		optimizer_weight_decay: nonNegative(1e-10),
		optimizer_grad_clip_norm: nonNegative(10),
		scheduler_warmup_steps: amount(1000),
		scheduler_decay_steps: amount(30_000),
		scheduler_decay_lr: positive(2.5e-6),
		tokenizer_max_length: count(48),
		num_steps: count(10),
		freeze_vision_encoder: flag(true),
		train_expert_only: flag(true),
		train_state_proj: flag(true),
	},
	rules: [actionStepsWithinChunk],
};
