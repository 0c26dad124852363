import {cameraSlots} from '../../../contract/camera-slots.ts';
import {actionStepsWithinChunk, amount, count, flag, nonNegative, positive} from './hyperparameter.ts';
import type {VlaTypeFacts} from './vla-type.ts';

function piType(policyType: 'pi0' | 'pi05', tokenizerMaxLength: number): VlaTypeFacts {
	return {
		policyType,
		baseModel: `lerobot/${policyType}_base`,
		needsModel: true,
		modelBy: 'path',
		cameras: cameraSlots[policyType],
		dims: {state: 'max_state_dim', action: 'max_action_dim'},
		hyperparameters: {
			n_obs_steps: count(1),
			chunk_size: count(50),
			n_action_steps: count(50),
			max_state_dim: count(32),
			max_action_dim: count(32),
			dtype: {kind: 'choice', values: ['float32', 'bfloat16'], default: 'float32'},
			optimizer_lr: positive(2.5e-5),
			optimizer_weight_decay: nonNegative(0.01),
			optimizer_grad_clip_norm: nonNegative(1),
			scheduler_warmup_steps: amount(1000),
			scheduler_decay_steps: amount(30_000),
			scheduler_decay_lr: positive(2.5e-6),
			tokenizer_max_length: count(tokenizerMaxLength),
			num_inference_steps: count(10),
			freeze_vision_encoder: flag(false),
			train_expert_only: flag(false),
			gradient_checkpointing: flag(false),
			compile_model: flag(false),
		},
		rules: [actionStepsWithinChunk],
	};
}

export const pi0: VlaTypeFacts = piType('pi0', 48);

export const pi05: VlaTypeFacts = piType('pi05', 200);
