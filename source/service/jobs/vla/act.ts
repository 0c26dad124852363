import {cameraSlots} from '../../../contract/camera-slots.ts';
import {
	actionStepsWithinChunk,
	count,
	dropout,
	flag,
	type HyperparameterRule,
	nonNegative,
	positive,
} from './hyperparameter.ts';
import type {VlaTypeFacts} from './vla-type.ts';

const oneObservation: HyperparameterRule = ({n_obs_steps}) =>
	n_obs_steps === 1
		? undefined
		: {field: 'n_obs_steps', message: `must be 1, as ACT looks at one observation, and is ${n_obs_steps}`};

const ensembleStepwise: HyperparameterRule = ({temporal_ensemble_coeff, n_action_steps}) =>
	temporal_ensemble_coeff === null || n_action_steps === 1
		? undefined
		: {
				field: 'temporal_ensemble_coeff',
				message: `needs n_action_steps = 1, which is ${n_action_steps}: an ensemble is asked anew for each step`,
			};

export const act: VlaTypeFacts = {
	policyType: 'act',
	baseModel: 'none: it begins with a pretrained resnet18',
	needsModel: false,
	modelBy: 'path',
	cameras: cameraSlots.act,
	hyperparameters: {
		n_obs_steps: count(1),
		chunk_size: count(100),
		n_action_steps: count(100),
		optimizer_lr: positive(1e-5),
		optimizer_lr_backbone: positive(1e-5),
		optimizer_weight_decay: nonNegative(1e-4),
		vision_backbone: {kind: 'text', startsWith: 'resnet', default: 'resnet18'},
		dim_model: count(512),
		n_heads: count(8),
		dim_feedforward: count(3200),
		n_encoder_layers: count(4),
		n_decoder_layers: count(1),
		use_vae: flag(true),
		latent_dim: count(32),
		n_vae_encoder_layers: count(4),
		temporal_ensemble_coeff: {kind: 'number', nullable: true, default: null},
		dropout: dropout(0.1),
		kl_weight: nonNegative(10),
		pre_norm: flag(false),
	},
	rules: [oneObservation, actionStepsWithinChunk, ensembleStepwise],
};
